import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectPlugin, registerPlugin } from '#contract/plugin.ts';
import { getApiKey, makeApiKey } from '#contract/settings.ts';
import { letSiteConnect } from '#contract/sites.ts';
import { seal } from '#server/secrets.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

const ADMIN = 'https://blog.example/wp-admin/';
let app: TestApp;
let anna: Person;
let creator: { id: string; handle: string };
let verifier: string;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());
beforeEach(async () => {
  anna = await app.signUpAndIn();
  creator = await anna.createCreator();
  verifier = randomBytes(32).toString('hex');
});

const allow = (adminUrl = ADMIN, by = anna) =>
  by.call(letSiteConnect, {
    params: { creatorId: creator.id },
    body: { adminUrl, state: 'aB3nonce', challenge: createHash('sha256').update(verifier).digest('base64url') },
  });
const code = async () => new URL((await allow()).body.returnTo).searchParams.get('code')!;
const fetchKey = (body: { code: string; verifier: string }, from = app.visitor()) => from.call(connectPlugin, { body });
const register = (key: string) =>
  app.visitor().send({
    method: 'POST',
    url: `/api/v1${registerPlugin.path}`,
    headers: { authorization: `Bearer ${key}` },
    body: { pluginVersion: '1.0', siteUrl: 'https://blog.example/' },
  });
const current = async () => (await anna.call(getApiKey, { params: { creatorId: creator.id } })).body;
const again = ' Press Connect in WordPress again.';

test('a site fetches its key with the code that the person took back; the key before works until then', async () => {
  const { key: before } = (await anna.call(makeApiKey, { params: { creatorId: creator.id } })).body;
  const returnTo = new URL((await allow()).body.returnTo);
  expect(`${returnTo.origin}${returnTo.pathname}`).toBe('https://blog.example/wp-admin/admin-post.php');
  expect(Object.fromEntries(returnTo.searchParams)).toEqual({
    action: 'creator_hq_connected',
    state: 'aB3nonce',
    code: expect.any(String),
  });
  expect((await register(before)).status).toBe(200);
  const told: string[] = [];
  const end = app.deps.live.listen(creator.id, ({ what }) => told.push(what));
  const answer = await fetchKey({ code: returnTo.searchParams.get('code')!, verifier });
  expect(answer).toMatchObject({ status: 200, body: { handle: creator.handle, key: expect.stringMatching(/^chq_/) } });
  expect(answer.headers['cache-control']).toBe('no-store');
  expect((await register(before)).status).toBe(401);
  expect((await register(answer.body.key)).body).toMatchObject({ handle: creator.handle, site: { state: 'live' } });
  await app.clock.advance(1000);
  await expect.poll(() => told).toContain('account');
  end();
  expect(await current()).toMatchObject({
    prefix: answer.body.key.slice(0, 8),
    createdBy: anna.name,
    pluginVersion: '1.0',
  });
  const mails = await app.mails(anna.email);
  expect(mails.filter(({ kind }) => kind === 'new_access')).toHaveLength(2);
});

describe('no key for', () => {
  const refused = (why: string) => ({ status: 409, body: { code: 'not_possible_now', detail: why + again } });

  test('a code that is made up, or sealed for something else', async () => {
    const wrong = refused('This code is not from this Creator HQ.');
    const ours = (text: string) => seal(app.deps.keys.encryptionKeys, text);
    const changed = (text: string) => text.replace(/.(?=.{9}$)/, (letter) => (letter === 'A' ? 'B' : 'A'));
    for (const made of ['', 'x', changed(await code()), ours('a token'), ours('{"kind":"other"}')])
      expect(await fetchKey({ code: made, verifier })).toMatchObject(wrong);
  });

  test('a code older than a minute', async () => {
    const late = await code();
    await app.clock.advance(60_000);
    const inTime = await fetchKey({ code: await code(), verifier });
    expect(inTime.status).toBe(200);
    await app.clock.advance(1);
    expect(await fetchKey({ code: late, verifier })).toMatchObject(refused('That took longer than a minute.'));
  });

  test('somebody who saw the code but is another site; the right one may still use it', async () => {
    const seen = await code();
    const foreign = refused('This code was made for another site.');
    expect(await fetchKey({ code: seen, verifier: randomBytes(32).toString('hex') })).toMatchObject(foreign);
    expect((await fetchKey({ code: seen, verifier })).status).toBe(200);
  });

  test('the second of two, also at the same moment', async () => {
    const used = await code();
    const answers = await Promise.all(Array.from({ length: 4 }, () => fetchKey({ code: used, verifier })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect(await fetchKey({ code: used, verifier })).toMatchObject(refused('This code was already used.'));
  });

  test('whom somebody allowed who has left the team', async () => {
    const given = await code();
    await app.db.engine.deleteFrom('memberships').where('user_id', '=', anna.id).execute();
    expect((await fetchKey({ code: given, verifier })).status).toBe(404);
    const keys = await app.db.engine.selectFrom('api_keys').selectAll().where('creator_id', '=', creator.id).execute();
    expect(keys).toEqual([]);
  });

  test('the thirty-first try from one network', async () => {
    const guesser = app.visitor();
    const guess = () => fetchKey({ code: 'guessed', verifier }, guesser);
    for (let i = 0; i < 30; i++) expect((await guess()).status).toBe(409);
    expect((await guess()).status).toBe(429);
  });
});

test.each([
  'https://blog.example/',
  'https://blog.example/wp-admin/?page=x',
  'https://blog.example/wp-admin/#x',
  'https://blog.example@evil.example/wp-admin/',
  'javascript:alert(1)//wp-admin/',
  '//evil.example/wp-admin/',
  'https://blog.example/wp-admin/../elsewhere',
  '',
])('nobody is led to %j', async (adminUrl) => {
  expect(await allow(adminUrl)).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
});

test('a stranger allows nothing', async () => {
  expect((await allow(ADMIN, await app.signUpAndIn())).status).toBe(404);
});
