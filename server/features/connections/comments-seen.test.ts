/** Data Meta may give an app without App Review, played case by case. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '#server/engine/engine.ts';
import { deletingOldest } from '#server/engine/holds.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import { reconcile } from '#server/features/catch-up/reconcile.ts';
import { beginHistoryAt } from '#server/features/retention/queries.ts';
import { insertPost } from '#server/testing/rows.ts';
import { findCommentsSeen } from './comments-seen.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let world: EngineWorld;
let engine: Engine;
const pacing = new Map();
beforeAll(async () => {
  world = await createEngineWorld();
  engine = await world.startEngine();
});
afterAll(() => world?.close());

/** A creator whose newest post got a comment, while the app has no Advanced Access. */
async function commented(commentsWithoutReview: 'read' | 'sent_and_read' | 'none', comments = 1) {
  await world.simulator.control.updateApp({ access: 'standard' });
  await world.simulator.control.updateSettings({ switches: { commentsWithoutReview } });
  const creator = await world.addCreator({ webhooks: true });
  await insertPost(world.db, creator.creatorId, creator.connectionId, {
    id: creator.posts[0]!.mediaId,
    posted_at: world.clock.now(),
    comments_count: 0,
  });
  const { mediaId } = creator.posts[0]!;
  for (const { personId } of creator.followers.slice(0, comments)) {
    await world.simulator.control.comment({ mediaId, personId, text: 'recipe' });
  }
  await world.webhooksArrived();
  await world.settle(engine, MINUTE_MS);
  return creator;
}

async function readPosts() {
  await reconcile({ ...world, speakerOf: world.speakerOf, log: pino({ level: 'silent' }) }, pacing);
  await world.settle(engine, MINUTE_MS);
}

async function seen({ creatorId, connectionId }: WorldCreator) {
  const now = world.clock.now();
  const all = await world.db.withCreator(creatorId, (trx) => findCommentsSeen(trx, creatorId, now));
  return all.get(connectionId);
}

const NOTHING = { byWebhook: 0, lastByWebhookAt: null, byReading: 0, reading: 'nothing_to_find', platformCounts: 0 };

test('before anybody commented nothing is said to be wrong', async () => {
  const creator = await commented('none', 0);
  expect(await seen(creator)).toEqual(NOTHING);
  await readPosts();
  expect(await seen(creator)).toEqual(NOTHING);
});

test('comments whose webhooks are withheld are seen to be found by reading', async () => {
  const creator = await commented('read', 2);
  expect(await seen(creator)).toEqual(NOTHING);
  await readPosts();
  expect(await seen(creator)).toEqual({ ...NOTHING, byReading: 2, reading: 'finds', platformCounts: 2 });
});

test('comments that are neither sent nor listed are seen by their number alone', async () => {
  const creator = await commented('none', 2);
  await readPosts();
  expect(await seen(creator)).toEqual({ ...NOTHING, reading: 'finds_none', platformCounts: 2 });
});

test('comments that come by webhook all the same are counted, the last one for a week', async () => {
  const creator = await commented('sent_and_read', 2);
  const came = { byWebhook: 2, lastByWebhookAt: expect.any(String) };
  expect(await seen(creator)).toEqual({ ...NOTHING, ...came });
  await readPosts();
  expect(await seen(creator)).toEqual({ ...NOTHING, ...came, reading: 'finds', platformCounts: 2 });
  await world.advance(8 * DAY_MS);
  expect(await seen(creator)).toMatchObject({ byWebhook: 2, lastByWebhookAt: null });
});

test('comments deleted because of their age go on being counted', async () => {
  const creator = await commented('read', 2);
  await readPosts();
  await world.advance(MINUTE_MS);
  await beginHistoryAt(world.db, creator.creatorId, world.clock.now());
  await deletingOldest(world.db, {
    creatorId: creator.creatorId,
    before: world.clock.now(),
    clearedTo: null,
    most: 100,
  })();
  expect(await seen(creator)).toMatchObject({ byWebhook: 0, byReading: 2 });
});
