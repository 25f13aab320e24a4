import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerPlugin } from '#contract/plugin.ts';
import { getApiKey, makeApiKey } from '#contract/settings.ts';
import { createTestApp, type Person, type TestApp, type Visitor } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { PLUGIN_VERSION: '1.10' } });
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator('goldenfork')).id;
});
afterAll(() => app?.close());

const current = async () => (await anna.call(getApiKey, { params: { creatorId } })).body;
const make = async (): Promise<string> => (await anna.call(makeApiKey, { params: { creatorId } })).body.key;
const register = (key: string | null, body: object = { pluginVersion: '1.9' }, from: Visitor = app.visitor()) =>
  from.send({
    method: 'POST',
    url: `/api/v1${registerPlugin.path}`,
    body,
    ...(key !== null && { headers: { authorization: `Bearer ${key}` } }),
  });

describe('an API key', () => {
  test('is for members only', async () => {
    expect((await app.visitor().call(getApiKey, { params: { creatorId } })).status).toBe(401);
    const stranger = await app.signUpAndIn();
    expect((await stranger.call(getApiKey, { params: { creatorId } })).status).toBe(404);
    expect((await stranger.call(makeApiKey, { params: { creatorId } })).status).toBe(404);
    expect(await current()).toEqual({
      pluginVersion: null,
      expectedPluginVersion: null,
      prefix: null,
      createdAt: null,
      createdBy: null,
      lastUsedAt: null,
    });
  });

  test('is shown once and kept as a hash', async () => {
    const key = await make();
    expect(key).toMatch(/^chq_[0-9A-Za-z]{40}$/);
    expect(await current()).toMatchObject({ prefix: key.slice(0, 8), createdAt: app.clock.now().toISOString() });
    expect(JSON.stringify(await current())).not.toContain(key);
    expect(JSON.stringify(await app.db.engine.selectFrom('api_keys').selectAll().execute())).not.toContain(key);
  });

  test('ends when another is made, also by two at the same moment', async () => {
    const first = await make();
    const both = await Promise.all([make(), make()]);
    expect((await register(first)).status).toBe(401);
    const answers = await Promise.all(both.map((key) => register(key)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });
});

describe('the plugin', () => {
  test.each([
    ['no key', null],
    ['an empty one', ''],
    ['a wrong one', `chq_${'x'.repeat(40)}`],
    ['a piece of SQL', "x'or'1'='1"],
  ])('is refused with %s', async (_name, key) => {
    expect(await register(key)).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
  });

  test('is refused with a version that is none', async () => {
    const key = await make();
    for (const pluginVersion of ['', 'latest', '1.0<script>', '1'.repeat(200)]) {
      expect((await register(key, { pluginVersion })).status).toBe(422);
    }
    expect(await current()).toMatchObject({ pluginVersion: null });
  });

  test('tells its version and where it runs', async () => {
    const key = await make();
    const answer = await register(key, { pluginVersion: '1.9', siteUrl: 'https://pasta.example.test' });
    expect(answer).toMatchObject({ status: 200, body: { handle: 'goldenfork', expectedPluginVersion: '1.10' } });
    expect(await current()).toMatchObject({
      pluginVersion: '1.9',
      expectedPluginVersion: '1.10',
      lastUsedAt: app.clock.now().toISOString(),
    });
  });

  test('may not guess from one network for ever, and whoever has the right key goes on there', async () => {
    const neighbor = app.visitor();
    const key = await make();
    // Far more right ones than wrong ones may be: all saves of a blog come from one address.
    for (let i = 0; i < 80; i++) expect((await register(key, undefined, neighbor)).status).toBe(200);
    for (let i = 0; i < 60; i++) expect((await register('chq_guess', undefined, neighbor)).status).toBe(401);
    const answer = await register('chq_guess', undefined, neighbor);
    expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await register(key, undefined, neighbor)).status).toBe(200);
  });

  test('of a new key is unknown until it registers with it', async () => {
    const key = await make();
    await register(key);
    expect(await current()).toMatchObject({ pluginVersion: '1.9' });
    const next = await make();
    expect(await current()).toMatchObject({ pluginVersion: null });
    await register(next);
    expect(await current()).toMatchObject({ pluginVersion: '1.9' });
  });
});
