import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { adminGetOperations } from '#contract/admin.ts';
import { readConfig } from '#server/config.ts';
import { watchSetup } from '#server/http/setup-notes.ts';
import { createTestApp } from '#server/testing/test-app.ts';

const FROM_A_PROXY = { 'x-forwarded-for': '203.0.113.9' };

async function noted(settings: Record<string, string>, ...requests: { url?: string; headers?: object }[]) {
  const app = Fastify();
  const logged: string[] = [];
  const log = { warn: (_facts: unknown, text: string) => void logged.push(text) };
  const notes = watchSetup(app, { config: readConfig(settings), log: log as never });
  app.get('/*', async () => 'here');
  for (const { url = '/', headers = {} } of requests) await app.inject({ url, headers: { ...headers } });
  await app.close();
  return { notes: notes().map(({ setting }) => setting), says: notes().map(({ says }) => says), logged };
}

describe('a proxy that does not fit TRUSTED_PROXIES is told, in the log once', () => {
  test.each([
    ['a header without trust', '0', FROM_A_PROXY],
    ['another header without trust', '0', { forwarded: 'for=203.0.113.9' }],
    ['trust without a header', '1', {}],
    ['trust in two and a header of one', '2', FROM_A_PROXY],
  ])('%s', async (_what, trusted, headers) => {
    const { notes, says, logged } = await noted({ TRUSTED_PROXIES: trusted }, { headers }, { headers });
    expect(notes).toEqual(['TRUSTED_PROXIES']);
    expect(logged).toEqual(says);
  });

  test.each([
    ['nobody forwards and nobody is trusted', '0', {}],
    ['one is trusted and forwards', '1', FROM_A_PROXY],
    ['two are trusted and both forward', '2', { 'x-forwarded-for': '203.0.113.9, 10.0.0.1' }],
  ])('nothing is told when %s', async (_what, trusted, headers) => {
    expect(await noted({ TRUSTED_PROXIES: trusted }, { headers })).toMatchObject({ notes: [], logged: [] });
  });

  test('checks of health come past the proxy', async () => {
    const checks = [{ url: '/healthz' }, { url: '/readyz' }];
    expect((await noted({ TRUSTED_PROXIES: '1' }, ...checks)).notes).toEqual([]);
  });

  test('https without a trusted proxy is told from the start', async () => {
    const mail = { SMTP_URL: 'smtp://localhost' };
    expect((await noted({ ...mail, BASE_URL: 'https://hq.example.com' })).notes).toEqual(['TRUSTED_PROXIES']);
    expect((await noted({ ...mail, BASE_URL: 'https://hq.example.com', TRUSTED_PROXIES: '1' })).notes).toEqual([]);
  });
});

test('a missing mail server is told, except to somebody who tries', async () => {
  expect((await noted({ BASE_URL: 'http://hq.example.com' })).notes).toEqual(['SMTP_URL']);
  expect((await noted({ HOST: '0.0.0.0' })).notes).toEqual(['SMTP_URL']);
  expect((await noted({ BASE_URL: 'http://hq.example.com', SMTP_URL: 'smtp://localhost' })).notes).toEqual([]);
  expect((await noted({})).notes).toEqual([]);
});

test('readiness and Operations have it too, and the install stays as ready as it is', async () => {
  const app = await createTestApp({ settings: { BASE_URL: 'http://hq.example.com' } });
  try {
    const admin = await app.signUpAndIn();
    await app.db.engine.updateTable('users').set({ is_admin: true }).execute();
    await app.visitor().send({ method: 'GET', url: '/', headers: FROM_A_PROXY });
    const { setup } = (await admin.call(adminGetOperations)).body;
    expect(setup.map(({ setting }: { setting: string }) => setting)).toEqual(['SMTP_URL', 'TRUSTED_PROXIES']);
    const ready = await app.visitor().send({ method: 'GET', url: '/readyz' });
    expect(ready).toMatchObject({ status: 200, body: { status: 'ready' } });
    expect(ready.body.notes).toEqual(
      setup.map((note: { setting: string; says: string }) => `${note.setting}: ${note.says}`),
    );
  } finally {
    await app.close();
  }
});
