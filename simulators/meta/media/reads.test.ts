import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SeededCreator } from '../control-client.ts';
import { type MetaSimulator, startMetaSimulator } from '../simulator.ts';
import { errorKey, graphCaller } from '../testing/graph-caller.ts';

const DAY = 86_400_000;

let simulator: MetaSimulator;
let creator: SeededCreator;
let instagram: ReturnType<typeof graphCaller>;
let page: ReturnType<typeof graphCaller>;

beforeAll(async () => {
  simulator = await startMetaSimulator({ clock: '2026-06-01T12:00:00Z' });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  creator = await simulator.control.seedCreator({ posts: 5 });
  instagram = graphCaller(simulator, 'instagram', creator.tokens.instagram.token);
  page = graphCaller(simulator, 'facebook', creator.tokens.page.token);
});

const comment = (text: string, more: { parentId?: string; mediaId?: string; notify?: boolean } = {}) =>
  simulator.control.comment({
    mediaId: creator.posts[0]!.mediaId,
    personId: creator.followers[0]!.personId,
    text,
    ...more,
  });

describe('media', () => {
  it('come newest first, page by page, also by the address in paging.next', async () => {
    const first = await instagram.get('/me/media?fields=id,caption&limit=2');
    const next = new URL(first.body.paging.next);
    const rest = (await (await fetch(next)).json()) as {
      data: { id: string }[];
      paging: { cursors: { after: string } };
    };
    const third = await instagram.get(`/me/media?fields=id&limit=2&after=${rest.paging.cursors.after}`);
    const ids = [...first.body.data, ...rest.data, ...third.body.data].map((media: { id: string }) => media.id);
    expect(ids).toEqual(creator.posts.map((post) => post.mediaId).reverse());
    expect(third.body.paging.next).toBeUndefined();
  });

  it('leave out stories and lives, which have lists of their own and an end', async () => {
    const story = await simulator.control.seedPost({ accountId: creator.instagramAccountId, product: 'STORY' });
    const live = await simulator.control.seedPost({ accountId: creator.instagramAccountId, product: 'LIVE' });
    expect((await instagram.get('/me/media')).body.data).toHaveLength(5);
    expect((await instagram.get('/me/stories')).body.data).toEqual([{ id: story.mediaId }]);
    expect((await instagram.get('/me/live_media')).body.data).toEqual([{ id: live.mediaId }]);
    await simulator.control.endLive(live.mediaId);
    await simulator.control.advance(DAY);
    expect((await instagram.get('/me/stories')).body.data).toEqual([]);
    expect((await instagram.get('/me/live_media')).body.data).toEqual([]);
    expect(errorKey(await instagram.get(`/${story.mediaId}`))).toBe('100/33');
  });

  it('that are stories have addresses that die with them, after a day or when they are deleted', async () => {
    const story = (await simulator.control.seedPost({ accountId: creator.instagramAccountId, product: 'STORY' }))
      .mediaId;
    const deleted = (await simulator.control.seedPost({ accountId: creator.instagramAccountId, product: 'STORY' }))
      .mediaId;
    const address = async (id: string) => (await instagram.get(`/${id}?fields=media_url`)).body.media_url;
    const addresses = [await address(story), await address(deleted)];
    const statuses = async () => (await Promise.all(addresses.map((url) => fetch(url)))).map(({ status }) => status);
    expect(await statuses()).toEqual([200, 200]);
    await simulator.control.deletePost(deleted);
    expect(await statuses()).toEqual([200, 404]);
    await simulator.control.advance(DAY);
    expect(await statuses()).toEqual([404, 404]);
  });
  it('refuse unknown fields, unknown cursors and gone metrics', async () => {
    expect(errorKey(await instagram.get('/me/media?fields=id,colour'))).toBe('100');
    expect(errorKey(await instagram.get('/me/media?after=nonsense'))).toBe('100');
    const { mediaId } = creator.posts[0]!;
    expect(errorKey(await instagram.get(`/${mediaId}/insights?metric=impressions`))).toBe('100');
    expect((await instagram.get(`/${mediaId}/insights?metric=views,reach`)).body.data).toHaveLength(2);
  });

  it('of another account are not there', async () => {
    const other = await simulator.control.seedCreator();
    expect(errorKey(await instagram.get(`/${other.posts[0]!.mediaId}`))).toBe('100/33');
    expect(errorKey(await instagram.get(`/${other.instagramAccountId}/media`))).toBe('100/33');
  });
});

describe('comments', () => {
  it('are listed newest first with expanded replies, silent ones too, deleted ones not', async () => {
    const first = await comment('first');
    await comment('silent', { notify: false });
    await comment('reply', { parentId: first.commentId });
    await simulator.control.deleteComment((await comment('gone')).commentId);
    const { body } = await instagram.get(
      `/${creator.posts[0]!.mediaId}/comments?fields=id,text,username,from,replies{text,from}`,
    );
    expect(body.data.map((one: { text: string }) => one.text)).toEqual(['silent', 'first']);
    expect(body.data[1].replies.data[0].text).toBe('reply');
    expect(body.data[1].from).toEqual({ id: creator.followers[0]!.igsid, username: creator.followers[0]!.username });
  });

  it('never come more than fifty at a time', async () => {
    await simulator.control.commentMany(
      Array.from({ length: 51 }, () => ({
        mediaId: creator.posts[0]!.mediaId,
        personId: creator.followers[0]!.personId,
        text: 'x',
      })),
    );
    expect((await instagram.get(`/${creator.posts[0]!.mediaId}/comments?limit=100`)).body.data).toHaveLength(50);
  });

  it('can be answered in public at top level, once more and hidden only in the ways Meta allows', async () => {
    const { commentId } = await comment('RECIPE');
    const answered = await instagram.post(`/${commentId}/replies`, { message: 'Sent!' });
    expect(answered.body.id).toMatch(/^\d+$/);
    expect(errorKey(await instagram.post(`/${answered.body.id}/replies`, { message: 'deeper' }))).toBe('100');
    expect(errorKey(await instagram.post(`/${commentId}/replies`, {}))).toBe('100');
    expect(errorKey(await instagram.post(`/${commentId}`, {}))).toBe('100');
    expect((await instagram.post(`/${commentId}?hide=true`)).body).toEqual({ success: true });
    expect((await instagram.post(`/${commentId}`, { hide: true })).body).toEqual({ success: true });
    expect(errorKey(await instagram.post(`/${commentId}/replies`, { message: 'hidden' }))).toBe('100');
    expect((await instagram.delete(`/${commentId}`)).body).toEqual({ success: true });
    expect(errorKey(await instagram.get(`/${commentId}`))).toBe('100/33');
  });

  it('of a Page are read, answered and checked for private replies on their own paths', async () => {
    const { commentId } = await comment('LINK', { mediaId: creator.pagePosts[0]!.mediaId });
    const fields = 'id,message,from,can_reply_privately';
    expect(
      (await page.get(`/${creator.pagePosts[0]!.mediaId}/comments?fields=${fields}&filter=stream`)).body.data,
    ).toMatchObject([{ message: 'LINK', can_reply_privately: true }]);
    expect((await page.post(`/${commentId}/comments`, { message: 'Sent!' })).status).toBe(200);
    await page.privateReply(commentId);
    expect((await page.get(`/${commentId}?fields=${fields}`)).body.can_reply_privately).toBe(false);
  });
});

it('reads conversations twice a second and no more', async () => {
  const follower = creator.followers[0]!;
  await simulator.control.directMessage({
    accountId: creator.instagramAccountId,
    personId: follower.personId,
    text: 'hi',
  });
  const path = `/me/conversations?platform=instagram&user_id=${follower.igsid}&fields=id,messages{message,from}`;
  expect((await instagram.get(path)).body.data[0].messages.data[0]).toMatchObject({
    message: 'hi',
    from: { id: follower.igsid },
  });
  await instagram.get(path);
  expect(errorKey(await instagram.get(path))).toBe('613/2534040');
});

it('refuses calls of an account that is used up, with the wait in the header', async () => {
  await simulator.control.updateSettings({
    usage: [{ accountId: creator.instagramAccountId, type: 'instagram', percent: 100, regainMinutes: 12 }],
  });
  const answer = await instagram.get('/me/media');
  expect(errorKey(answer)).toBe('80002');
  expect(answer.headers.get('x-business-use-case-usage')).toContain('"estimated_time_to_regain_access":12');
  await simulator.control.updateSettings({ usage: [] });
});

it('notes calls that it cannot answer', async () => {
  await instagram.get('/me/nonsense');
  expect(await simulator.control.unimplemented()).toMatchObject([{ method: 'GET', count: 1 }]);
});

it('streams changes to the phone', async () => {
  const stop = new AbortController();
  const changes = simulator.control.stream(stop.signal);
  const next = changes.next();
  // The stream must be open before the comment: a first event proves it.
  const pump = (async () => {
    for (let attempt = 0; attempt < 50; attempt += 1) await comment(`hello ${attempt}`);
  })();
  expect((await next).value).toMatchObject({ type: 'comment' });
  await pump;
  stop.abort();
});
