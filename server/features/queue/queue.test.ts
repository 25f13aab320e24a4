import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getHome } from '#contract/home.ts';
import { getPost } from '#contract/posts.ts';
import { controlQueue, listExpiring, listQueues } from '#contract/queue.ts';
import type { WorldCreator } from '#server/engine/testing/engine-world.ts';
import { createFollowers, type Followers } from '#server/testing/followers.ts';
import { insertPost } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { queueJobs } from './stored-forecast.ts';

const HOUR_MS = 3_600_000;

let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;
let followers: Followers;
let account: WorldCreator;
let changes = 0;

beforeAll(async () => {
  app = await createTestApp({
    settings: { PRIVATE_REPLIES_PER_HOUR: '2' },
    deps: { queueChanged: () => void changes++ },
  });
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  followers = await createFollowers(app);
  account = await followers.connect(creatorId, 9);
  ({ connectionId } = account);
  for (const caption of ['pasta', 'soup'] as const) {
    await insertPost(app.db, creatorId, connectionId, { id: postId(caption), caption });
  }
  await followers.automation(anna, account);
  await change({ paused: true });
  // Nothing goes out while it is paused.
  for (let n = 0; n < 4; n++) await followers.ask(account, { mediaId: postId('soup') });
  await followers.advance(50 * HOUR_MS);
  for (let n = 0; n < 3; n++) await followers.ask(account, { mediaId: postId('pasta') });
  await change({ paused: false });
  await refresh();
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});

/** Of the account's posts, by what is cooked in them. */
const postId = (caption: 'pasta' | 'soup') => account.posts[caption === 'pasta' ? 0 : 1]!.mediaId;

const refresh = () => queueJobs[0]!.run(app.deps);
const queues = async () => (await anna.call(listQueues, { params: { creatorId } })).body.items;
const change = (body: object) => anna.call(controlQueue, { params: { creatorId, connectionId }, body });
const inHours = (at: string) => (Date.parse(at) - app.clock.now().getTime()) / HOUR_MS;
const reasons = async () => {
  const rows = await app.db.engine
    .selectFrom('interactions')
    .select('reason')
    .where('outcome', '=', 'waiting')
    .execute();
  return [...new Set(rows.map(({ reason }) => reason))];
};

describe('the queue', () => {
  test('is for members only', async () => {
    const stranger = await app.signUpAndIn();
    expect((await stranger.call(listQueues, { params: { creatorId } })).status).toBe(404);
    expect((await stranger.call(controlQueue, { params: { creatorId, connectionId }, body: {} })).status).toBe(404);
    const gone = '01890000-0000-7000-8000-000000000001';
    expect((await anna.call(controlQueue, { params: { creatorId, connectionId: gone }, body: {} })).status).toBe(404);
  });

  test('says by post who waits and until when, what dies first going first', async () => {
    const [queue] = await queues();
    expect(queue).toMatchObject({ waiting: 7, perHour: 2, platformPerHour: 2, heldUp: null, expiring: 0 });
    expect(queue.posts.map(({ postId, waiting, doneAt }: never) => [postId, waiting, inHours(doneAt)])).toEqual([
      [postId('soup'), 4, 1],
      [postId('pasta'), 3, 3],
    ]);
    const home = (await anna.call(getHome, { params: { creatorId }, query: {} })).body.queue;
    expect(inHours(home.doneAt)).toBe(3);
    const post = (await anna.call(getPost, { params: { creatorId, postId: postId('pasta') } })).body;
    expect(inHours(post.reconciliation.waitingUntil)).toBe(3);
  });

  test('is paused and resumed by the creator, and every waiting comment says so', async () => {
    const paused = (await change({ paused: true })).body;
    expect(paused).toMatchObject({ waiting: 7, perHour: 0, doneAt: null, heldUp: { by: 'paused_by_you' } });
    expect(await reasons()).toEqual(['paused_by_you']);
    expect((await anna.call(getHome, { params: { creatorId }, query: {} })).body.queue).toMatchObject({
      paused: true,
      doneAt: null,
    });
    const before = changes;
    const resumed = (await change({ paused: false })).body;
    expect(resumed).toMatchObject({ heldUp: null, control: { paused: false } });
    expect(await reasons()).toEqual(['queued']);
    expect(changes).toBe(before + 1);
  });

  test('goes slower for a time, in another order, or with one post first', async () => {
    const slow = (await change({ slow: { toPercent: 50, minutes: 600 } })).body;
    expect(slow).toMatchObject({ perHour: 1, control: { slowedToPercent: 50 } });
    expect(inHours(slow.doneAt)).toBe(6);
    expect((await change({ slow: null })).body.control).toMatchObject({ slowedToPercent: null, slowedUntil: null });

    const ends = (body: { posts: { postId: string; doneAt: string }[] }) =>
      Object.fromEntries(
        body.posts.map((post) => [post.postId === postId('pasta') ? 'pasta' : 'soup', inHours(post.doneAt)]),
      );
    expect(ends((await change({ order: 'newest' })).body)).toEqual({ pasta: 1, soup: 3 });
    expect(ends((await change({ order: 'deadline', firstPostId: postId('pasta') })).body)).toEqual({
      pasta: 1,
      soup: 3,
    });
    expect(ends((await change({ firstPostId: null })).body)).toEqual({ pasta: 3, soup: 1 });
    expect((await change({ firstPostId: 'nobody’s' })).status).toBe(422);
    expect((await change({ slow: { toPercent: 0, minutes: 5 } })).status).toBe(422);
  });

  test('shows the platform’s slow-downs as what they are', async () => {
    const until = new Date(app.clock.now().getTime() + 3 * HOUR_MS);
    await app.db.engine
      .insertInto('lane_states')
      .values({
        creator_id: creatorId,
        connection_id: connectionId,
        lane: 'private_replies',
        closed_until: until,
        closed_reason: 'barred',
        updated_at: app.clock.now(),
      })
      .execute();
    await refresh();
    const [queue] = await queues();
    expect(queue.heldUp).toMatchObject({ by: 'barred', until: until.toISOString() });
    expect(inHours(queue.doneAt)).toBe(6);
    await app.db.engine.deleteFrom('lane_states').execute();
  });

  test('names those who will be lost before they are, page by page', async () => {
    await followers.advance((7 * 24 - 50 - 0.5) * HOUR_MS);
    await refresh();
    const [queue] = await queues();
    expect(queue).toMatchObject({ waiting: 7, expiring: 2 });
    expect(inHours(queue.firstExpiryAt)).toBeCloseTo(0.5, 3);
    const params = { creatorId, connectionId };
    const first = (await anna.call(listExpiring, { params, query: { limit: 1 } })).body;
    expect(first).toMatchObject({ total: 2, items: [{ postId: postId('soup') }] });
    const second = (await anna.call(listExpiring, { params, query: { limit: 1, after: first.next } })).body;
    expect(second.next).toBeNull();
    expect(second.items[0].interactionId).not.toBe(first.items[0].interactionId);
  });

  test('is gone when nobody waits', async () => {
    await followers.engine.queueChanged(creatorId, connectionId);
    await followers.settle(followers.engine);
    await refresh();
    expect(await queues()).toEqual([]);
  });
});
