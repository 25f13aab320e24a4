import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { previewCatchUp } from '#contract/catch-up.ts';
import { getHome } from '#contract/figures.ts';
import { getHomeNotices } from '#contract/home-notices.ts';
import { listLinkChecks } from '#contract/link-guard.ts';
import { listCaptionWarnings, listPreparedPosts, listWakingPosts } from '#contract/prepared-posts.ts';
import { listQueues } from '#contract/queue.ts';
import { rollUpCounts } from '#server/engine/outcomes/counts.ts';
import { insertConnection, insertDelivery, insertInteraction } from '#server/testing/rows.ts';
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

const home = async (who: Person = anna) => (await who.call(getHome, { params: { creatorId } })).body;
const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000);
const nothing = { comments: 0, matched: 0, sent: 0, opened: 0, clicked: 0 };

describe('home', () => {
  test('is for members only', async () => {
    expect((await app.visitor().call(getHome, { params: { creatorId } })).status).toBe(401);
    const stranger = await app.signUpAndIn();
    expect((await stranger.call(getHome, { params: { creatorId } })).status).toBe(404);
  });

  test('of a new creator is empty and begins with the first step', async () => {
    expect(await home()).toEqual({
      week: nothing,
      weekBefore: nothing,
      days: expect.toSatisfy(
        (days: { comments: number }[]) => days.length === 7 && days.every((day) => day.comments === 0),
      ),
      queue: { waiting: 0, doneAt: null, nextExpiryAt: null, paused: false },
      steps: ['connect', 'automation', 'test', 'first_reply'].map((id) => ({ id, done: false })),
    });
  });

  test('counts this week and the one before, by day, the queue and the steps done', async () => {
    const connectionId = await insertConnection(app.db, creatorId);
    const comment = (received_at: Date, over: object = {}) =>
      insertInteraction(app.db, creatorId, connectionId, { received_at, ...over });
    const sent = { outcome: 'replied', reason: 'sent', automation_id: '01890000-0000-7000-8000-000000000001' };
    const first = await comment(daysAgo(0), sent);
    await comment(daysAgo(0), { reason: 'own_comment' });
    await comment(daysAgo(0), { kind: 'direct_message', reason: 'direct_message' });
    await comment(daysAgo(6));
    await comment(daysAgo(7), sent);
    await comment(daysAgo(14), sent);
    const delivery = await insertDelivery(app.db, creatorId, connectionId, first);
    await app.db.engine
      .updateTable('deliveries')
      .set({ read_at: new Date(), clicked_at: new Date() })
      .where('id', '=', delivery)
      .execute();
    const until = new Date(app.clock.now().getTime() + 3_600_000);
    const waiting = await comment(daysAgo(1), { outcome: 'waiting', reason: 'rate_limited', waiting_until: until });
    await insertDelivery(app.db, creatorId, connectionId, waiting, { state: 'queued', expires_at: until });

    const expected = {
      week: { comments: 3, matched: 2, sent: 1, opened: 1, clicked: 1 },
      weekBefore: { comments: 1, matched: 1, sent: 1, opened: 0, clicked: 0 },
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
    expect(before.days.map((day: { comments: number }) => day.comments)).toEqual([1, 0, 0, 0, 0, 1, 1]);
    expect(before.days.at(-1)).toEqual({ day: app.clock.now().toISOString().slice(0, 10), comments: 1, sent: 1 });
    await rollUpCounts(app.db);
    expect(await home()).toEqual(before);
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
