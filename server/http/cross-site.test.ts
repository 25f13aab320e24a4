import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuseCrossSiteChanges } from '#server/http/cross-site.ts';
import { handleError } from '#server/http/problems.ts';

const app = Fastify();
beforeAll(async () => {
  app.setErrorHandler(handleError);
  refuseCrossSiteChanges(app, 'https://hq.example.test');
  app.route({ method: ['GET', 'POST'], url: '/thing', handler: async () => 'done' });
  app.post('/signed', { config: { crossSite: 'allowed' } }, async () => 'done');
  await app.ready();
});
afterAll(() => app.close());

test.each([
  ['another site, in an old browser', { origin: 'https://evil.test' }],
  ['another site', { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }],
  ['another site that hides its name', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['a frame without origin', { origin: 'null' }],
  ['another site without origin', { 'sec-fetch-site': 'cross-site' }],
  ['a neighbour on another port', { origin: 'https://hq.example.test:8443', 'sec-fetch-site': 'same-site' }],
  ['a sub-domain', { origin: 'https://blog.example.test', 'sec-fetch-site': 'same-site' }],
  ['the same host without https', { origin: 'http://hq.example.test', 'sec-fetch-site': 'cross-site' }],
  ['a name that begins like ours', { origin: 'https://hq.example.test.evil.test' }],
  ['nonsense', { origin: ']]', 'sec-fetch-site': 'same-site' }],
])('refuses a change from %s', async (_who, headers) => {
  const answer = await app.inject({ method: 'POST', url: '/thing', headers: { host: 'hq.example.test', ...headers } });
  expect(answer.statusCode).toBe(403);
  expect(answer.json()).toMatchObject({ code: 'cross_site_request' });
});

test.each([
  ['our own pages', { origin: 'https://hq.example.test', 'sec-fetch-site': 'same-origin' }],
  ['our own pages in an old browser', { origin: 'https://hq.example.test' }],
  ['our own pages behind a proxy', { origin: 'https://hq.example.test', host: '10.0.0.7:3000' }],
  ['our own pages under another name', { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }],
  ['a program', {}],
])('lets %s make changes', async (_who, headers) => {
  const answer = await app.inject({ method: 'POST', url: '/thing', headers: { host: 'hq.example.test', ...headers } });
  expect(answer.statusCode).toBe(200);
});

test('lets everybody read, and call what carries its own proof', async () => {
  const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
  expect((await app.inject({ method: 'GET', url: '/thing', headers })).statusCode).toBe(200);
  expect((await app.inject({ method: 'POST', url: '/signed', headers })).statusCode).toBe(200);
});
