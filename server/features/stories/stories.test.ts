import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAutomation, deleteAutomation, getAutomation, listAutomations } from '#contract/automations.ts';
import { listInteractions, resend } from '#contract/interactions.ts';
import {
  changeStoryLink,
  createStoryLink,
  deleteStoryLink,
  getStory,
  getStoryAnalytics,
  listStories,
  listStoryLinks,
  listStoryMentions,
  readStories,
  storyPicturePath,
} from '#contract/stories.ts';
import { rollUpCounts } from '#server/engine/outcomes/counts.ts';
import type { WorldCreator } from '#server/engine/testing/engine-world.ts';
import { createFollowers, type Followers } from '#server/testing/followers.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection, insertInteraction, insertStory } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { median } from './analytics.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
let anna: Person;
let creatorId: string;
let followers: Followers;
let account: WorldCreator;
let connectionId: string;

beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  followers = await createFollowers(app);
  account = await followers.connect(creatorId);
  ({ connectionId } = account);
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});

const story = (id: string, over: object = {}) => insertStory(app.db, creatorId, connectionId, { id, ...over });
const reply = (storyId: string, over: object = {}) =>
  insertInteraction(app.db, creatorId, connectionId, { kind: 'story_reply', post_id: storyId, ...over });
const read = async (storyId: string) => (await anna.call(getStory, { params: { creatorId, storyId } })).body;

/** @returns what answers it, if anything does */
async function replyAsFollower(storyId: string, automationId: string) {
  const { control } = followers.simulator;
  const { instagramAccountId: accountId, followers: people } = account;
  const { personId } = people[0]!;
  await control.seedPost({ accountId, product: 'STORY', id: storyId });
  await control.storyReply({ storyId, personId, text: 'SAUCE' });
  await followers.work();
  return (await messagesOf(automationId)).map((message) => ({ ...message, followerId: personId }));
}

/** Oldest first. */
async function messagesOf(automationId: string) {
  return app.db.engine
    .selectFrom('deliveries')
    .select(['id as deliveryId', 'interaction_id as interactionId'])
    .where('automation_id', '=', automationId)
    .orderBy('id')
    .execute();
}

const remove = (automationId: string) => anna.call(deleteAutomation, { params: { creatorId, automationId } });

describe('a story', () => {
  test('is for members only, its picture too', async () => {
    await story('private');
    await app.db.engine
      .insertInto('story_pictures')
      .values({ creator_id: creatorId, story_id: 'private', content_type: 'image/png', bytes: Buffer.from('png') })
      .execute();
    const url = storyPicturePath(creatorId, 'private');
    expect((await anna.send({ method: 'GET', url })).text).toBe('png');
    expect((await app.visitor().send({ method: 'GET', url })).status).toBe(401);
    const stranger = await app.signUpAndIn();
    await stranger.createCreator();
    expect((await stranger.send({ method: 'GET', url })).status).toBe(404);
    expect((await stranger.call(getStory, { params: { creatorId, storyId: 'private' } })).status).toBe(404);
    expect((await anna.send({ method: 'GET', url: storyPicturePath(creatorId, 'none') })).status).toBe(404);
  });

  test('tells the word that its text asks for', async () => {
    await story('asks', { caption: 'Lemon sauce! Reply "LEMON" and I’ll send it.' });
    await story('asks nothing', { caption: 'A quiet Sunday' });
    const { body } = await anna.call(listStories, { params: { creatorId } });
    await app.db.engine.deleteFrom('stories').where('id', 'like', 'asks%').execute();
    const asked = new Map(body.items.map(({ id, asksFor }: { id: string; asksFor: string | null }) => [id, asksFor]));
    expect([asked.get('asks'), asked.get('asks nothing')]).toEqual(['LEMON', null]);
  });

  test('shows where every reply went, apart from comments of posts, and adds up', async () => {
    await story('sauce');
    const automation_id = await followers.automation(anna, account, replies('sauce'));
    const [clicked] = await replyAsFollower('sauce', automation_id);
    await followers.open(account, clicked!);
    await followers.tap(clicked!.deliveryId);
    await remove(automation_id);
    const matched = { automation_id };
    await reply('sauce', { outcome: 'replied', reason: 'sent', ...matched });
    await reply('sauce', { outcome: 'waiting', reason: 'queued', ...matched });
    await reply('sauce', { outcome: 'failed', reason: 'person_unavailable', ...matched });
    await reply('sauce', { outcome: 'missed', reason: 'disconnected', ...matched });
    await reply('sauce');
    await insertInteraction(app.db, creatorId, connectionId, { post_id: 'some-post' });
    const figures = {
      replies: 6,
      matched: 5,
      sent: 2,
      waiting: 1,
      failed: 1,
      missed: 1,
      noKeyword: 1,
      notSent: 0,
      own: 0,
      opened: 1,
      clicked: 1,
      addresses: 0,
    };
    expect((await read('sauce')).figures).toEqual(figures);
    await rollUpCounts(app.db);
    expect((await read('sauce')).figures).toEqual(figures);
    // A day's figures are those of comments.
    const { rows } = await app.db.enginePool.query(
      `select sum(count)::int as comments from outcome_counts where counted_by = 'day' and creator_id = $1`,
      [creatorId],
    );
    expect(rows[0].comments).toBe(1);
  });

  test('counts what happens later in a conversation for the reply that began it, once', async () => {
    await story('talk');
    const emailAsk = { text: 'Your email?', consent: 'You get my letter.' };
    const automationId = await followers.automation(anna, account, { ...replies('talk'), emailAsk });
    const [began] = await replyAsFollower('talk', automationId);
    const { control } = followers.simulator;
    const chat = { accountId: account.instagramAccountId, personId: began!.followerId };
    await control.directMessage({ ...chat, text: 'mia@example.test' });
    await followers.work();
    const { status } = await anna.call(resend, { params: { creatorId, interactionId: began!.interactionId } });
    expect(status).toBe(200);
    await followers.work();
    const messages = await messagesOf(automationId);
    expect(messages).toHaveLength(3);
    for (const { deliveryId } of messages.slice(1)) await followers.tap(deliveryId);
    await remove(automationId);
    expect((await read('talk')).figures).toMatchObject({ replies: 1, sent: 1, clicked: 1, addresses: 1 });
  });

  test('its replies show its picture in the activity', async () => {
    await reply('private');
    const { body } = await anna.call(listInteractions, { params: { creatorId }, query: { postId: 'private' } });
    expect(body.items[0].postPictureUrl).toBe(storyPicturePath(creatorId, 'private'));
  });

  test('lists come newest first, page by page, running or over', async () => {
    await story('old', { posted_at: new Date(Date.now() - 3 * DAY_MS), ended_at: new Date(Date.now() - 2 * DAY_MS) });
    const first = await anna.call(listStories, { params: { creatorId }, query: { limit: 2 } });
    const second = await anna.call(listStories, { params: { creatorId }, query: { limit: 2, after: first.body.next } });
    expect([...first.body.items, ...second.body.items].map(({ id }: { id: string }) => id)).toEqual([
      'talk',
      'sauce',
      'private',
      'old',
    ]);
    const over = await anna.call(listStories, { params: { creatorId }, query: { state: 'over' } });
    expect(over.body.items).toMatchObject([{ id: 'old', takenDown: false }]);
  });

  test('looking without an account that can be asked says what to do', async () => {
    const bea = await app.signUpAndIn();
    const other = (await bea.createCreator()).id;
    expect((await bea.call(readStories, { params: { creatorId: other } })).body).toMatchObject({
      code: 'not_connected',
    });
    expect((await anna.call(readStories, { params: { creatorId } })).body).toMatchObject({ code: 'needs_reconnect' });
  });
});

describe('a link on a story', () => {
  const link = { title: 'Get it', url: 'https://example.test/sauce' };

  test('is the automation that answers replies to it, from either side', async () => {
    const body = { storyId: 'sauce', words: ['SAUCE'], ...link };
    const { body: made, status } = await anna.call(createStoryLink, { params: { creatorId }, body });
    expect([status, made]).toMatchObject([200, { ...body, on: true, sent: 0, clicked: 0 }]);
    expect(await read('sauce')).toMatchObject({ automation: 'on', automationWords: ['SAUCE'] });
    const params = { creatorId, automationId: made.id };
    expect((await anna.call(getAutomation, { params })).body).toMatchObject({
      trigger: 'story_reply',
      scope: 'one',
      postId: 'sauce',
      words: ['SAUCE'],
    });
    const listed = await anna.call(listAutomations, { params: { creatorId }, query: { postId: 'sauce' } });
    expect(listed.body.items).toHaveLength(1);

    const linkParams = { creatorId, storyLinkId: made.id };
    const changed = await anna.call(changeStoryLink, {
      params: linkParams,
      body: { words: [], title: 'Here', on: false },
    });
    expect(changed.body).toMatchObject({ words: [], title: 'Here', url: link.url, on: false });
    expect(await read('sauce')).toMatchObject({ automation: 'off', automationWords: [] });
    expect((await anna.call(deleteStoryLink, { params: linkParams })).status).toBe(200);
    expect((await anna.call(deleteStoryLink, { params: linkParams })).status).toBe(404);
    expect((await anna.call(listStoryLinks, { params: { creatorId } })).body.items).toEqual([]);
  });

  test('is refused on a story that is over, on a stranger’s, and with a bad address', async () => {
    const put = (body: object) =>
      anna.call(createStoryLink, { params: { creatorId }, body: { storyId: 'sauce', ...link, ...body } });
    expect((await put({ storyId: 'old' })).body).toMatchObject({ code: 'not_possible_now' });
    expect((await put({ storyId: 'nobodys' })).body).toMatchObject({ code: 'not_found' });
    expect((await put({ url: 'javascript:alert(1)' })).body).toMatchObject({ code: 'invalid_input' });
    const automation = await anna.call(createAutomation, { params: { creatorId }, body: replies('sauce', []) });
    const params = { creatorId, storyLinkId: automation.body.id };
    expect((await anna.call(changeStoryLink, { params, body: { on: true } })).status).toBe(404);
  });
});

test('an automation for any story answers on those of its account', async () => {
  const made = await anna.call(createStoryLink, {
    params: { creatorId },
    body: { storyId: 'talk', words: ['X'], title: 'T', url: 'https://example.test' },
  });
  expect(made.status).toBe(200);
  expect((await read('private')).automation).toBe('none');
  const any = await anna.call(createAutomation, { params: { creatorId }, body: replies(null) });
  await app.db.engine
    .updateTable('automations')
    .set({ switched_on_at: new Date() })
    .where('id', '=', any.body.id)
    .execute();
  expect(await read('private')).toMatchObject({ automation: 'on', automationWords: ['SAUCE'] });
  expect(await read('talk')).toMatchObject({ automation: 'on', automationWords: ['X', 'SAUCE'] });
});

test('mentions are listed with what was sent', async () => {
  const automationId = await followers.automation(anna, account, {
    ...replies(null, []),
    ...{ trigger: 'story_mention', mode: 'any_comment', words: [], messageText: 'Thank you!' },
  });
  const { control } = followers.simulator;
  const { personId, igsid } = account.followers[1]!;
  for (let mentions = 0; mentions < 2; mentions++) {
    await followers.advance(1000);
    await control.storyMention({ accountId: account.instagramAccountId, personId });
    await followers.work();
  }
  await app.db.engine.updateTable('people').set({ username: 'ole.bakes' }).where('id', '=', igsid).execute();
  const { body } = await anna.call(listStoryMentions, { params: { creatorId } });
  expect(body.automations).toMatchObject([{ id: automationId, trigger: 'story_mention' }]);
  expect(body.items).toMatchObject([
    { reason: 'thanked_lately', sentText: null },
    { reason: 'thanked', sentText: 'Thank you!', username: 'ole.bakes' },
  ]);
});

describe('analytics', () => {
  test('sum by day, beside the time before, with the median of those that are over', async () => {
    const bea = await app.signUpAndIn();
    const other = (await bea.createCreator()).id;
    const connection = await insertConnection(app.db, other);
    const now = app.clock.now().getTime();
    const put = async (id: string, daysAgo: number, sent: number) => {
      const posted = new Date(now - daysAgo * DAY_MS);
      await insertStory(app.db, other, connection, { id, posted_at: posted, ended_at: posted });
      for (let n = 0; n < sent; n++) {
        await insertInteraction(app.db, other, connection, {
          kind: 'story_reply',
          post_id: id,
          outcome: 'replied',
          reason: 'sent',
        });
      }
    };
    const ask = async (days: number) =>
      (await bea.call(getStoryAnalytics, { params: { creatorId: other }, query: { days } })).body;
    expect(await ask(7)).toMatchObject({
      total: { stories: 0, replies: 0 },
      median: { story: null, live: null },
      items: [],
    });
    await put('today', 0, 3);
    await put('yesterday', 1, 1);
    await put('before', 8, 2);
    const week = await ask(7);
    expect(week.trend).toHaveLength(7);
    expect(week.trend.at(-1)).toMatchObject({ stories: 1, replies: 3, sent: 3 });
    expect(week.trend.at(-2)).toMatchObject({ stories: 1, replies: 1 });
    expect(week.total).toMatchObject({ stories: 2, replies: 4, sent: 4 });
    expect(week.before).toMatchObject({ stories: 1, replies: 2 });
    expect(week.median).toEqual({ story: { replies: 2, sent: 2, clicked: 0 }, live: null });
    expect(week.items.map(({ id }: { id: string }) => id)).toEqual(['today', 'yesterday']);
    expect((await bea.call(getStoryAnalytics, { params: { creatorId: other }, query: { days: 5 } })).status).toBe(422);
  });

  test.each([
    [[3], 3],
    [[1, 9], 5],
    [[10, 2, 9], 9],
  ])('the median of %j is %d', (numbers, expected) => {
    expect(median(numbers)).toBe(expected);
  });
});

function replies(postId: string | null, buttons = [{ title: 'Open', url: 'https://example.test/' }]) {
  return automationInput(connectionId, {
    name: '',
    trigger: 'story_reply' as const,
    postId,
    words: ['SAUCE'],
    buttons,
  });
}
