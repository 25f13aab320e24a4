/** Stories and lives as the creator sees them, with what became of the replies. */
import { askedWord } from '#contract/caption-words.ts';
import { type Story, type StoryFigures, storyPicturePath } from '#contract/stories.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { type Count, readCounts, tallyOf } from '#server/engine/outcomes/counts.ts';
import { AppError } from '#server/errors.ts';
import { pageFrom, readPosition } from '#server/http/page-position.ts';
import * as queries from './queries.ts';

const PAGE_SIZE = 30;

type ListQuery = { after?: string | undefined; limit?: number | undefined; state?: 'running' | 'over' | undefined };

export async function list(trx: CreatorTransaction, creatorId: string, kind: Story['kind'], query: ListQuery) {
  const limit = query.limit ?? PAGE_SIZE;
  const rows = await queries.findPage(
    trx,
    creatorId,
    { kind, state: query.state },
    { after: readPosition(query.after, 'text'), limit: limit + 1 },
  );
  const { items, next } = pageFrom(rows, limit);
  return {
    items: await viewsOf(trx, creatorId, items),
    next,
    readAt: (await queries.findReadAt(trx, creatorId))?.toISOString() ?? null,
  };
}

/** @throws AppError not_found */
export async function get(trx: CreatorTransaction, creatorId: string, kind: Story['kind'], id: string): Promise<Story> {
  const rows = await queries.findPage(trx, creatorId, { kind, ids: [id] }, { after: null, limit: 1 });
  const [story] = await viewsOf(trx, creatorId, rows);
  if (story === undefined) throw new AppError('not_found', `We can’t find this ${kind}. Refresh and try again.`);
  return story;
}

export async function viewsOf(trx: CreatorTransaction, creatorId: string, rows: queries.StoryRow[]): Promise<Story[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const counts = await readCounts(trx, creatorId, 'post', ids);
  const addresses = await queries.countAddresses(trx, creatorId, ids);
  const automations = await queries.findAutomations(trx, creatorId, ids);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    connectionId: row.connection_id,
    caption: row.caption,
    permalink: row.permalink,
    pictureUrl: row.has_picture ? storyPicturePath(creatorId, row.id) : null,
    postedAt: row.posted_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    takenDown: row.ended_at !== null && row.expires_at !== null && row.ended_at < row.expires_at,
    ...answeredBy(row, automations),
    asksFor: askedWord(row.caption),
    figures: figuresOf(counts.get(row.id), addresses.get(row.id) ?? 0),
    insights: insightsOf(row),
  }));
}

/** Splits the replies without remainder: replies = sent + waiting + failed + missed + noKeyword + notSent. */
function figuresOf(counts: Count[] | undefined, addresses: number): StoryFigures {
  const { comments, failed, expired, ...parts } = tallyOf(counts);
  return { replies: comments, failed: failed + expired, ...parts, addresses };
}

function answeredBy(
  row: queries.StoryRow,
  automations: queries.StoryAutomation[],
): Pick<Story, 'automation' | 'automationWords'> {
  const trigger = row.kind === 'story' ? 'story_reply' : 'live_comment';
  const here = automations.filter(
    (one) =>
      one.trigger === trigger &&
      (one.postId === row.id || (one.postId === null && one.connectionId === row.connection_id)),
  );
  const on = here.filter((one) => one.on);
  const state = on.length > 0 ? 'on' : here.some((one) => one.postId === row.id) ? 'off' : 'none';
  const told = state === 'on' ? on : here.filter((one) => one.postId === row.id);
  return { automation: state, automationWords: [...new Set(told.flatMap(({ words }) => words))] };
}

function insightsOf({ insights, insights_at }: queries.StoryRow): Story['insights'] {
  if (insights === null || insights_at === null) return null;
  const { views, reach, shares, follows, profile_visits, tap_forward, tap_back, tap_exit } = insights;
  return {
    views: views ?? null,
    reach: reach ?? null,
    shares: shares ?? null,
    follows: follows ?? null,
    profileVisits: profile_visits ?? null,
    tapsForward: tap_forward ?? null,
    tapsBack: tap_back ?? null,
    exits: tap_exit ?? null,
    readAt: insights_at.toISOString(),
  };
}
