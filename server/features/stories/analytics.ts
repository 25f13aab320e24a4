/** Results of stories and lives: by the day they went up, against the time before, against the account's median. */
import type { Story, StoryFigures } from '#contract/stories.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { dayAfter, daysUpTo, readDay } from '#server/features/figures/days.ts';
import * as queries from './queries.ts';
import { viewsOf } from './stories.ts';

/** Ten a day for half a year. */
const STORIES_AT_MOST = 2000;
const LISTED_AT_MOST = 200;
const FEWEST_FOR_A_MEDIAN = 3;

export async function analyse(
  deps: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  { days }: { days: number },
) {
  const today = await readDay(trx, creatorId, deps.clock.now());
  const all = daysUpTo(today, 2 * days);
  const first = all[days]!;
  const rows = (
    await queries.findPage(
      trx,
      creatorId,
      // By a moment first, which has an index: a zone is at most 14 hours from UTC.
      { postedFrom: new Date(`${dayAfter(all[0]!, -1)}T00:00:00Z`) },
      { after: null, limit: STORIES_AT_MOST },
    )
  ).filter(({ posted_on }) => posted_on >= all[0]!);
  const dayOf = new Map(rows.map(({ id, posted_on }) => [id, posted_on]));
  const stories = await viewsOf(trx, creatorId, rows);
  const within = stories.filter(({ id }) => dayOf.get(id)! >= first);
  const before = stories.filter(({ id }) => dayOf.get(id)! < first);
  return {
    days,
    trend: all.slice(days).map((day) => {
      const total = totalOf(within.filter(({ id }) => dayOf.get(id) === day));
      return { day, stories: total.stories, replies: total.replies, sent: total.sent, clicked: total.clicked };
    }),
    total: totalOf(within),
    before: totalOf(before),
    median: { story: medianOf(stories, 'story'), live: medianOf(stories, 'live') },
    items: within.slice(0, LISTED_AT_MOST),
  };
}

function totalOf(stories: Story[]): StoryFigures & { stories: number } {
  const total = {
    stories: stories.length,
    replies: 0,
    matched: 0,
    sent: 0,
    waiting: 0,
    failed: 0,
    missed: 0,
    noKeyword: 0,
    notSent: 0,
    own: 0,
    opened: 0,
    clicked: 0,
    addresses: 0,
  };
  for (const { figures } of stories) {
    for (const name of Object.keys(figures) as (keyof StoryFigures)[]) total[name] += figures[name];
  }
  return total;
}

/** Those that still run have not had their time. */
function medianOf(stories: Story[], kind: Story['kind']) {
  const over = stories.filter((story) => story.kind === kind && story.endedAt !== null);
  if (over.length < FEWEST_FOR_A_MEDIAN) return null;
  const middle = (name: 'replies' | 'sent' | 'clicked') => median(over.map(({ figures }) => figures[name]));
  return { replies: middle('replies'), sent: middle('sent'), clicked: middle('clicked') };
}

/** @param numbers at least one */
export function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
