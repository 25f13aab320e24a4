/**
 * Meta's own JavaScript SDK against the simulator, for the calls that the product makes. It is here for its requests (lists as JSON, bodies
 * as JSON, a `next` that is followed) and is shipped to nobody: its license allows use with Meta's services.
 */
import { Comment, FacebookAdsApi, IGComment, IGMedia, IGUser, Page, User } from 'facebook-nodejs-business-sdk';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { SeededCreator } from '../control-client.ts';
import { type MetaSimulator, startMetaSimulator } from '../simulator.ts';

let simulator: MetaSimulator;
let creator: SeededCreator;
let api: FacebookAdsApi;
beforeAll(async () => {
  simulator = await startMetaSimulator({ clock: '2026-06-01T12:00:00Z' });
  creator = await simulator.control.seedCreator();
  vi.spyOn(FacebookAdsApi, 'GRAPH', 'get').mockReturnValue(simulator.baseUrls.META_GRAPH_URL);
  // Its requests heed the proxy of the environment.
  vi.stubEnv('NO_PROXY', '*');
  // Without its reporter, which sends crashes to Meta.
  api = new FacebookAdsApi(creator.tokens.page.token, 'en_US', false);
});
afterAll(() => simulator.close());

type Node<T> = new (id: string, data: object, parent: undefined, api: FacebookAdsApi) => T;
const at = <T>(kind: Node<T>, id: string): T => new kind(id, {}, undefined, api);
const account = () => at(IGUser, creator.instagramAccountId);
const page = () => at(Page, creator.pageId);
const post = () => at(IGMedia, creator.posts[0]!.mediaId);
const refusal = (code: number) => expect.objectContaining({ response: expect.objectContaining({ code }) });

async function comment(): Promise<IGComment> {
  const { commentId } = await simulator.control.comment({
    mediaId: creator.posts[0]!.mediaId,
    personId: creator.followers[0]!.personId,
    text: 'RECIPE',
  });
  return at(IGComment, commentId);
}

it('lists posts, page after page', async () => {
  const list = await account().getMedia(['id', 'caption'], { limit: 1 });
  const found = [...list];
  while (list.hasNext()) found.push(...(await list.next()));
  const ids = creator.posts.map(({ mediaId }) => mediaId);
  expect(found.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect((await post().get(['caption', 'media_type']))._data).toHaveProperty('media_type');
});

it('lists stories', async () => {
  const { mediaId } = await simulator.control.seedPost({ accountId: creator.instagramAccountId, product: 'STORY' });
  const stories = await account().getStories(['id', 'media_product_type']);
  expect(stories.map(({ _data }) => _data)).toMatchObject([{ id: mediaId, media_product_type: 'STORY' }]);
  expect([...(await account().getLiveMedia(['id']))]).toEqual([]);
});

it('reads figures whose names stand in a list, and hears why there are none', async () => {
  const figures = await post().getInsights([], { metric: ['views', 'reach'] });
  expect(figures.map(({ name }) => name)).toEqual(['views', 'reach']);
  await expect(post().getInsights([], { metric: ['plays'] })).rejects.toEqual(refusal(100));
  await expect(post().getInsights([], { metric: [] })).rejects.toEqual(refusal(100));
  const { mediaId } = await simulator.control.seedPost({
    accountId: creator.instagramAccountId,
    product: 'STORY',
    views: 4,
  });
  await expect(at(IGMedia, mediaId).getInsights([], { metric: ['views'] })).rejects.toEqual(refusal(10));
});

it('reads comments, replies below one and deletes it', async () => {
  const asked = await comment();
  const comments = await post().getComments(['id', 'text', 'from', 'replies.limit(50){id,text}']);
  expect(comments.map(({ _data }) => _data)).toContainEqual(
    expect.objectContaining({
      id: asked.id,
      text: 'RECIPE',
      from: expect.objectContaining({ id: expect.any(String) }),
    }),
  );
  const reply = await asked.createReply([], { message: 'Sent!' });
  const replies = await asked.getReplies(['id', 'text']);
  expect(replies.map(({ _data }) => _data)).toEqual([{ id: reply.id, text: 'Sent!' }]);
  expect(await asked.delete([])).toEqual({ success: true });
  await expect(asked.get(['text'])).rejects.toEqual(refusal(100));
});

it('hides a comment and shows it again', async () => {
  const asked = await comment();
  for (const hide of [true, false]) {
    expect(await asked.update([], { hide })).toEqual({ success: true });
    expect(await asked.get(['hidden'])).toHaveProperty('hidden', hide);
  }
  await expect(asked.update([])).rejects.toEqual(refusal(100));
});

it('replies privately, once, and finds the message in the conversation', async () => {
  const reply = { recipient: { comment_id: (await comment()).id }, message: { text: 'Here you are' } };
  const { message_id, recipient_id } = (await page().createMessage([], reply))._data;
  await expect(page().createMessage([], reply)).rejects.toEqual(refusal(100));
  const threads = await page().getConversations(['id', 'messages.limit(20){id,message}'], {
    platform: 'instagram',
    user_id: recipient_id,
  });
  expect(threads.map(({ messages }) => messages.data)).toEqual([[{ id: message_id, message: 'Here you are' }]]);
});

it('subscribes a Page, reads what to, and ends it', async () => {
  const fields = ['feed', 'messages'];
  expect((await page().createSubscribedApp([], { subscribed_fields: fields }))._data).toEqual({ success: true });
  const [app] = await page().getSubscribedApps([]);
  expect(app).toHaveProperty('subscribed_fields', fields);
  expect(await page().deleteSubscribedApps()).toEqual({ success: true });
  expect([...(await page().getSubscribedApps([]))]).toEqual([]);
});

it('finds the Pages of a person, and answers on one of them', async () => {
  const person = new FacebookAdsApi(creator.tokens.facebookUser.token, 'en_US', false);
  const pages = await new User('me', {}, undefined, person).getAccounts(['id', 'access_token']);
  expect(pages.map(({ id }) => id)).toEqual([creator.pageId]);
  const { mediaId } = creator.pagePosts[0]!;
  expect((await page().getPosts(['id', 'message'])).map(({ id }) => id)).toContain(mediaId);
  const { personId } = creator.followers[0]!;
  const { commentId } = await simulator.control.comment({ mediaId, personId, text: 'RECIPE' });
  const { id } = await at(Comment, commentId).createComment([], { message: 'Sent!' });
  const replies = await at(Comment, commentId).getComments(['id', 'message']);
  expect(replies.map(({ _data }) => _data)).toEqual([{ id, message: 'Sent!' }]);
});
