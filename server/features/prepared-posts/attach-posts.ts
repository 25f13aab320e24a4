/** New posts find the automations that were made for them before they were there. */
import type { LiveEvent } from '#contract/interactions.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { captionHas, isAfter, type OfferedPost, pairUp } from './caption-fit.ts';
import * as queries from './queries.ts';

export type AttachDeps = {
  db: Database;
  clock: Clock;
  live: { publish(creatorId: string, event: LiveEvent): void };
  automationsChanged(change: { creatorId: string }): Promise<void> | void;
};

/**
 * Offers posts that nobody was offered yet to the automations of the connection that wait. Call it after a sync. Each post
 * is offered once, in the transaction that attaches it: syncs that cross or break off neither lose a post nor attach two.
 */
export async function attachNewPosts(deps: AttachDeps, connection: { creatorId: string; id: string }): Promise<void> {
  const { creatorId } = connection;
  const changed = await deps.db.engine.transaction().execute(async (trx) => {
    const now = deps.clock.now();
    const posts = await queries.takeNewPosts(trx, connection, now);
    if (posts.length === 0) return false;
    const waiting = await queries.lockWaiting(trx, connection);
    let changes = 0;
    for (const { id, captionWords, switchedOnAt } of waiting.filter(({ scope }) => scope === 'caption')) {
      for (const post of posts) {
        if (!isAfter(post, switchedOnAt) || !captionHas(post.caption, captionWords)) continue;
        await queries.attachCaption(trx, creatorId, { automationId: id, postId: post.id }, now);
        changes++;
      }
    }
    const forNext = waiting.filter(({ scope }) => scope === 'next');
    const asked = await queries.findCandidates(
      trx,
      creatorId,
      forNext.map(({ id }) => id),
    );
    const { attach, ask } = pairUp(
      forNext.map(({ id, words, keywordWords, captionWords, switchedOnAt }) => ({
        automationId: id,
        words: [...words, ...keywordWords, ...captionWords],
        switchedOnAt,
      })),
      [...posts.map((post): OfferedPost => ({ ...post, askedOf: null })), ...askedPosts(asked)],
    );
    for (const pair of attach) await queries.attachNext(trx, creatorId, pair, now);
    await queries.addCandidates(trx, creatorId, ask, now);
    return changes + attach.length + ask.length > 0;
  });
  if (!changed) return;
  await deps.automationsChanged({ creatorId });
  deps.live.publish(creatorId, { what: 'automations' });
}

function askedPosts(asked: (queries.NewPost & { automationId: string })[]): OfferedPost[] {
  return [...Map.groupBy(asked, ({ id }) => id).values()].map((rows) => {
    const [{ id, caption, postedAt }] = rows as [(typeof rows)[number]];
    return { id, caption, postedAt, askedOf: new Set(rows.map(({ automationId }) => automationId)) };
  });
}
