import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { previewCatchUp } from '#contract/catch-up.ts';
import { getHome, seeFirstLink } from '#contract/home.ts';
import { getHomeNotices } from '#contract/home-notices.ts';
import { listLinkChecks } from '#contract/link-guard.ts';
import { listPosts } from '#contract/posts.ts';
import { listCaptionWarnings, listPreparedPosts, listWakingPosts } from '#contract/prepared-posts.ts';
import { listQueues } from '#contract/queue.ts';
import { rollUpCounts } from '#server/engine/outcomes/counts.ts';
import { createFollowers, type Followers, LIMITED } from '#server/testing/followers.ts';
import { insertConnection, insertInteraction, insertPost } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let followers: Followers;

beforeAll(async () => {
  app = await createTestApp();
  followers = await createFollowers(app);
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});

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
      begun: false,
      celebrates: false,
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
    const account = await followers.connect(creatorId);
    const { connectionId, posts } = account;
    const [cakeId, soupId] = [posts[0]!.mediaId, posts[1]!.mediaId];
    const automation_id = await followers.automation(anna, account);
    const comment = (received_at: Date, over: object = {}) =>
      insertInteraction(app.db, creatorId, connectionId, { received_at, ...over });
    const sent = { outcome: 'replied', reason: 'sent', automation_id };
    await insertPost(app.db, creatorId, connectionId, { id: soupId, caption: 'Soup' });
    await insertPost(app.db, creatorId, connectionId, { id: cakeId, caption: 'Cake' });
    const first = await followers.ask(account, { mediaId: cakeId });
    await followers.open(account, first);
    await followers.tap(first.deliveryId);
    await comment(daysAgo(0), { reason: 'blocked', automation_id, post_id: soupId });
    await comment(daysAgo(0), { reason: 'own_comment', post_id: cakeId });
    await comment(daysAgo(1), { post_id: soupId });
    await comment(daysAgo(20), { ...sent, post_id: cakeId });
    await comment(daysAgo(20), { ...sent, post_id: cakeId });
    await comment(daysAgo(0), { reason: 'own_comment' });
    await comment(daysAgo(0), { kind: 'direct_message', reason: 'direct_message' });
    await comment(daysAgo(6), { post_id: 'gone' });
    await comment(daysAgo(7), sent);
    await comment(daysAgo(14), sent);
    // A post that has not been read yet.
    const { mediaId } = await followers.simulator.control.seedPost({ accountId: account.instagramAccountId });
    const waiting = await followers.ask(account, { mediaId, meets: LIMITED });
    const { waiting_until, expires_at } = await app.db.engine
      .selectFrom('deliveries')
      .innerJoin('interactions', 'interactions.id', 'interaction_id')
      .select(['waiting_until', 'expires_at'])
      .where('deliveries.id', '=', waiting.deliveryId)
      .executeTakeFirstOrThrow();

    const soup = { id: soupId, caption: 'Soup', comments: 2, matched: 1, sent: 0, opened: 0, clicked: 0 };
    const cake = { id: cakeId, caption: 'Cake', comments: 1, matched: 1, sent: 1, opened: 1, clicked: 1 };
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
      queue: {
        waiting: 1,
        doneAt: waiting_until!.toISOString(),
        nextExpiryAt: expires_at.toISOString(),
        paused: false,
      },
      steps: [
        { id: 'connect', done: true },
        { id: 'automation', done: true },
        { id: 'test', done: true },
        { id: 'first_reply', done: true },
      ],
    };
    const before = await home();
    expect(before).toMatchObject(expected);
    expect(before.days.map((day: { comments: number }) => day.comments)).toEqual([1, 0, 0, 0, 0, 1, 3]);
    expect(before.days.at(-1)).toMatchObject({ day: before.to, comments: 3, matched: 3, sent: 1 });
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

describe('the first link', () => {
  test('is celebrated once for the whole team, however often home is opened', async () => {
    const bella = await app.signUpAndIn();
    const params = { creatorId: (await bella.createCreator()).id };
    const celebrates = async () => (await bella.call(getHome, { params, query: {} })).body.celebrates;
    const connectionId = await insertConnection(app.db, params.creatorId);
    await insertInteraction(app.db, params.creatorId, connectionId, {});
    expect((await bella.call(getHome, { params, query: {} })).body).toMatchObject({ begun: true, celebrates: false });
    await insertInteraction(app.db, params.creatorId, connectionId, { outcome: 'replied', reason: 'sent' });
    expect([await celebrates(), await celebrates()]).toEqual([true, true]);
    const stranger = await app.signUpAndIn();
    expect((await stranger.call(seeFirstLink, { params })).status).toBe(404);
    expect(await celebrates()).toBe(true);
    expect((await bella.call(seeFirstLink, { params })).status).toBe(200);
    expect(await celebrates()).toBe(false);
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
    const account = await followers.connect(params.creatorId);
    await followers.automation(bella, account);
    await followers.ask(account, { meets: LIMITED });
    const answers = {
      queues: await bella.call(listQueues, { params }),
      linkChecks: await bella.call(listLinkChecks, { params }),
      catchUp: await bella.call(previewCatchUp, { params }),
      captionWarnings: await bella.call(listCaptionWarnings, { params, query: {} }),
      preparedPosts: await bella.call(listPreparedPosts, { params }),
      wakingPosts: await bella.call(listWakingPosts, { params }),
      askingPosts: await bella.call(listPosts, { params, query: { automation: 'asks', limit: 1 } }),
    };
    const notices = (await bella.call(getHomeNotices, { params })).body;
    expect(notices).toEqual(Object.fromEntries(Object.entries(answers).map(([name, { body }]) => [name, body])));
    expect(notices.queues.items).toHaveLength(1);
  });
});
