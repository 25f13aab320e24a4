import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { previewCatchUp } from '#contract/catch-up.ts';
import { getHome } from '#contract/home.ts';
import { getHomeNotices } from '#contract/home-notices.ts';
import { listLinkChecks } from '#contract/link-guard.ts';
import { listCaptionWarnings, listPreparedPosts, listWakingPosts } from '#contract/prepared-posts.ts';
import { listQueues } from '#contract/queue.ts';
import { rollUpCounts } from '#server/engine/outcomes/counts.ts';
import { insertConnection, insertDelivery, insertInteraction, insertPost } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;

beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
});
afterAll(() => app.close());

const home = async (days: number | undefined = undefined) =>
  (await anna.call(getHome, { params: { creatorId }, query: days === undefined ? {} : { days } })).body;
const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000);
const nothing = { comments: 0, matched: 0, sent: 0, opened: 0, clicked: 0 };

describe('home', () => {
  test('is for members only', async () => {
    expect((await app.visitor().call(getHome, { params: { creatorId }, query: {} })).status).toBe(401);
    const stranger = await app.signUpAndIn();
    expect((await stranger.call(getHome, { params: { creatorId }, query: {} })).status).toBe(404);
  });

  test('of a new creator is empty and begins with the first step', async () => {
    const today = app.clock.now().toISOString().slice(0, 10);
    expect(await home()).toEqual({
      from: daysAgo(6).toISOString().slice(0, 10),
      to: today,
      figures: nothing,
      before: nothing,
      days: Array.from({ length: 7 }, (_, at) => ({
        day: daysAgo(6 - at)
          .toISOString()
          .slice(0, 10),
        ...nothing,
      })),
      topPosts: [],
      outcomes: [],
      queue: { waiting: 0, doneAt: null, nextExpiryAt: null, paused: false },
      steps: ['connect', 'automation', 'test', 'first_reply'].map((id) => ({ id, done: false })),
    });
  });

  test('is asked for 7, 30 or 90 days and nothing else', async () => {
    expect((await home(30)).days).toHaveLength(30);
    expect((await home(90)).days).toHaveLength(90);
    const answer = await anna.call(getHome, { params: { creatorId }, query: { days: 365 } });
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  });

  test('counts some days and as many before, by day, post and reason, the queue and the steps done', async () => {
    const connectionId = await insertConnection(app.db, creatorId);
    const comment = (received_at: Date, over: object = {}) =>
      insertInteraction(app.db, creatorId, connectionId, { received_at, ...over });
    const automation_id = '01890000-0000-7000-8000-000000000001';
    const sent = { outcome: 'replied', reason: 'sent', automation_id };
    await insertPost(app.db, creatorId, connectionId, { id: 'soup', caption: 'Soup' });
    await insertPost(app.db, creatorId, connectionId, { id: 'cake', caption: 'Cake' });
    const first = await comment(daysAgo(0), { ...sent, post_id: 'cake' });
    await comment(daysAgo(0), { reason: 'blocked', automation_id, post_id: 'soup' });
    await comment(daysAgo(0), { reason: 'own_comment', post_id: 'cake' });
    await comment(daysAgo(1), { post_id: 'soup' });
    await comment(daysAgo(20), { ...sent, post_id: 'cake' });
    await comment(daysAgo(20), { ...sent, post_id: 'cake' });
    await comment(daysAgo(0), { reason: 'own_comment' });
    await comment(daysAgo(0), { kind: 'direct_message', reason: 'direct_message' });
    await comment(daysAgo(6), { post_id: 'gone' });
    await comment(daysAgo(7), sent);
    await comment(daysAgo(14), sent);
    const delivery = await insertDelivery(app.db, creatorId, connectionId, first);
    await app.db.engine
      .updateTable('deliveries')
      .set({ read_at: new Date(), clicked_at: new Date() })
      .where('id', '=', delivery)
      .execute();
    const until = new Date(app.clock.now().getTime() + 3_600_000);
    const waiting = await comment(daysAgo(1), {
      outcome: 'waiting',
      reason: 'rate_limited',
      waiting_until: until,
      automation_id,
    });
    await insertDelivery(app.db, creatorId, connectionId, waiting, { state: 'queued', expires_at: until });

    const soup = { id: 'soup', caption: 'Soup', comments: 2, matched: 1, sent: 0, opened: 0, clicked: 0 };
    const cake = { id: 'cake', caption: 'Cake', comments: 1, matched: 1, sent: 1, opened: 1, clicked: 1 };
    const expected = {
      figures: { comments: 5, matched: 3, sent: 1, opened: 1, clicked: 1 },
      before: { comments: 1, matched: 1, sent: 1, opened: 0, clicked: 0 },
      topPosts: [soup, cake].map((post) => expect.objectContaining(post)),
      outcomes: [
        { outcome: 'skipped', reason: 'no_match', count: 2 },
        { outcome: 'skipped', reason: 'blocked', count: 1 },
        { outcome: 'waiting', reason: 'rate_limited', count: 1 },
        { outcome: 'replied', reason: 'sent', count: 1 },
      ],
      queue: { waiting: 1, doneAt: until.toISOString(), nextExpiryAt: until.toISOString(), paused: false },
      steps: [
        { id: 'connect', done: true },
        { id: 'automation', done: false },
        { id: 'test', done: true },
        { id: 'first_reply', done: true },
      ],
    };
    const before = await home();
    expect(before).toMatchObject(expected);
    expect(before.days.map((day: { comments: number }) => day.comments)).toEqual([1, 0, 0, 0, 0, 2, 2]);
    expect(before.days.at(-1)).toMatchObject({ day: before.to, comments: 2, matched: 2, sent: 1 });
    const month = await home(30);
    expect(month).toMatchObject({
      figures: { comments: 9, matched: 7, sent: 5 },
      topPosts: [{ ...cake, comments: 3, matched: 3, sent: 3 }, soup],
    });
    await rollUpCounts(app.db);
    expect(await home()).toEqual(before);
    expect(await home(30)).toEqual(month);
  });
});

describe('notices of home', () => {
  test('are for members only', async () => {
    expect((await app.visitor().call(getHomeNotices, { params: { creatorId } })).status).toBe(401);
    const stranger = await app.signUpAndIn();
    expect((await stranger.call(getHomeNotices, { params: { creatorId } })).status).toBe(404);
  });

  test('are what each address answers by itself', async () => {
    const bella = await app.signUpAndIn();
    const params = { creatorId: (await bella.createCreator()).id };
    const connectionId = await insertConnection(app.db, params.creatorId);
    const until = new Date(app.clock.now().getTime() + 3_600_000);
    const waiting = await insertInteraction(app.db, params.creatorId, connectionId, {
      outcome: 'waiting',
      reason: 'queued',
    });
    await insertDelivery(app.db, params.creatorId, connectionId, waiting, { state: 'queued', expires_at: until });
    const answers = {
      queues: await bella.call(listQueues, { params }),
      linkChecks: await bella.call(listLinkChecks, { params }),
      catchUp: await bella.call(previewCatchUp, { params }),
      captionWarnings: await bella.call(listCaptionWarnings, { params, query: {} }),
      preparedPosts: await bella.call(listPreparedPosts, { params }),
      wakingPosts: await bella.call(listWakingPosts, { params }),
    };
    const notices = (await bella.call(getHomeNotices, { params })).body;
    expect(notices).toEqual(Object.fromEntries(Object.entries(answers).map(([name, { body }]) => [name, body])));
    expect(notices.queues.items).toHaveLength(1);
  });
});
