import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getLive, listLives, listStories, readStories } from '#contract/stories.ts';
import type { WorldCreator } from '#server/engine/testing/engine-world.ts';
import { createFollowers, type Followers, LIMITED } from '#server/testing/followers.ts';
import { insertInteraction } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type MetaSimulator, startMetaSimulator } from '#simulators/meta/simulator.ts';
import { storyJobs } from './story-sync.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let meta: MetaSimulator;
let app: TestApp;
let followers: Followers;
let account: WorldCreator;
let anna: Person;
let creatorId: string;
let connectionId: string;
let token: string;

beforeAll(async () => {
  meta = await startMetaSimulator({ clock: new Date().toISOString() });
  app = await createTestApp({
    settings: meta.environment,
    deps: {
      speakerOf: async () => ({
        platform: 'instagram',
        via: 'instagram',
        senderId: account.instagramAccountId,
        token,
      }),
    },
  });
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  followers = await createFollowers(app, { simulator: meta });
  account = await followers.connect(creatorId);
  ({ connectionId } = account);
  token = account.tokens.instagram.token;
});
afterAll(async () => {
  await followers.close();
  await app.close();
  await meta.close();
});

const put = async (product: 'STORY' | 'LIVE', more: { caption?: string; views?: number } = {}) =>
  (
    await meta.control.seedPost({
      accountId: account.instagramAccountId,
      product,
      createdAt: app.clock.now().getTime(),
      ...more,
    })
  ).mediaId;
const look = async () => (await anna.call(readStories, { params: { creatorId } })).body;
const stories = async (query: object = {}) =>
  (await anna.call(listStories, { params: { creatorId }, query })).body.items;
const lives = async (query: object = {}) => (await anna.call(listLives, { params: { creatorId }, query })).body.items;
const later = async (ms: number) => {
  await app.clock.advance(ms);
  await meta.control.advance(ms);
};
const work = () => storyJobs[0]!.run(app.deps);
const pictureOf = async (story: { pictureUrl: string }) => anna.send({ method: 'GET', url: story.pictureUrl });

describe('stories', () => {
  test('an account that cannot be asked says so, and nothing counts as over', async () => {
    const id = await put('STORY', { caption: 'Sauce day', views: 1000 });
    await meta.control.addFault({ match: { operation: 'story_list' }, action: { kind: 'html', status: 503 } });
    expect(await look()).toMatchObject({ code: 'platform_unreachable' });
    expect(await stories()).toEqual([]);
    expect(await look()).toEqual({ running: 1 });
    await meta.control.addFault({ match: { operation: 'story_list' }, action: { kind: 'html', status: 503 } });
    expect(await look()).toMatchObject({ code: 'platform_unreachable' });
    expect(await stories({ state: 'running' })).toMatchObject([{ id, caption: 'Sauce day', endedAt: null }]);
  });

  test('keep their picture and their figures when Instagram has forgotten them', async () => {
    const [running] = await stories();
    expect(running.insights).toMatchObject({ views: 1000, reach: 800 });
    expect(running.expiresAt).toBe(new Date(Date.parse(running.postedAt) + 24 * HOUR_MS).toISOString());
    const picture = await pictureOf(running);
    expect(picture.headers).toMatchObject({ 'content-type': expect.stringMatching(/^image\//) });
    expect(picture.headers['content-security-policy']).toContain('sandbox');
    expect(picture.text.length).toBeGreaterThan(100);

    await later(24 * HOUR_MS);
    await work();
    const [over] = await stories({ state: 'over' });
    expect(over).toMatchObject({ id: running.id, takenDown: false, insights: { views: 1000 } });
    expect(over.endedAt).toBe(over.expiresAt);
    expect(await pictureOf(over)).toMatchObject({ status: 200, text: picture.text });
  });

  test('taken down early is said so', async () => {
    const id = await put('STORY');
    await look();
    await later(HOUR_MS);
    await meta.control.deletePost(id);
    await look();
    expect((await stories())[0]).toMatchObject({ id, takenDown: true, endedAt: app.clock.now().toISOString() });
  });

  test('are asked for by themselves every quarter of an hour, and their figures once more at the end', async () => {
    const calls = async () => (await meta.control.ledgerSummary()).byOperation;
    const id = await put('STORY', { views: 500 });
    await later(15 * MINUTE_MS);
    await work();
    expect((await stories())[0]).toMatchObject({ id });
    const before = await calls();
    await later(MINUTE_MS);
    await work();
    expect(await calls()).toEqual(before);
    for (let quarter = 0; quarter < 95; quarter++) {
      await later(15 * MINUTE_MS);
      await work();
    }
    const [over] = await stories();
    expect(over).toMatchObject({ id, endedAt: over.expiresAt });
    expect(Date.parse(over.expiresAt) - Date.parse(over.insights.readAt)).toBeLessThanOrEqual(15 * MINUTE_MS);
    // Hourly, and then with each reading: two calls each.
    const insightCalls = (await calls()).insights! - before.insights!;
    expect(insightCalls).toBeGreaterThan(40);
    expect(insightCalls).toBeLessThan(60);
  });

  test('one that too few people saw does not keep the others from their figures', async () => {
    const posted = [await put('STORY', { views: 300 }), await put('STORY', { views: 300 })];
    await meta.control.addFault({
      match: { operation: 'insights' },
      action: { kind: 'error', code: 10, message: '(#10) Not enough viewers for the media to show insights' },
    });
    await look();
    const listed: { id: string; insights: { views: number | null } }[] = await stories();
    const views = listed.filter(({ id }) => posted.includes(id)).map(({ insights }) => insights.views);
    expect(views.toSorted()).toEqual([300, null]);
    for (const id of posted) await meta.control.deletePost(id);
    await look();
    await later(HOUR_MS);
  });

  test('without the permission for figures they come without', async () => {
    await meta.control.removeScopes(account.instagramAccountId, ['instagram_business_manage_insights']);
    const id = await put('STORY');
    expect(await look()).toEqual({ running: 1 });
    expect((await stories())[0]).toMatchObject({ id, insights: null });
  });

  test('one that was up and gone between two readings is known by its replies', async () => {
    await insertInteraction(app.db, creatorId, connectionId, {
      kind: 'story_reply',
      post_id: '17900000000000001',
      occurred_at: app.clock.now(),
      received_at: app.clock.now(),
    });
    await look();
    const [heard] = (await stories()).filter((story: { id: string }) => story.id === '17900000000000001');
    expect(heard).toMatchObject({ pictureUrl: null, figures: { replies: 1, noKeyword: 1 } });
    expect(heard.endedAt).not.toBeNull();
  });
});

describe('lives', () => {
  let liveId: string;
  const wait = async (text: string) => {
    const asked = await followers.ask(account, { text, mediaId: liveId, meets: LIMITED });
    return asked.interactionId;
  };

  test('run until Instagram no longer lists them; then what waited is given up with the reason', async () => {
    liveId = await put('LIVE', { caption: 'Cooking together' });
    await work();
    await later(15 * MINUTE_MS);
    await work();
    expect(await lives()).toMatchObject([{ id: liveId, kind: 'live', endedAt: null, expiresAt: null }]);
    const automationId = await followers.automation(anna, account, { trigger: 'live_comment', words: ['SAUCE'] });
    const waiting = await wait('SAUCE please');
    const answered = await insertInteraction(app.db, creatorId, connectionId, {
      kind: 'live_comment',
      post_id: liveId,
      automation_id: automationId,
      outcome: 'replied',
      reason: 'sent',
    });

    // It cannot be asked for a minute: nobody is given up for that.
    await meta.control.addFault({ match: { operation: 'live_list' }, action: { kind: 'html', status: 503 } });
    await later(MINUTE_MS);
    await work();
    expect(await outcomeOf(waiting)).toEqual({ outcome: 'waiting', reason: 'rate_limited' });

    await meta.control.endLive(liveId);
    await later(MINUTE_MS);
    await work();
    expect(await outcomeOf(waiting)).toEqual({ outcome: 'missed', reason: 'live_over' });
    expect(await outcomeOf(answered)).toEqual({ outcome: 'replied', reason: 'sent' });
    const live = (await anna.call(getLive, { params: { creatorId, liveId } })).body;
    expect(live.endedAt).toBe(app.clock.now().toISOString());
    expect(live.figures).toMatchObject({ replies: 2, matched: 2, sent: 1, missed: 1, waiting: 0 });
  });

  test('one that goes on after all is running again', async () => {
    const id = await put('LIVE');
    await look();
    await app.db.engine.updateTable('stories').set({ ended_at: app.clock.now() }).where('id', '=', id).execute();
    await look();
    expect((await lives())[0]).toMatchObject({ id, endedAt: null });
    await meta.control.endLive(id);
    await look();
  });

  test('one of an account that was cut off ends by time, and nobody waits for ever', async () => {
    await later(MINUTE_MS);
    liveId = await put('LIVE');
    await look();
    const waiting = await wait('sauce');
    token = 'dead';
    await later(6 * HOUR_MS);
    await work();
    expect((await lives())[0]).toMatchObject({ id: liveId, endedAt: expect.any(String) });
    expect(await outcomeOf(waiting)).toEqual({ outcome: 'missed', reason: 'live_over' });
  });

  async function outcomeOf(id: string) {
    return app.db.engine
      .selectFrom('interactions')
      .select(['outcome', 'reason'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  }
});
