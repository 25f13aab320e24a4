/**
 * What Meta's own JavaScript SDK (facebook-nodejs-business-sdk 24.0.1) puts on the wire for the calls that the product makes: the token
 * in the query, lists as JSON, bodies as JSON. The SDK itself may be used with Meta's services only, so it is no dependency here.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SeededCreator } from '../control-client.ts';
import { type MetaSimulator, startMetaSimulator } from '../simulator.ts';

let simulator: MetaSimulator;
let creator: SeededCreator;
beforeAll(async () => {
  simulator = await startMetaSimulator({ clock: '2026-06-01T12:00:00Z' });
  creator = await simulator.control.seedCreator();
});
afterAll(() => simulator.close());

async function call(method: 'GET' | 'POST' | 'DELETE', path: string, params: object = {}) {
  const inQuery = { ...(method !== 'POST' && params), access_token: creator.tokens.page.token };
  const query = Object.entries(inQuery).map(
    ([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  const response = await fetch(`${simulator.baseUrls.META_GRAPH_URL}/v24.0/${path}?${query.join('&')}`, {
    method,
    ...(method === 'POST' && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(params) }),
  });
  return response.json();
}

const comment = () =>
  simulator.control.comment({
    mediaId: creator.posts[0]!.mediaId,
    personId: creator.followers[0]!.personId,
    text: 'RECIPE',
  });

it('hides a comment by a value in the body', async () => {
  const { commentId } = await comment();
  expect(await call('POST', commentId, { hide: true })).toEqual({ success: true });
  expect(await call('GET', commentId, { fields: 'hidden' })).toMatchObject({ hidden: true });
  expect(await call('POST', commentId, { hide: false })).toEqual({ success: true });
  expect(await call('GET', commentId, { fields: 'hidden' })).toMatchObject({ hidden: false });
  expect(await call('POST', commentId)).toMatchObject({ error: { code: 100 } });
});

it('reads figures whose names stand in a JSON list', async () => {
  const { mediaId } = creator.posts[0]!;
  const { data } = (await call('GET', `${mediaId}/insights`, { metric: ['views', 'reach'] })) as { data: object[] };
  expect(data).toMatchObject([{ name: 'views' }, { name: 'reach' }]);
  expect(await call('GET', `${mediaId}/insights`, { metric: ['plays'] })).toMatchObject({ error: { code: 100 } });
  expect(await call('GET', `${mediaId}/insights`, { metric: [] })).toMatchObject({ error: { code: 100 } });
});

it('reads posts, comments and replies, answers publicly and privately, subscribes and deletes', async () => {
  const { commentId } = await comment();
  const { mediaId } = creator.posts[0]!;
  expect(await call('GET', `${creator.instagramAccountId}/media`, { fields: 'id,caption', limit: 5 })).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ id: mediaId })]),
  });
  expect(await call('GET', `${mediaId}/comments`, { fields: 'id,text,from' })).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ id: commentId, text: 'RECIPE' })]),
  });
  const reply = (await call('POST', `${commentId}/replies`, { message: 'Sent!' })) as { id: string };
  expect(await call('GET', `${commentId}/replies`, { fields: 'id,text' })).toMatchObject({ data: [{ id: reply.id }] });
  const message = { recipient: { comment_id: commentId }, message: { text: 'Here you are' } };
  expect(await call('POST', `${creator.pageId}/messages`, message)).toHaveProperty('message_id');
  const fields = ['feed', 'messages'];
  expect(await call('POST', `${creator.pageId}/subscribed_apps`, { subscribed_fields: fields })).toEqual({
    success: true,
  });
  expect(await call('DELETE', commentId)).toEqual({ success: true });
});

it('gives no figures of a story that few people saw', async () => {
  const { mediaId } = await simulator.control.seedPost({
    accountId: creator.instagramAccountId,
    product: 'STORY',
    views: 4,
  });
  expect(await call('GET', `${mediaId}/insights`, { metric: ['views'] })).toMatchObject({ error: { code: 10 } });
});
