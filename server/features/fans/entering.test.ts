/** The way in: an address, a code, a grant, the hub's word, and asking again. */
import { createHash, createHmac } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { eraseContact } from '#contract/contacts.ts';
import { exchangeMemberGrant, registerPlugin, renewMemberPass } from '#contract/plugin.ts';
import { registerBlog } from '#server/testing/endpoint-walk.ts';
import { FRIENDS } from '#server/testing/inputs.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { renewWord } from './entering.ts';
import { endGiven, givePass } from './passes.ts';
import { makeTier, moveTier, setFreeReaders } from './tiers.ts';

const FORM = 'application/x-www-form-urlencoded';
const START = 's'.repeat(43);
const EMAIL = 'cora@example.test';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let app: TestApp;
let anna: Person;
let creator: { id: string; handle: string };
let key: string;
let siteId: string;
let contactId: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { FAN_MEMBERSHIPS: 'on' } });
});
afterAll(() => app?.close());
beforeEach(async () => {
  anna = await app.signUpAndIn();
  creator = await anna.createCreator();
  ({ key } = await registerBlog(app, anna, creator.id));
  siteId = (await app.db.enginePool.query('select id from sites where creator_id = $1', [creator.id])).rows[0].id;
  contactId = await give(EMAIL);
});

const give = (email: string, endsAt: Date | null = null) =>
  app.db.withCreator(creator.id, async (trx) => {
    const tierId = await makeTier(app.deps, trx, { creatorId: creator.id, ...FRIENDS });
    return givePass(app.deps, trx, { creatorId: creator.id, email, tierId, endsAt, note: null });
  });
const at = (more: Record<string, string> = {}) =>
  `/join/${creator.handle}/enter?${new URLSearchParams({ site: siteId, to: '/cake/', back: 'path', start: sha256(START), ...more })}`;
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
let visitors = 0;
const send = async (fields: Record<string, string>, url = at(), from = `10.9.${visitors++ >> 8}.${visitors % 256}`) => {
  const response = await app.app.inject({
    ...{ method: 'POST', url, payload: new URLSearchParams(fields).toString(), remoteAddress: from },
    headers: { 'content-type': FORM, 'sec-fetch-site': 'same-origin' },
  });
  return { status: response.statusCode, html: response.body, headers: response.headers };
};
const stateIn = (html: string) => /name="state" value="([^"]+)"/.exec(html)![1]!;
const codeFor = async (email: string) => (await app.mails(email)).at(-1)!.subject.slice(0, 6);
const grantIn = (html: string) => /creator-hq-entered\/([\w-]+)\//.exec(html)![1]!;
const enter = async (email = EMAIL) => {
  const state = stateIn((await send({ email })).html);
  return grantIn((await send({ state, code: await codeFor(email) })).html);
};
const callHub = (path: string, body: object, bearer = key) =>
  app.visitor().send({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${bearer}` },
    body: body as never,
  });
const exchange = (grant: string, start = START, bearer = key) =>
  callHub(exchangeMemberGrant.path, { grant, start }, bearer);
const saidIn = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());

test('a member enters by a code, and the blog gets a word that its key has signed', async () => {
  const { html, headers } = await send({ email: ' CORA@example.test ' });
  expect(headers['content-security-policy']).toContain("form-action 'self'");
  const [mail] = (await app.mails(EMAIL)).slice(-1);
  expect(mail!.subject).toMatch(new RegExp(`^\\d{6} is your code for @${creator.handle}$`));
  const entered = await send({
    state: stateIn(html),
    code: `${mail!.subject.slice(0, 3)} ${mail!.subject.slice(3, 6)}`,
  });
  expect(entered.html).toContain(`http-equiv="refresh"`);
  const { status, body } = await exchange(grantIn(entered.html));
  expect([status, body.to]).toEqual([200, '/cake/']);
  const { signingKeys } = (await callHub(registerPlugin.path, { pluginVersion: '0.1.0' })).body;
  const [, said, mac] = body.token.split('.');
  const expected = createHmac('sha256', Buffer.from(signingKeys[0], 'base64url')).update(`member pass\n${said}`);
  expect(mac).toBe(expected.digest('base64url'));
  const now = Math.floor(app.clock.now().getTime() / 1000);
  const { device, ...times } = saidIn(body.token);
  expect(times.until - now).toBeGreaterThan(30 * 86_400);
  expect(times.askAfter - now).toBe(3600);
  expect((await callHub(renewMemberPass.path, { device, secret: body.secret })).body.token).toMatch(/^chq1\./);
});

test('an address that nobody knows gets the same page, and no mail', async () => {
  const known = await send({ email: EMAIL });
  const unknown = await send({ email: 'coru@example.test' });
  const plain = (html: string) => html.replaceAll(/value="[^"]*"/g, '').replaceAll(/<strong>[^<]*/g, '');
  expect([unknown.status, plain(unknown.html)]).toEqual([known.status, plain(known.html)]);
  expect(unknown.html.length).toBe(known.html.length);
  expect(await app.mails('coru@example.test')).toEqual([]);
  expect((await send({ state: stateIn(unknown.html), code: '123456' })).html).toContain('That code isn’t right');
});

test('a code is guessed five times, good for ten minutes, and used once', async () => {
  const state = stateIn((await send({ email: EMAIL })).html);
  const code = await codeFor(EMAIL);
  const wrong = code === '111111' ? '222222' : '111111';
  for (let guess = 0; guess < 5; guess++) expect((await send({ state, code: wrong })).status).toBe(422);
  expect((await send({ state, code })).html).toContain('That code isn’t right');

  const late = stateIn((await send({ email: EMAIL })).html);
  const lateCode = await codeFor(EMAIL);
  await app.clock.advance(10 * 60_000 + 1);
  expect((await send({ state: late, code: lateCode })).status).toBe(422);

  const good = stateIn((await send({ email: EMAIL })).html);
  const goodCode = await codeFor(EMAIL);
  const [one, other] = await Promise.all([
    send({ state: good, code: goodCode }),
    send({ state: good, code: goodCode }),
  ]);
  expect([one.status, other.status].sort()).toEqual([200, 422]);
});

test('five codes an hour for an address, twenty for a network', async () => {
  for (let asked = 0; asked < 5; asked++) expect((await send({ email: EMAIL })).status).toBe(200);
  expect((await send({ email: EMAIL })).status).toBe(429);
  for (let asked = 0; asked < 20; asked++) await send({ email: `a${asked}@example.test` }, at(), '10.77.0.1');
  expect((await send({ email: 'b@example.test' }, at(), '10.77.0.1')).status).toBe(429);
});

test('a grant counts once, within a minute, with the browser that began, and for the blog of its creator alone', async () => {
  const used = await enter();
  expect((await exchange(used)).body.token).toMatch(/^chq1\./);
  expect((await exchange(used)).body.token).toBeNull();
  expect((await exchange(await enter(), 'another browser')).body.token).toBeNull();
  const late = await enter();
  await app.clock.advance(60_001);
  expect((await exchange(late)).body.token).toBeNull();
  const bert = await app.signUpAndIn();
  const { key: foreign } = await registerBlog(app, bert, (await bert.createCreator()).id);
  expect((await exchange(await enter(), START, foreign)).body.token).toBeNull();
});

test('renewing a word is one statement', async () => {
  const { token, secret } = (await exchange(await enter())).body;
  await app.db.withCreator(creator.id, async (trx) => {
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    const renewed = await renewWord(app.deps, trx, creator.id, { device: saidIn(token).device, secret });
    expect(renewed.token).toMatch(/^chq1\./);
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
  });
});

test('a word ends with its pass; what is taken away is so at the next asking, for other blogs’ keys always', async () => {
  const endsAt = new Date(app.clock.now().getTime() + 2 * DAY_MS);
  await give('uma@example.test', endsAt);
  const { token, secret } = (await exchange(await enter('uma@example.test'))).body;
  const { device, until } = saidIn(token);
  expect(until).toBe(Math.floor(endsAt.getTime() / 1000));
  const renew = async (bearer = key, over = {}) =>
    (await callHub(renewMemberPass.path, { device, secret, ...over }, bearer)).body.token;
  expect(await renew()).toMatch(/^chq1\./);
  expect(await renew(key, { secret: 'x'.repeat(43) })).toBeNull();
  const bert = await app.signUpAndIn();
  const { key: foreign } = await registerBlog(app, bert, (await bert.createCreator()).id);
  expect(await renew(foreign)).toBeNull();
  await app.clock.advance(2 * DAY_MS + 1);
  expect(await renew()).toBeNull();

  const cora = (await exchange(await enter())).body;
  await app.db.withCreator(creator.id, (trx) => endGiven(app.deps, trx, { creatorId: creator.id, contactId }));
  const asked = { device: saidIn(cora.token).device, secret: cora.secret };
  expect((await callHub(renewMemberPass.path, asked)).body.token).toBeNull();
  const state = stateIn((await send({ email: EMAIL })).html);
  expect((await send({ state, code: await codeFor(EMAIL) })).html).toContain('No membership is running');
});

const openToReaders = (isOpen = true) =>
  app.db.withCreator(creator.id, (trx) => setFreeReaders(trx, { creatorId: creator.id, isOpen }));
const contactsAt = async (email: string) =>
  (
    await app.db.enginePool.query('select id, source from contacts where creator_id = $1 and email_key = $2', [
      creator.id,
      email,
    ])
  ).rows;

test('where readers enter without paying, any address does; it is a contact once the code was typed, and reads nothing of members', async () => {
  await openToReaders();
  const page = await app.app.inject({ method: 'GET', url: at({ for: 'readers' }) });
  expect(page.body).toContain('Read on for free');
  const { html } = await send({ email: 'Rita@example.test' }, at({ for: 'readers' }));
  expect(html).toContain('A code is on its way to <strong>Rita@example.test</strong>');
  expect(await contactsAt('rita@example.test')).toEqual([]);
  const { html: entered } = await send({ state: stateIn(html), code: await codeFor('Rita@example.test') });
  expect(await contactsAt('rita@example.test')).toMatchObject([{ source: 'blog' }]);
  const { token, secret } = (await exchange(grantIn(entered))).body;
  const { device, ...said } = saidIn(token);
  expect(said).toMatchObject({ tiers: {}, until: 0, isReader: true });
  const renewed = async () => (await callHub(renewMemberPass.path, { device, secret })).body.token;
  expect(saidIn(await renewed())).toMatchObject({ until: 0, isReader: true });
  const kept = await app.db.enginePool.query('select email from fan_entries where creator_id = $1', [creator.id]);
  expect(kept.rows).toEqual([{ email: null }]);
  // Whoever gets in once sees where they are logged in.
  const account = `/join/${creator.handle}/account`;
  await send({ email: 'rita@example.test' }, account);
  expect(await app.mails('Rita@example.test')).toHaveLength(2);
  await openToReaders(false);
  expect(await renewed()).toBeNull();
});

test('an address that is typed where only the account is asked for, or wrongly, makes no contact', async () => {
  await openToReaders();
  await send({ email: 'una@example.test' }, `/join/${creator.handle}/account`);
  expect(await app.mails('una@example.test')).toEqual([]);
  await send({ email: 'una@example.test' }, at({ site: app.deps.ids.uuid(app.clock.now()) }));
  expect(await app.mails('una@example.test')).toEqual([]);
  const state = stateIn((await send({ email: 'una@example.test' })).html);
  const wrong = (await codeFor('una@example.test')) === '111111' ? '222222' : '111111';
  await send({ state, code: wrong });
  expect(await contactsAt('una@example.test')).toEqual([]);
});

test('a membership that ended leaves a reader, where those enter without paying', async () => {
  await openToReaders();
  const { token, secret } = (await exchange(await enter())).body;
  const { device, tiers } = saidIn(token);
  expect(Object.keys(tiers)).toHaveLength(1);
  await app.db.withCreator(creator.id, (trx) => endGiven(app.deps, trx, { creatorId: creator.id, contactId }));
  const { body } = await callHub(renewMemberPass.path, { device, secret });
  expect(saidIn(body.token)).toMatchObject({ tiers: {}, until: 0, isReader: true });
});

test('a word names the tiers that are held and until when; the blog hears of their order with it', async () => {
  const endsAt = new Date(app.clock.now().getTime() + 2 * DAY_MS);
  await give('tom@example.test', endsAt);
  const { body } = await exchange(await enter('tom@example.test'));
  const [low, high] = body.tiers as { id: string; name: string; isOpen: boolean }[];
  expect(low).toMatchObject({ name: 'Friends', isOpen: true });
  expect(saidIn(body.token)).toMatchObject({
    ...{ tiers: { [high!.id]: Math.floor(endsAt.getTime() / 1000) }, isReader: false },
    until: Math.floor(endsAt.getTime() / 1000),
  });
  const registered = async () => (await callHub(registerPlugin.path, { pluginVersion: '0.1.0' })).body;
  expect(await registered()).toMatchObject({ tiers: [low, high], readersAt: null });
  const move = (tierId: string, up: boolean) =>
    app.db.withCreator(creator.id, (trx) => moveTier(trx, { creatorId: creator.id, tierId, up }));
  await move(high!.id, true);
  expect((await registered()).tiers).toEqual([low, high]);
  await move(low!.id, true);
  await openToReaders();
  expect(await registered()).toMatchObject({
    tiers: [high, low],
    readersAt: expect.stringContaining('/enter?for=readers'),
  });
  const renewed = await callHub(renewMemberPass.path, { device: saidIn(body.token).device, secret: body.secret });
  expect(renewed.body.tiers).toEqual([high, low]);
});

test('the sixth browser signs out the one that was idle longest', async () => {
  const browsers: { device: string; secret: string }[] = [];
  for (let entered = 0; entered < 6; entered++) {
    await app.clock.advance(HOUR_MS);
    const { token, secret } = (await exchange(await enter())).body;
    browsers.push({ device: saidIn(token).device, secret });
  }
  const renewed = await Promise.all(
    browsers.map(async (one) => (await callHub(renewMemberPass.path, one)).body.token !== null),
  );
  expect(renewed).toEqual([false, true, true, true, true, true]);
});

test('an erased contact is out, with every browser', async () => {
  const { token, secret } = (await exchange(await enter())).body;
  await anna.call(eraseContact, { params: { creatorId: creator.id, contactId } });
  const asked = { device: saidIn(token).device, secret };
  expect((await callHub(renewMemberPass.path, asked)).body.token).toBeNull();
});

test.each([
  ['without a start', { start: '' }],
  ['of no site', { site: 'x' }],
])('who comes %s is led to the blog', async (_, more) => {
  const { body } = await app.app.inject({ method: 'GET', url: at(more) });
  expect(body).toContain('Begin on the blog');
});

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', `/${'a'.repeat(600)}`])(
  'a way back to %s leads to the front page',
  async (to) => {
    const state = stateIn((await send({ email: EMAIL }, at({ to }))).html);
    const { html } = await send({ state, code: await codeFor(EMAIL) }, at({ to }));
    expect((await exchange(grantIn(html))).body.to).toBe('/');
  },
);

test.each(['', 'no address', 'a@b', `${'a'.repeat(300)}@example.test`, '<script>@x'])(
  'the address “%s” is said to be none',
  async (email) => {
    const { status, html } = await send({ email });
    expect(status).toBe(422);
    expect(html).toContain('That isn’t an email address');
    expect(html).not.toContain('<script>');
  },
);

test('a state of another creator, made up or from before a new key leads to the beginning', async () => {
  const state = stateIn((await send({ email: EMAIL })).html);
  const bert = await app.signUpAndIn();
  const other = await bert.createCreator();
  for (const [url, given] of [
    [at().replace(creator.handle, other.handle), state],
    [at(), 'made up'],
  ] as const)
    expect((await send({ state: given, code: '123456' }, url)).html).toContain('Send me a code');
});

test('an installation without memberships has no such pages, and tells blogs so', async () => {
  const plain = await createTestApp();
  try {
    const eva = await plain.signUpAndIn();
    const { handle, id } = await eva.createCreator();
    const { key: other } = await registerBlog(plain, eva, id);
    const page = await plain.app.inject({ method: 'GET', url: `/join/${handle}/enter` });
    expect(page.body).not.toContain('Enter as a member');
    const told = await plain.visitor().send({
      ...{ method: 'POST', url: `/api/v1${registerPlugin.path}`, body: { pluginVersion: '0.1.0' } },
      headers: { authorization: `Bearer ${other}` },
    });
    expect(told.body.membersAt).toBeNull();
  } finally {
    await plain.close();
  }
});
