/** Old posts that people suddenly comment on while no automation answers there: the creator sleeps, the reel does not. */
import type { LiveEvent } from '#contract/interactions.ts';
import type { WakingPost } from '#contract/prepared-posts.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { postView } from '#server/features/prepared-posts/prepared-posts.ts';
import { asksForSomething } from '#server/features/replay/asking-words.ts';
import * as queries from './queries.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WINDOW_MS = 3 * HOUR_MS;
const COMPARED_MS = 14 * DAY_MS;
/** Young posts are busy anyway. */
const OLD_AFTER_MS = 2 * DAY_MS;
const MANY = 10;
const TIMES_USUAL = 5;
const MANY_ASKING = 5;
const TEXTS_READ = 500;
/** A spike that is over for so long is news no more. */
const ASLEEP_AFTER_MS = DAY_MS;
const EVERY_MS = 5 * 60_000;

/** @param post.usual what as many hours usually bring */
export function isAwake(post: { comments: number; usual: number; asking: number }): boolean {
  const isBusy = post.comments >= MANY && post.comments >= TIMES_USUAL * post.usual;
  return isBusy || post.asking >= MANY_ASKING;
}

export async function findWakingPosts(deps: {
  db: Database;
  clock: Clock;
  live: { publish(creatorId: string, event: LiveEvent): void };
}): Promise<void> {
  const { db, clock, live } = deps;
  const now = clock.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const since = ago(WINDOW_MS);
  const changed = new Set<string>();
  const busy = await queries.findBusy(db, {
    since,
    comparedFrom: ago(COMPARED_MS),
    postedBefore: ago(OLD_AFTER_MS),
    fewest: Math.min(MANY, MANY_ASKING),
  });
  for (const post of busy) {
    const texts = await queries.findTexts(db, post, since, TEXTS_READ);
    const usual = (post.before * WINDOW_MS) / (COMPARED_MS - WINDOW_MS);
    const measured = { ...post, usual, asking: texts.filter(asksForSomething).length };
    if (!isAwake(measured)) continue;
    if (await queries.noteAwake(db, measured, now)) changed.add(post.creatorId);
  }
  for (const creatorId of await queries.forgetAsleep(db, ago(ASLEEP_AFTER_MS))) changed.add(creatorId);
  for (const creatorId of changed) live.publish(creatorId, { what: 'posts' });
}

/** For the worker's list of repeated jobs. */
export const wakingJobs = [{ name: 'find-waking-posts', everyMs: EVERY_MS, run: findWakingPosts }];

export async function list(trx: CreatorTransaction, creatorId: string): Promise<{ items: WakingPost[] }> {
  const rows = await queries.findWaking(trx, creatorId);
  const waiting = rows.length === 0 ? [] : await queries.findWaitingAutomations(trx, creatorId);
  return {
    items: rows.map((row) => ({
      post: postView(row),
      foundAt: row.foundAt.toISOString(),
      comments: row.comments,
      usual: Math.round(row.usual * 10) / 10,
      asking: row.asking,
      prepared: waiting
        .filter((automation) => automation.connection_id === row.connectionId)
        .map(({ id, name }) => ({ automationId: id, name })),
    })),
  };
}

/** @throws AppError not_found */
export async function dismiss(
  { clock }: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  postId: string,
): Promise<{ message: string }> {
  if (!(await queries.dismiss(trx, creatorId, postId, clock.now()))) {
    throw new AppError('not_found', 'This post isn’t getting comments again.');
  }
  return { message: 'We won’t mention this post again for now.' };
}
