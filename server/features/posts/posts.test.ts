import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAutomation, switchAutomation } from '#contract/automations.ts';
import { normaliseText } from '#contract/matching/index.ts';
import { getPost, listPosts, syncPosts } from '#contract/posts.ts';
import { rollUpCounts } from '#server/engine/outcomes/counts.ts';
import { createFollowers, type Followers } from '#server/testing/followers.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection, insertInteraction, insertPost } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;
let followers: Followers;

beforeAll(async () => {
  app = await createTestApp();
  followers = await createFollowers(app);
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  connectionId = await insertConnection(app.db, creatorId);
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});

async function post(id: string, over: { caption?: string; daysAgo?: number; product_type?: string } = {}) {
  const { daysAgo = 0, ...columns } = over;
  await insertPost(app.db, creatorId, connectionId, {
    id,
    posted_at: new Date(Date.UTC(2026, 10, 20) - daysAgo * 86_400_000),
    caption_key: normaliseText(over.caption ?? '').key,
    ...columns,
  });
}

const ids = (answer: { body: { items: { id: string }[] } }) => answer.body.items.map((item) => item.id);

describe('the list of posts', () => {
  test('is for members only', async () => {
    expect((await app.visitor().call(listPosts, { params: { creatorId } })).status).toBe(401);
    const stranger = await app.signUpAndIn();
    expect((await stranger.call(listPosts, { params: { creatorId } })).status).toBe(404);
    expect((await stranger.call(getPost, { params: { creatorId, postId: 'a' } })).status).toBe(404);
  });

  test('comes newest first, page by page, without losing one of the same second', async () => {
    for (const id of ['a', 'b', 'c']) await post(id, { daysAgo: 10, caption: `Soup ${id}` });
    await post('newest', { caption: 'Crème brûlée 🍮 for Sunday', product_type: 'REELS' });
    await post('oldest', { daysAgo: 99, caption: '50% less sugar' });
    const first = await anna.call(listPosts, { params: { creatorId }, query: { limit: 2 } });
    expect(first.body.total).toBe(5);
    expect(ids(first)).toEqual(['newest', 'c']);
    const second = await anna.call(listPosts, { params: { creatorId }, query: { limit: 2, after: first.body.next } });
    expect(ids(second)).toEqual(['b', 'a']);
    const third = await anna.call(listPosts, { params: { creatorId }, query: { limit: 2, after: second.body.next } });
    expect(ids(third)).toEqual(['oldest']);
    expect(third.body.next).toBeNull();
  });

  test.each(['nonsense', 'WyIyMDI2IiwiYSJd', 'bnVsbA'])('refuses to go on from %s', async (after) => {
    expect((await anna.call(listPosts, { params: { creatorId }, query: { after } })).status).toBe(422);
  });

  test('is searched without accents, in any order, and literally', async () => {
    const search = async (text: string) =>
      ids(await anna.call(listPosts, { params: { creatorId }, query: { search: text } }));
    expect(await search('brulee CREME')).toEqual(['newest']);
    expect(await search('🍮')).toEqual(['newest']);
    expect(await search('soup')).toEqual(['c', 'b', 'a']);
    expect(await search('50% sugar')).toEqual(['oldest']);
    expect(await search("x' or 1=1 --")).toEqual([]);
    expect(await search('sunday soup')).toEqual([]);
  });

  test('is filtered by kind and by what its automations do', async () => {
    const make = async (postId: string | null, word: string, on: boolean) => {
      const made = await anna.call(createAutomation, {
        params: { creatorId },
        body: automationInput(connectionId, { name: '', postId, words: [word], buttons: [] }),
      });
      if (on) {
        const params = { creatorId, automationId: made.body.id };
        expect((await anna.call(switchAutomation, { params, body: { on } })).status).toBe(200);
      }
      return made.body.id as string;
    };
    await make('a', 'SOUP', true);
    await make('b', 'BROTH', false);
    const of = (automation: 'on' | 'off' | 'none') =>
      anna.call(listPosts, { params: { creatorId }, query: { automation } });
    expect(ids(await of('on'))).toEqual(['a']);
    expect(ids(await of('off'))).toEqual(['b']);
    expect(ids(await of('none'))).toEqual(['newest', 'c', 'oldest']);
    expect((await of('on')).body.items[0].automationWords).toEqual(['SOUP']);
    expect((await of('off')).body.items[0].automationWords).toEqual(['BROTH']);
    expect(ids(await anna.call(listPosts, { params: { creatorId }, query: { kind: 'reel' } }))).toEqual(['newest']);

    await make(null, 'RECIPE', true);
    expect(ids(await of('none'))).toEqual([]);
    const all = await anna.call(listPosts, { params: { creatorId } });
    const words = Object.fromEntries(
      all.body.items.map((item: { id: string; automationWords: string[] }) => [item.id, item.automationWords]),
    );
    expect(words).toEqual({
      newest: ['RECIPE'],
      c: ['RECIPE'],
      oldest: ['RECIPE'],
      b: ['RECIPE'],
      a: ['SOUP', 'RECIPE'],
    });
  });
});

describe('captions that ask for a word', () => {
  test('are found by what they ask for while nothing replies there', async () => {
    const bella = await app.signUpAndIn();
    const params = { creatorId: (await bella.createCreator()).id };
    const connection = await insertConnection(app.db, params.creatorId);
    const up = (id: string, over: object) => insertPost(app.db, params.creatorId, connection, { id, ...over });
    await up('curry', { caption: 'Comment CURRY', asked_word: 'CURRY' });
    await up('soup', { caption: 'Comment SOUP', asked_word: 'SOUP' });
    await up('deleted', { caption: 'Comment CAKE', asked_word: 'CAKE', gone_at: new Date() });
    await up('quiet', { caption: 'A quiet Sunday' });
    const made = await bella.call(createAutomation, {
      params,
      body: automationInput(connection, { postId: 'soup', words: ['SOUP'], buttons: [] }),
    });
    await bella.call(switchAutomation, { params: { ...params, automationId: made.body.id }, body: { on: true } });
    const asking = await bella.call(listPosts, { params, query: { automation: 'asks' } });
    expect(asking.body).toMatchObject({ total: 1, items: [{ id: 'curry', asksFor: 'CURRY', automation: 'none' }] });
    const all = await bella.call(listPosts, { params });
    expect(all.body.items.find(({ id }: { id: string }) => id === 'quiet').asksFor).toBeNull();
  });
});

test('posts come by comments, the most first, page by page', async () => {
  const bella = await app.signUpAndIn();
  const params = { creatorId: (await bella.createCreator()).id };
  const connection = await insertConnection(app.db, params.creatorId);
  for (const [id, comments_count] of Object.entries({ few: 3, most: 1200, b: 40, a: 40, unknown: null, ours: 2 })) {
    await insertPost(app.db, params.creatorId, connection, { id, comments_count });
  }
  await insertInteraction(app.db, params.creatorId, connection, { post_id: 'ours' });
  await insertInteraction(app.db, params.creatorId, connection, { post_id: 'few', reason: 'own_comment' });
  const seen: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const query = { sort: 'comments' as const, limit: 2, ...(after !== undefined && { after }) };
    const page = await bella.call(listPosts, { params, query });
    seen.push(...ids(page));
    after = page.body.next;
  }
  expect(seen).toEqual(['ours', 'most', 'b', 'a', 'few', 'unknown']);
  const { next } = (await bella.call(listPosts, { params, query: { limit: 1 } })).body;
  expect((await bella.call(listPosts, { params, query: { sort: 'comments', after: next } })).status).toBe(422);
});

describe('the reconciliation of a post', () => {
  test('adds up, before and after its counts are rolled up, and follows every change', async () => {
    const account = await followers.connect(creatorId);
    const postId = account.posts[0]!.mediaId;
    await insertPost(app.db, creatorId, account.connectionId, {
      id: postId,
      caption: 'Comment PASTA',
      comments_count: 40,
    });
    const comments = async (many: number, over: object) => {
      const made: string[] = [];
      for (let n = 0; n < many; n++) {
        made.push(await insertInteraction(app.db, creatorId, account.connectionId, { post_id: postId, ...over }));
      }
      return made;
    };
    const until = new Date(Date.now() + 600_000);
    const automation_id = await followers.automation(anna, account, { postId });
    const [opened, clicked] = [await followers.ask(account), await followers.ask(account)];
    for (const one of [opened, clicked]) await followers.open(account, one);
    await followers.tap(clicked.deliveryId);
    await comments(3, { outcome: 'replied', reason: 'sent', automation_id });
    const waiting = await comments(3, {
      outcome: 'waiting',
      reason: 'rate_limited',
      waiting_until: until,
      automation_id,
    });
    await comments(2, { outcome: 'failed', reason: 'person_unavailable', automation_id });
    await comments(1, { outcome: 'failed', reason: 'gave_up', automation_id });
    await comments(1, { outcome: 'expired', reason: 'deadline_passed', automation_id });
    await comments(1, { outcome: 'missed', reason: 'too_old', automation_id });
    await comments(4, {});
    await comments(2, { reason: 'own_comment' });
    await comments(1, { reason: 'already_answered', automation_id });
    await comments(1, { kind: 'direct_message', reason: 'direct_message' });

    const read = async () => (await anna.call(getPost, { params: { creatorId, postId } })).body;
    const before = await read();
    expect(before.reconciliation).toEqual({
      instagramCounts: 40,
      countedAt: expect.any(String),
      comments: 18,
      found: 0,
      hidden: null,
      earlier: 20,
      deleted: 0,
      since: 0,
      matched: 14,
      sent: 5,
      waiting: 3,
      waitingUntil: until.toISOString(),
      failed: 3,
      expired: 1,
      missed: 1,
      noKeyword: 4,
      notSent: 1,
      own: 2,
      failures: [
        { reason: 'person_unavailable', says: expect.stringContaining('blocked'), count: 2 },
        { reason: 'deadline_passed', says: expect.any(String), count: 1 },
        { reason: 'gave_up', says: expect.any(String), count: 1 },
        { reason: 'too_old', says: expect.any(String), count: 1 },
      ],
      opened: 2,
      clicked: 1,
    });
    expect(before.suggestedWords).toEqual(['PASTA']);
    expect(before).toMatchObject({ instagramCounts: 40, comments: 18, matched: 14, sent: 5, waiting: 3, failed: 4 });

    expect(await rollUpCounts(app.db)).toBeGreaterThan(0);
    expect(await read()).toEqual(before);

    await app.db.engine
      .updateTable('interactions')
      .set({ outcome: 'replied', reason: 'sent', waiting_until: null })
      .where('id', 'in', waiting)
      .execute();
    await Promise.all([rollUpCounts(app.db), rollUpCounts(app.db)]);
    expect((await read()).reconciliation).toMatchObject({
      comments: 18,
      matched: 14,
      sent: 8,
      waiting: 0,
      waitingUntil: null,
    });

    await app.db.engine.deleteFrom('interactions').where('reason', '=', 'own_comment').execute();
    expect((await read()).reconciliation).toMatchObject({ comments: 18, own: 0 });
  });

  test('a creator can be removed with everything counted', async () => {
    const bea = await app.signUpAndIn();
    const other = (await bea.createCreator()).id;
    const connection = await insertConnection(app.db, other);
    await insertInteraction(app.db, other, connection, { post_id: 'p' });
    await app.db.engine.deleteFrom('creators').where('id', '=', other).execute();
    await rollUpCounts(app.db);
    const left = await app.db.engine
      .selectFrom('outcome_counts')
      .select('count')
      .where('creator_id', '=', other)
      .execute();
    expect(left).toEqual([]);
  });
});

test('fetching posts without a connected account says what to do', async () => {
  const bea = await app.signUpAndIn();
  const other = (await bea.createCreator()).id;
  expect((await bea.call(syncPosts, { params: { creatorId: other } })).body).toMatchObject({ code: 'not_connected' });
  // The test's accounts have no token.
  expect((await anna.call(syncPosts, { params: { creatorId } })).body).toMatchObject({ code: 'needs_reconnect' });
});
