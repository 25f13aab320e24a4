/** What somebody could try who wants in, money or addresses: a test for each row of the design's table that no other file here has. */
import { createHmac } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import * as members from '#contract/members.ts';
import * as money from '#contract/members-money.ts';
import * as membershipEnd from '#contract/membership-end.ts';
import { registerPlugin, renewMemberPass } from '#contract/plugin.ts';
import * as tiers from '#contract/tiers.ts';
import { rotateKeys } from '#server/platforms/key-rotation.ts';
import { registerBlog } from '#server/testing/endpoint-walk.ts';
import { type FanWorld, joinUrl, type Shop, startFanWorld } from './testing/fan-world.ts';
import { type MessageWorld, startMessageWorld } from './testing/message-world.ts';

let world: FanWorld;
let shop: Shop;
let other: Shop;
beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  world = await startFanWorld({}, undefined, log);
  shop = await world.shop();
  other = await world.shop();
});
afterAll(() => world?.close());

/** What is logged above `debug`. */
const lines: string[] = [];

const stateIn = (html: string) => /name="state" value="([^"]+)"/.exec(html)![1]!;
const fromBlog = (path: string, body: object) =>
  world.app.visitor().send({
    ...{ method: 'POST', url: `/api/v1${path}`, body, headers: { authorization: `Bearer ${shop.key}` } },
  });
const enterUrl = () => joinUrl(shop).replace('?', '/enter?');
const codeOf = async (email: string) =>
  /^\d+/.exec((await world.app.mails(email)).filter(({ kind }) => kind === 'fan_code').at(-1)!.subject)![0];
const jobs = async () =>
  (await world.app.db.enginePool.query(`select count(*)::int as n from jobs where name = 'follow-stripe-account'`))
    .rows[0].n;

describe('forged, replayed and foreign webhooks', () => {
  let told = 0;
  async function tell(event: object, { ageS = 0, secret = 'whsec_connect' } = {}) {
    const body = JSON.stringify(event);
    const at = Math.floor(world.app.clock.now().getTime() / 1000) - ageS;
    const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    const headers = { 'stripe-signature': `t=${at},v1=${v1}`, 'content-type': 'application/json' };
    return (await world.app.app.inject({ method: 'POST', url: '/webhooks/stripe/connect', body, headers })).statusCode;
  }
  const event = (over: object = {}) => ({
    ...{ id: `evt_${++told}`, object: 'event', type: 'account.updated', livemode: false, account: shop.account },
    ...{ data: { object: { id: shop.account, object: 'account' } }, ...over },
  });

  test.each([
    ['another secret', () => tell(event(), { secret: 'whsec_other' }), 403],
    ['more than 300 seconds ago', () => tell(event(), { ageS: 301 }), 403],
    ['the live mode', () => tell(event({ livemode: true })), 200],
    ['an account of no creator', () => tell(event({ account: 'acct_evil' })), 200],
  ])('one of %s marks nothing', async (_, send, status) => {
    await world.work();
    expect([await send(), await jobs()]).toEqual([status, 0]);
  });

  test('the same one twice marks once', async () => {
    const same = event();
    expect([await tell(same, { ageS: 299 }), await jobs()]).toEqual([200, 1]);
    await world.work();
    expect([await tell(same), await jobs()]).toEqual([200, 0]);
  });
});

test('price, tier and amount from the browser: ids alone count, and those of another creator are not for sale', async () => {
  const email = 'cheap@example.com';
  const choice = `${shop.tierId} month`;
  const { location } = await world.visit('POST', joinUrl(shop), {
    email,
    choice,
    amount: '1',
    price: 'price_1',
    currency: 'jpy',
  });
  await world.visit('GET', await world.pay(location!));
  expect(await world.passOf(shop, email)).toMatchObject([{ amount: 400, currency: 'usd' }]);
  const foreign = await world.visit('POST', joinUrl(shop), { email: 'f@example.com', choice: `${other.tierId} month` });
  expect([foreign.status, foreign.location]).toEqual([422, null]);
});

test('double clicks, crashes, two tabs: a form that is sent four times at once is paid once', async () => {
  const email = 'clicks@example.com';
  const pages = await Promise.all(Array.from({ length: 4 }, () => world.join(shop, email)));
  const to = new Set(pages.flatMap(({ location }) => location ?? []));
  for (const page of to)
    await world.pay(page).then(
      (back) => world.visit('GET', back),
      () => null,
    );
  await world.work();
  expect((await world.passOf(shop, email)).filter(({ isIn }) => isIn)).toHaveLength(1);
  const { data } = await world.stripe.customers.list({ email }, { stripeAccount: shop.account });
  const charges = await Promise.all(
    data.map(({ id }) => world.stripe.charges.list({ customer: id }, { stripeAccount: shop.account })),
  );
  const kept = charges.flatMap((found) => found.data).filter(({ refunded }) => !refunded);
  expect(kept.map(({ amount }) => amount)).toEqual([400]);
});

test('token theft: scripts see no token, and a stolen one dies with its device', async () => {
  const email = 'stolen@example.com';
  await world.member(shop, email);
  const enter = async () => {
    const state = stateIn((await world.visit('POST', enterUrl(), { email })).html);
    const { html } = await world.visit('POST', enterUrl(), { state, code: await codeOf(email) });
    return world.comeBack(shop, html);
  };
  const stolen = await enter();
  const renewed = async (secret: string, token: string) => {
    const { device } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
    const { body } = await fromBlog(renewMemberPass.path, { device, secret });
    return body.token;
  };
  expect(await renewed(stolen.secret, stolen.token!)).toMatch(/^chq1/);
  expect(await renewed('a'.repeat(43), stolen.token!)).toBeNull();
  const [{ contact_id: memberId }] = await world.passOf(shop, email);
  await shop.owner.call(members.signMemberOut, { params: { creatorId: shop.creator.id, memberId } });
  expect(await renewed(stolen.secret, stolen.token!)).toBeNull();
  const own = await enter();
  expect(await renewed(own.secret, own.token!)).toMatch(/^chq1/);
  expect(await renewed(stolen.secret, stolen.token!)).toBeNull();

  const at = `/join/${shop.creator.handle}/account`;
  const state = stateIn((await world.visit('POST', at, { email })).html);
  const { headers } = await world.app.app.inject({
    ...{ method: 'POST', url: at, payload: new URLSearchParams({ state, code: await codeOf(email) }).toString() },
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
  });
  expect(String(headers['set-cookie'])).toMatch(/HttpOnly/i);
  expect(String(headers['set-cookie'])).not.toMatch(/Domain=/i);
});

test('a hacked blog: its key lists no members, changes nothing of theirs and moves no money', async () => {
  const contracts = [members, money, tiers, membershipEnd];
  const endpoints = contracts
    .flatMap((contract): unknown[] => Object.values(contract))
    .filter((one): one is Endpoint => typeof one === 'object' && one !== null && 'access' in one);
  expect(endpoints.length).toBeGreaterThan(25);
  for (const { method, path } of endpoints) {
    const url = `/api/v1${path.replace(':creatorId', shop.creator.id).replaceAll(/:\w+/g, shop.tierId)}`;
    const headers = { authorization: `Bearer ${shop.key}` };
    const { status } = await world.app.visitor().send({ method, url, headers, ...(method !== 'GET' && { body: {} }) });
    expect([401, 403], `${method} ${path}`).toContain(status);
  }
  const { text } = await fromBlog(registerPlugin.path, { pluginVersion: '0.1.0' });
  expect(new Set(text.match(/[\w.]+@[\w.]+/g))).toEqual(new Set(['you@example.com']));
});

describe('open redirects', () => {
  const TO = [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n//evil.example',
    '/\u0000',
    'javascript:alert(1)',
  ];
  test.each(TO)('to=%j leads to the front page', async (to) => {
    const email = `to${TO.indexOf(to)}@example.com`;
    const { location } = await world.visit(
      'POST',
      joinUrl(shop).replace('to=%2Fcake%2F', `to=${encodeURIComponent(to)}`),
      {
        ...{ email, choice: `${shop.tierId} month` },
      },
    );
    const done = await world.visit('GET', await world.pay(location!));
    expect((await world.comeBack(shop, await world.goBack(done.html))).to).toBe('/');
  });
});

describe('enumeration', () => {
  const KNOWN = 'knowna@example.com';
  const UNKNOWN = 'nosuch@example.com';
  beforeAll(() => world.member(shop, KNOWN));
  const plain = (html: string) => html.replaceAll(/name="state" value="[^"]*"/g, '').replaceAll(KNOWN, UNKNOWN);

  test.each(['enter', 'account', 'cancel', 'withdraw'])(
    '%s is the same page of the same size for all',
    async (page) => {
      const url = page === 'enter' ? enterUrl() : `/join/${shop.creator.handle}/${page}`;
      const known = await world.visit('POST', url, { email: KNOWN });
      const unknown = await world.visit('POST', url, { email: UNKNOWN });
      expect([unknown.status, unknown.location, plain(unknown.html)]).toEqual([
        known.status,
        known.location,
        plain(known.html),
      ]);
      expect(unknown.html.length).toBe(known.html.length);
      expect(await world.app.mails(UNKNOWN)).toEqual([]);
    },
  );
});

describe('guessing codes', () => {
  test('after 300 wrong ones in an hour, from whatever networks, a creator’s codes have ten characters, and let in as before', async () => {
    const email = 'guessed@example.com';
    await world.member(shop, email);
    await world.visit('POST', enterUrl(), { email });
    expect(await codeOf(email)).toMatch(/^\d{6}$/);
    const state = stateIn((await world.visit('POST', enterUrl(), { email: 'nosuch2@example.com' })).html);
    for (let guess = 0; guess < 300; guess++) {
      expect((await world.visit('POST', enterUrl(), { state, code: '000000' })).status).toBe(422);
    }
    const asked = stateIn((await world.visit('POST', enterUrl(), { email })).html);
    const code = await codeOf(email);
    expect(code).toMatch(/^\d{10}$/);
    const { html } = await world.visit('POST', enterUrl(), {
      state: asked,
      code: `${code.slice(0, 5)} ${code.slice(5)}`,
    });
    expect((await world.comeBack(shop, html)).token).toMatch(/^chq1\./);
    await world.app.clock.advance(3_600_001);
    await world.visit('POST', enterUrl(), { email });
    expect(await codeOf(email)).toMatch(/^\d{6}$/);
  });
});

test('a malicious plugin key: one of another creator opens nothing, whatever is named', async () => {
  const bert = await world.app.signUpAndIn();
  const { key } = await registerBlog(world.app, bert, (await bert.createCreator()).id);
  const done = await world.member(shop, 'mine@example.com');
  const back = await world.goBack(done.html);
  expect((await world.comeBack({ ...shop, key }, back)).token).toBeNull();
  const said = await world.app.visitor().send({
    ...{ method: 'GET', url: `/api/v1/creators/${shop.creator.id}/members` },
    headers: { authorization: `Bearer ${key}` },
  });
  expect([401, 403, 404]).toContain(said.status);
  const own = await world.app.visitor().send({
    ...{ method: 'POST', url: `/api/v1${registerPlugin.path}`, body: { pluginVersion: '0.1.0' } },
    headers: { authorization: `Bearer ${key}` },
  });
  expect(own.status).toBe(200);
});

test('account links and pages to pay on are stored in no table and no mail', async () => {
  const { rows } = await world.app.db.enginePool.query(
    `select subject from mails where text ~ '(connect|billing)\\.stripe|/onboarding/' or html ~ '(connect|billing)\\.stripe|/onboarding/'`,
  );
  expect(rows).toEqual([]);
  const { rows: accounts } = await world.app.db.enginePool.query(
    'select to_jsonb(a)::text as row from stripe_accounts a',
  );
  expect(accounts.length).toBeGreaterThan(0);
  for (const { row } of accounts) expect(row).not.toMatch(/https?:/);
});

describe('a way in by message', () => {
  let messages: MessageWorld;
  let word: string;
  beforeAll(async () => {
    messages = await startMessageWorld(world);
    word = await messages.automation(await messages.post({ for: 'members', of: 'text' }, 'pie'), 'pie');
  });
  afterAll(() => messages?.followers.close());

  let members = 0;
  /** @returns the path of the page with the button */
  async function wayOfMember() {
    const asked = await messages.ask(word);
    const email = `pie${++members}@example.com`;
    await messages.givesAddress(asked.personId, email);
    const contactId = await messages.give(email);
    const { location } = await messages.browser().go('GET', asked.path);
    return { ...asked, email, contactId, page: new URL(location!).pathname };
  }
  const doesNotGetIn = async (browser: ReturnType<MessageWorld['browser']>) =>
    expect((await browser.begin('/pie/')).html).toContain('Send me a code');

  test('a link that was passed on opens no account, and nobody’s address stands on its page', async () => {
    const { path, page, email } = await wayOfMember();
    const friend = messages.browser();
    expect((await friend.tap(path)).html).not.toContain(email);
    const { token } = await world.comeBack(messages.shop, (await friend.openAsMember(path))!);
    expect(token).toMatch(/^chq1\./);
    const account = await friend.go('GET', `/join/${messages.shop.creator.handle}/account`);
    expect(account.html).toContain('Send me a code');
    expect(account.html).not.toContain(email);
    const another = messages.browser();
    expect((await another.go('POST', page)).status).toBe(302);
    await doesNotGetIn(another);
  });

  test('only a press on our own page counts, not one by another site', async () => {
    const { page } = await wayOfMember();
    const browser = messages.browser();
    expect((await browser.go('POST', page, {}, 'cross-site')).status).toBe(403);
    expect((await browser.go('GET', page, {}, 'cross-site')).headers['content-security-policy']).toContain(
      "frame-ancestors 'none'",
    );
    await doesNotGetIn(browser);
  });

  test('a press counts for its own creator and site, and a made-up one for nobody', async () => {
    const { page } = await wayOfMember();
    const foreign = messages.browser();
    expect((await foreign.go('GET', page.replace(messages.shop.creator.handle, shop.creator.handle))).status).toBe(302);
    const browser = messages.browser();
    await browser.go('POST', page);
    const [[name, value]] = [...browser.cookies] as [[string, string]];
    for (const spoilt of [`${value.slice(0, -2)}AA`, 'x', '{}', '']) {
      const forger = messages.browser();
      forger.cookies.set(name, spoilt);
      await doesNotGetIn(forger);
    }
    const elsewhere = messages.browser();
    elsewhere.cookies.set(`chq_pressed_${shop.creator.id.slice(0, 8)}`, value);
    expect((await elsewhere.go('GET', enterUrl(), {}, 'cross-site')).html).toContain('Send me a code');
  });

  test('the names of other messages lead nowhere, however they are written', async () => {
    const { page, deliveryId } = await wayOfMember();
    const at = page.replace(/[^/]+$/, '');
    for (const part of [deliveryId, 'A'.repeat(22), `${'A'.repeat(21)}!`, '..%2f..%2fevil', "'%20or%201=1--"]) {
      const { status, location } = await messages.browser().go('GET', at + part);
      expect([302, 404], part).toContain(status);
      expect(location ?? '/l/', part).toMatch(/^\/l\//);
    }
  });

  test('it leads to the registered site alone, whatever the form says', async () => {
    for (const to of ['https://evil.example', '//evil.example', '/\\evil.example']) {
      const { page } = await wayOfMember();
      const browser = messages.browser();
      expect((await browser.go('POST', page, { to })).location).toBe(`${messages.blogUrl}/?creator-hq=enter`);
      const { location } = await browser.begin(to);
      expect(location).toMatch(new RegExp(`^${messages.blogUrl}/creator-hq-entered/`));
      expect((await world.comeBack(messages.shop, location!)).to).toBe('/pie/');
    }
  });
});

describe('joining with an address', () => {
  test('of a member, in capitals: they get a code, and pay nothing twice', async () => {
    await world.member(shop, 'loud@example.com');
    const again = await world.join(shop, 'LOUD@EXAMPLE.COM');
    expect([again.location, again.html]).toEqual([null, expect.stringContaining('is a member already')]);
    expect(await world.passOf(shop, 'loud@example.com')).toHaveLength(1);
  });

  test('of another creator’s member: it is sold as to anyone, and neither shop knows of the other', async () => {
    await world.member(other, 'both@example.com');
    expect(await world.isIn(shop, 'both@example.com')).toBe(false);
    await world.member(shop, 'both@example.com');
    const [here] = await world.passOf(shop, 'both@example.com');
    const [there] = await world.passOf(other, 'both@example.com');
    expect(here.contact_id).not.toBe(there.contact_id);
  });

  test('of someone who was a member: they join anew', async () => {
    const email = 'back@example.com';
    await world.member(shop, email);
    const [{ stripe_subscription_id: id }] = await world.passOf(shop, email);
    await world.stripe.subscriptions.cancel(id, {}, { stripeAccount: shop.account });
    await world.pass(1.1);
    expect(await world.isIn(shop, email)).toBe(false);
    await world.member(shop, email);
    expect((await world.passOf(shop, email)).map(({ isIn }) => isIn)).toEqual([true, false]);
  });
});

test('addresses of readers stand in no log above debug, whatever fails', async () => {
  const email = 'logged@example.com';
  await world.control.failNext({ kind: 'rate_limited', path: '/v1/checkout/sessions' });
  await world.join(shop, email);
  await world.member(shop, email);
  const state = stateIn((await world.visit('POST', enterUrl(), { email })).html);
  await world.visit('POST', enterUrl(), { state, code: '000000' });
  await world.visit('POST', enterUrl(), { state, code: await codeOf(email) });
  await world.visit('GET', `/join/${shop.creator.handle}?email=${encodeURIComponent(email)}`);
  world.blogs.status = 500;
  await world.work();
  world.blogs.status = 200;
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => /@example\.com|%40example/.test(line))).toEqual([]);
});

// Last: what runs here has the old key alone.
test('all that is sealed for memberships is sealed anew by rotate-keys', async () => {
  const { encryptionKeys } = world.deps.keys;
  const { rows: columns } = await world.app.db.enginePool.query<{ table_name: string; column_name: string }>(
    `select c.table_name, c.column_name from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.data_type = 'text' and t.table_type = 'BASE TABLE'`,
  );
  const sealedBy = async (id: string) => {
    const found: string[] = [];
    for (const { table_name: table, column_name: column } of columns) {
      const { rows } = await world.app.db.enginePool.query(`select from "${table}" where "${column}" ~ $1`, [
        `^${id}[.]`,
      ]);
      if (rows.length > 0) found.push(`${table}.${column}`);
    }
    return found;
  };
  const before = await sealedBy(encryptionKeys[0]!.id);
  expect(before).toContain('sites.signing_key');
  await rotateKeys(world.app.db.enginePool, [{ id: 'k9', key: Buffer.alloc(32, 9) }, ...encryptionKeys]);
  expect([await sealedBy(encryptionKeys[0]!.id), await sealedBy('k9')]).toEqual([[], before]);
});
