/** From the price to the recipe and out again, over the simulator, a database and the real routes. */

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { getMemberFigures } from '#contract/members.ts';
import { getMembersMoney } from '#contract/members-money.ts';
import { openPassedRecipe, passRecipe } from '#contract/plugin.ts';
import { listTiers, setLateDays } from '#contract/tiers.ts';
import { erase } from '#server/features/contacts/erasure.ts';
import { refundMembership } from './ending.ts';
import { grantKnown } from './entering.ts';
import { fetchMoney, readMoney } from './money.ts';
import { changeLateDays, fetchFan } from './sync.ts';
import { type FanWorld, joinUrl, type Shop, START, startFanWorld } from './testing/fan-world.ts';

let world: FanWorld;
let shop: Shop;
let trying: Shop;
let fans = 0;
let email: string;
beforeAll(async () => {
  world = await startFanWorld();
  shop = await world.shop();
  trying = await world.shop({ trialDays: 7 });
});
afterAll(() => world?.close());
beforeEach(() => {
  email = `fan${++fans}@example.com`;
});
afterEach(async () => {
  expect(await world.control.unimplemented()).toEqual([]);
});

const subjects = async () => (await world.app.mails(email)).map(({ subject }) => subject.replace(/^@\S+: /, ''));

test('a payment that Stripe tells of before its payer is known is a member’s all the same', async () => {
  const other = await world.shop();
  const { location } = await world.join(other, 'early@example.com');
  await world.pay(location!);
  await fetchMoney(world.deps, other.creator.id);
  const { body } = await other.owner.call(getMembersMoney, { params: { creatorId: other.creator.id } });
  expect(body.months).toMatchObject([{ gross: 400, other: 0 }]);
});

test('who becomes a member in a browser to which a recipe was passed is counted so, once', async () => {
  const other = await world.shop();
  const callHub = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${other.key}` };
    const answer = await world.app
      .visitor()
      .send({ method: 'POST', url: `/api/v1${path}`, headers, body: body as never });
    return answer.body as { token: string; secret: string; link: string };
  };
  const deviceIn = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).device;
  const { html } = await world.member(other, 'passes@example.com');
  const { token, secret } = await world.comeBack(other, await world.goBack(html));
  const { link } = await callHub(passRecipe.path, { device: deviceIn(token!), secret, post: 11 });
  const opened = await callHub(openPassedRecipe.path, { link: link.split('.')[1], device: null, secret: null });
  const join = async (who: string) => {
    const at = `${joinUrl(other)}&friend=${deviceIn(opened.token)}`;
    const { location } = await world.visit('POST', at, { email: who, choice: `${other.tierId} month` });
    const done = await world.pay(location!);
    await world.visit('GET', done);
    await world.visit('GET', done);
  };
  const figures = async () =>
    (await other.owner.call(getMemberFigures, { params: { creatorId: other.creator.id } })).body;
  expect(await figures()).toMatchObject({ joined: 1, joinedByPassing: 0 });
  await join('friend@example.com');
  expect(await figures()).toMatchObject({ joined: 2, joinedByPassing: 1 });
  await join('again@example.com');
  expect(await figures()).toMatchObject({ joined: 3, joinedByPassing: 1 });
});

test('an address with a slip in it is asked about once, before anything is paid', async () => {
  const other = await world.shop();
  const wish = { email: 'rita@gmial.com', choice: `${other.tierId} month` };
  const asked = await world.visit('POST', joinUrl(other), wish);
  expect([asked.status, asked.html]).toEqual([422, expect.stringContaining('Did you mean rita@gmail.com?')]);
  expect(asked.html).toContain('name="sure" value="rita@gmial.com"');
  expect((await world.visit('POST', joinUrl(other), { ...wish, sure: 'rita@gmial.com' })).status).toBe(303);
  expect((await world.visit('POST', joinUrl(other), { ...wish, email: 'rita@gmail.com' })).status).toBe(303);
});

test('late days are seven until their creator chooses others, fourteen at most', async () => {
  const { owner, creator } = await world.shop();
  const params = { creatorId: creator.id };
  const lateDays = async () => (await owner.call(listTiers, { params })).body.lateDays;
  expect(await lateDays()).toBe(7);
  expect((await owner.call(setLateDays, { params, body: { days: 15 } })).status).toBe(422);
  expect((await owner.call(setLateDays, { params, body: { days: 0 } })).status).toBe(200);
  expect(await lateDays()).toBe(0);
});

test('mails to members are in their creator’s name, and answers go there', async () => {
  const other = await world.shop();
  await world.app.db.engine
    .insertInto('senders')
    .values({ creator_id: other.creator.id, name: 'Anna', address: 'anna@example.com', updated_at: new Date() })
    .execute();
  await world.member(other, 'named@example.com');
  const mails = await world.app.db.engine
    .selectFrom('mails')
    .select(['from_name', 'reply_to'])
    .where('recipient', '=', 'named@example.com')
    .execute();
  expect(mails).toEqual([{ from_name: 'Anna', reply_to: 'anna@example.com' }]);
});

test('who deletes their account takes no new members; present ones still cancel', async () => {
  const other = await world.shop();
  await world.app.db.enginePool.query('update creators set delete_at = $2 where id = $1', [
    other.creator.id,
    new Date(world.app.clock.now().getTime() + 86_400_000),
  ]);
  const { handle } = other.creator;
  for (const path of ['', '/gift']) {
    for (const method of ['GET', 'POST'] as const) {
      expect(await world.visit(method, `/join/${handle}${path}`)).toMatchObject({ status: 410 });
    }
  }
  for (const path of ['/cancel', '/withdraw', '/account']) {
    expect((await world.visit('GET', `/join/${handle}${path}`)).status, path).toBe(200);
  }
});

test('a reader pays and is back at the recipe, signed in, without any message of Stripe’s', async () => {
  const page = await world.visit('GET', joinUrl(shop));
  expect(page.html).toContain('$4.00');
  const done = await world.member(shop, email);
  expect([done.status, done.html]).toEqual([200, expect.stringContaining(email)]);
  const { token, to } = await world.comeBack(shop, await world.goBack(done.html));
  expect([token?.slice(0, 5), to]).toEqual(['chq1.', '/cake/']);
  expect(await world.passOf(shop, email)).toMatchObject([
    { source: 'stripe', status: 'active', amount: 400, isIn: true },
  ]);
  expect(await subjects()).toEqual(['You’re a member: Friends']);
  // Late, it lets in again with another grant, and makes nothing twice.
  expect((await world.comeBack(shop, await world.goBack(done.html))).token).toMatch(/^chq1\./);
  expect(await world.passOf(shop, email)).toHaveLength(1);
});

test('a tier’s picture is shown where readers join, and nothing else may be loaded there', async () => {
  const shown = await world.shop({ pictureUrl: 'https://anna.example/soup"onload="x.jpg' });
  const { headers, body } = await world.app.app.inject({ method: 'GET', url: joinUrl(shown) });
  expect(body).toContain('<img src="https://anna.example/soup&quot;onload=&quot;x.jpg" alt="">');
  expect(headers['content-security-policy']).toContain('; img-src https://anna.example');
  const { headers: plain } = await world.app.app.inject({ method: 'GET', url: joinUrl(shop) });
  expect(plain['content-security-policy']).not.toContain('img-src');
});

test('the page to join is small, has no script, and asks nobody else', async () => {
  const { html } = await world.visit('GET', joinUrl(shop));
  expect(gzipSync(html).length).toBeLessThan(5_000);
  expect(html).not.toMatch(/<script|<link|<img|src=|@import|url\(/);
});

test('whoever pays goes on, whoever cancels reads on until the end of what is paid', async () => {
  await world.member(shop, email);
  await world.pass(32);
  expect(await world.passOf(shop, email)).toMatchObject([{ status: 'active', isIn: true }]);
  const cookie = await world.enterAccount(shop, email);
  const account = `/join/${shop.creator.handle}/account`;
  const before = await world.visit('GET', account, {}, cookie);
  expect(before.html).toContain('$4.00 a month');
  expect((await world.visit('POST', account, { act: 'cancel' }, cookie)).status).toBe(303);
  expect((await world.visit('GET', account, {}, cookie)).html).toContain('Nothing more is charged.');
  await world.visit('POST', account, { act: 'keep' }, cookie);
  expect((await world.visit('GET', account, {}, cookie)).html).toContain('The next payment is on');
  await world.visit('POST', account, { act: 'cancel' }, cookie);
  await world.pass(20);
  expect(await world.isIn(shop, email)).toBe(true);
  await world.pass(20);
  expect(await world.isIn(shop, email)).toBe(false);
  expect(await subjects()).toEqual(expect.arrayContaining(['Your membership goes on']));
});

test('a late payer reads on for seven days, is told three times, and pays on Stripe’s page', async () => {
  await world.member(shop, email);
  const [{ stripe_subscription_id: id }] = await world.passOf(shop, email);
  const options = { stripeAccount: shop.account };
  const { default_payment_method: card } = await world.stripe.subscriptions.retrieve(id, {}, options);
  await world.control.setRetries({ afterDays: [3, 5, 7], atEnd: 'past_due' });
  await world.control.setBehavior(card as string, { kind: 'fails', code: 'insufficient_funds' });
  // Months differ.
  await world.pass(27);
  const late = async () => (await world.passOf(shop, email))[0].status === 'past_due';
  while (!(await late())) await world.pass(1);
  expect(await world.isIn(shop, email)).toBe(true);
  const saidToBlog = async () => {
    const begun = {
      siteId: shop.siteId,
      start: createHash('sha256').update(START).digest('base64url'),
      to: '/cake/',
      goesByPath: true,
    };
    const [{ contact_id: contactId }] = await world.passOf(shop, email);
    const back = await world.app.db.withCreator(shop.creator.id, (trx) =>
      grantKnown(world.app.deps, trx, { creatorId: shop.creator.id, contactId, begun }),
    );
    const { token } = await world.comeBack(shop, back!);
    return JSON.parse(Buffer.from(token!.split('.')[1]!, 'base64url').toString());
  };
  expect(await saidToBlog()).toMatchObject({ isLate: true });
  for (let day = 0; day < 8; day++) await world.pass(1);
  const cookie = await world.enterAccount(shop, email);
  expect(await world.isIn(shop, email)).toBe(false);
  expect((await subjects()).filter((one) => one === 'Your payment didn’t go through')).toHaveLength(3);
  await world.control.setBehavior(card as string, { kind: 'good' });
  const account = `/join/${shop.creator.handle}/account`;
  const { location } = await world.visit('POST', account, { act: 'pay' }, cookie);
  await world.submit(location!, { number: '4242424242424242' });
  await world.pass(0.7);
  expect(await world.isIn(shop, email)).toBe(true);
  expect((await subjects()).filter((one) => one === 'Your payment went through')).toHaveLength(1);
  expect((await saidToBlog()).isLate).toBeUndefined();
});

test('a payment that Stripe gave up on is not said to have gone through', async () => {
  await world.member(shop, email);
  const [{ stripe_subscription_id: id }] = await world.passOf(shop, email);
  const { default_payment_method: card } = await world.stripe.subscriptions.retrieve(
    id,
    {},
    { stripeAccount: shop.account },
  );
  await world.control.setRetries({ afterDays: [3, 5, 7], atEnd: 'unpaid' });
  await world.control.setBehavior(card as string, { kind: 'fails', code: 'insufficient_funds' });
  await world.pass(27);
  const status = async () => (await world.passOf(shop, email))[0].status;
  for (let day = 0; day < 30 && (await status()) !== 'unpaid'; day++) await world.pass(1);
  expect([await status(), await world.isIn(shop, email)]).toEqual(['unpaid', false]);
  expect(await subjects()).not.toContain('Your payment went through');
  await world.control.setRetries({ afterDays: [3, 5, 7], atEnd: 'cancel' });
});

test('how long late payers read on is their creator’s choice, and counts at once for who is late', async () => {
  const creatorId = shop.creator.id;
  const choose = (days: number) =>
    world.app.db.withCreator(creatorId, (trx) => changeLateDays(world.deps, trx, { creatorId, days }));
  await world.member(shop, email);
  const [{ stripe_subscription_id: id }] = await world.passOf(shop, email);
  const { default_payment_method: card } = await world.stripe.subscriptions.retrieve(
    id,
    {},
    { stripeAccount: shop.account },
  );
  await world.control.setRetries({ afterDays: [3, 5, 7, 9], atEnd: 'past_due' });
  await world.control.setBehavior(card as string, { kind: 'fails', code: 'insufficient_funds' });
  await world.pass(27);
  while ((await world.passOf(shop, email))[0].status !== 'past_due') await world.pass(1);
  const account = `/join/${shop.creator.handle}/account`;
  const cookie = await world.enterAccount(shop, email);
  for (const [days, isIn, says] of [
    [0, false, 'you don’t read on until it’s paid'],
    [14, true, 'You read on until'],
  ] as const) {
    await choose(days);
    await world.work();
    expect(await world.isIn(shop, email)).toBe(isIn);
    expect((await world.visit('GET', account, {}, cookie)).html).toContain(says);
  }
  const [{ ends_at: until, paid_until: paidUntil }] = await world.passOf(shop, email);
  expect(until.getTime() - paidUntil.getTime()).toBe(14 * 86_400_000);
  while (world.app.clock.now().getTime() + 86_400_000 < until.getTime()) {
    await world.pass(1);
    expect(await world.isIn(shop, email)).toBe(true);
  }
  await world.pass(1);
  expect(await world.isIn(shop, email)).toBe(false);
  await choose(7);
});

test('two tabs pay for one address: one goes on, the other is given back in full and told once', async () => {
  const [one, other] = await Promise.all([world.join(shop, email), world.join(shop, email, 'year')]);
  const urls = [one, other].flatMap(({ location }) => location ?? []);
  const backs = [];
  for (const url of urls) backs.push(await world.pay(url).catch(() => null));
  for (const back of backs) if (back !== null) await world.visit('GET', back);
  await world.work();
  const rows = await world.passOf(shop, email);
  expect(rows.filter(({ isIn }) => isIn)).toHaveLength(1);
  const lines = (await world.control.money()).filter(({ kind }) => kind === 'charged' || kind === 'refunded');
  const own = await Promise.all(
    lines.map(async (line) => {
      const customer = await world.stripe.customers
        .retrieve(line.customer, {}, { stripeAccount: shop.account })
        .catch(() => null);
      return customer !== null && !customer.deleted && customer.email === email ? line : null;
    }),
  );
  const kept = own.reduce(
    (sum, line) => sum + (line === null ? 0 : line.kind === 'charged' ? line.cents : -line.cents),
    0,
  );
  expect([400, 4000]).toContain(kept);
});

test('who paid twice gets it back and is told once, whatever breaks meanwhile', async () => {
  await world.member(shop, email);
  const [{ stripe_subscription_id: id, contact_id: contactId }] = await world.passOf(shop, email);
  const options = { stripeAccount: shop.account };
  const { customer, items, default_payment_method } = await world.stripe.subscriptions.retrieve(id, {}, options);
  const { id: second } = await world.stripe.subscriptions.create(
    {
      ...{ customer: customer as string, items: [{ price: items.data[0]!.price.id }] },
      default_payment_method: default_payment_method as string,
    },
    options,
  );
  await world.control.failNext({ kind: 'rate_limited', path: '/v1/refunds' });
  await fetchFan(world.deps, { creatorId: shop.creator.id, contactId }).catch(() => {});
  for (let turn = 0; turn < 3; turn++) await world.pass(0.02);
  const lines = (await world.control.money()).filter(({ period }) => period?.subscription === second);
  expect(lines.map(({ kind, cents }) => [kind, cents])).toEqual([
    ['charged', 400],
    ['refunded', 400],
  ]);
  expect((await subjects()).filter((one) => /paid twice/.test(one))).toHaveLength(1);
  expect(await world.isIn(shop, email)).toBe(true);
});

test('a late payer who is out can join anew: the new membership stays, the old one ends', async () => {
  await world.member(shop, email);
  const [{ stripe_subscription_id: id }] = await world.passOf(shop, email);
  const options = { stripeAccount: shop.account };
  const { default_payment_method: card } = await world.stripe.subscriptions.retrieve(id, {}, options);
  await world.control.setRetries({ afterDays: [3, 5, 7], atEnd: 'past_due' });
  await world.control.setBehavior(card as string, { kind: 'fails', code: 'insufficient_funds' });
  await world.pass(32);
  for (let day = 0; day < 9; day++) await world.pass(1);
  expect(await world.isIn(shop, email)).toBe(false);
  await world.member(shop, email, 'year');
  await world.work();
  expect(await world.isIn(shop, email)).toBe(true);
  const passes = await world.passOf(shop, email);
  expect(passes.map(({ ended_at, billing_interval }) => [billing_interval, ended_at !== null])).toEqual([
    ['year', false],
    ['month', true],
  ]);
  expect((await world.stripe.subscriptions.retrieve(id, {}, options)).status).toBe('canceled');
  const second = passes[0].stripe_subscription_id;
  const lines = (await world.control.money()).filter(({ period }) => period?.subscription === second);
  expect(lines.map(({ kind, cents }) => [kind, cents])).toEqual([['charged', 4000]]);
  expect(await subjects()).not.toContainEqual(expect.stringMatching(/paid twice|has ended/));
});

test('a page that another tab overtook lets in whoever pays on it, without any message', async () => {
  await world.control.failNext({ kind: 'slow', method: 'POST', path: '/v1/checkout/sessions' });
  const from = (await world.control.calls()).length;
  const slow = world.join(shop, email);
  const isAsked = async () =>
    (await world.control.calls()).slice(from).some(({ path }) => path === '/v1/checkout/sessions');
  await expect.poll(isAsked).toBe(true);
  await world.join(shop, email, 'year');
  await world.control.letCallsGo();
  await world.pay((await slow).location!);
  await world.pass(0.02);
  expect(await world.isIn(shop, email)).toBe(true);
});

test('a page of Stripe’s is nobody’s but whose it was made for, whatever address another browser types', async () => {
  const theirs = (await world.join(shop, email)).location!;
  expect((await world.join(shop, email)).location).toBe(theirs);
  const other = joinUrl(shop).replace(/start=[\w-]+/, `start=${'o'.repeat(43)}`);
  const { location } = await world.visit('POST', other, { email, choice: `${shop.tierId} month` });
  expect(location).not.toBe(theirs);
  const byHand = await world.visit('POST', `/join/${shop.creator.handle}`, { email, choice: `${shop.tierId} month` });
  expect([theirs, location]).not.toContain(byHand.location);
  const again = await world.visit('POST', `/join/${shop.creator.handle}`, { email, choice: `${shop.tierId} month` });
  expect(again.location).not.toBe(byHand.location);
});

test('a member whose price is no tier’s any more can join anew', async () => {
  await world.member(shop, email);
  const [{ stripe_subscription_id: first }] = await world.passOf(shop, email);
  await world.app.db.enginePool.query(
    `update passes set stripe_price_id = 'price_special', ends_at = now() - interval '1 day' where stripe_subscription_id = $1`,
    [first],
  );
  const special = await world.stripe.prices.create(
    {
      product: (await world.stripe.products.list({ limit: 1 }, { stripeAccount: shop.account })).data[0]!.id,
      unit_amount: 100,
      currency: 'usd',
      recurring: { interval: 'month' },
    },
    { stripeAccount: shop.account },
  );
  const { items } = await world.stripe.subscriptions.retrieve(first, {}, { stripeAccount: shop.account });
  await world.stripe.subscriptions.update(
    first,
    { items: [{ id: items.data[0]!.id, price: special.id }], proration_behavior: 'none' },
    { stripeAccount: shop.account },
  );
  await world.member(shop, email);
  const passes = await world.passOf(shop, email);
  expect(passes.filter(({ ended_at }) => ended_at === null)).toHaveLength(1);
  expect(await world.isIn(shop, email)).toBe(true);
});

test('who paid a moment ago in another tab is a member, whatever they choose in this one', async () => {
  const { location } = await world.join(shop, email);
  await world.pay(location!);
  const other = await world.join(shop, email, 'year');
  expect([other.location, other.html]).toEqual([null, expect.stringContaining('is a member already')]);
  expect(await world.passOf(shop, email)).toHaveLength(1);
});

test('an address of a member is sold nothing: it gets a code, which lets them in', async () => {
  await world.member(shop, email);
  const again = await world.join(shop, email.toUpperCase());
  expect([again.status, again.location]).toEqual([200, null]);
  expect(again.html).toContain('is a member already');
  const state = /name="state" value="([^"]+)"/.exec(again.html)![1]!;
  const code = (await world.app.mails(email)).at(-1)!.subject.slice(0, 6);
  const entered = await world.visit('POST', joinUrl(shop), { state, code });
  expect((await world.comeBack(shop, entered.html)).token).toMatch(/^chq1\./);
});

test('a cancellation without login is the same page for everybody, and can be called back from its mail', async () => {
  await world.member(shop, email);
  const at = `/join/${shop.creator.handle}/cancel`;
  const known = await world.visit('POST', at, { email, name: 'Fan' });
  const unknown = await world.visit('POST', at, { email: 'nosuch@example.com', name: 'Fan' });
  expect([unknown.status, unknown.html]).toEqual([known.status, known.html]);
  await world.work();
  expect(await world.passOf(shop, email)).toMatchObject([{ cancel_at: expect.any(Date), isIn: true }]);
  const mail = (await world.app.mails(email)).find(({ subject }) => subject.includes('We received your cancellation'))!;
  expect(mail.text).toMatch(
    /On \w+ \d+, \d{4} at [\d: APM]+ UTC, Fan declared: cancellation of the membership Friends/,
  );
  const [link] = /\/join\/\S+\/keep\/\S+/.exec(mail.text)!;
  expect((await world.visit('GET', link)).html).toContain('Keep my membership');
  expect(await world.passOf(shop, email)).toMatchObject([{ cancel_at: expect.any(Date) }]);
  await world.visit('POST', link);
  expect(await world.passOf(shop, email)).toMatchObject([{ cancel_at: null }]);
  expect((await world.visit('POST', `${link}x`)).status).toBe(404);
  expect(await world.app.mails('nosuch@example.com')).toEqual([]);
});

test('a withdrawal within 14 days ends it a day later, and gives everything back once', async () => {
  await world.member(shop, email);
  await world.visit('POST', `/join/${shop.creator.handle}/withdraw`, { email });
  await world.work();
  expect(await world.isIn(shop, email)).toBe(true);
  await world.pass(1.1);
  await world.work();
  expect(await world.isIn(shop, email)).toBe(false);
  await world.pass(1);
  const [row] = await world.passOf(shop, email);
  const subscription = row.stripe_subscription_id;
  const refunds = (await world.control.money()).filter(
    ({ kind, period }) => kind === 'refunded' && period?.subscription === subscription,
  );
  expect(refunds.map(({ cents }) => cents)).toEqual([400]);
  const later = `late-${email}`;
  await world.member(shop, later);
  await world.pass(15);
  await world.visit('POST', `/join/${shop.creator.handle}/withdraw`, { email: later });
  await world.pass(2);
  expect(await world.isIn(shop, later)).toBe(true);
});

test('who is back and paid is in soon, though Stripe does not answer when they return', async () => {
  await world.member(shop, email);
  const [{ stripe_subscription_id: id }] = await world.passOf(shop, email);
  await world.stripe.subscriptions.cancel(id, {}, { stripeAccount: shop.account });
  await world.pass(1.1);
  const { location } = await world.join(shop, email);
  const back = await world.pay(location!);
  await world.control.failNext({ kind: 'error_after', path: '/v1/subscriptions' });
  expect((await world.visit('GET', back)).html).toContain('One moment');
  expect(await world.isIn(shop, email)).toBe(false);
  await world.pass(0.02);
  expect(await world.isIn(shop, email)).toBe(true);
});

test.for([false, true])(
  'who withdraws before we know what they paid gets it back; looked before: %s',
  async (looks) => {
    const { location } = await world.join(shop, email);
    const back = await world.pay(location!);
    if (looks) {
      await world.control.failNext({ kind: 'error_after', path: '/v1/subscriptions' });
      await world.visit('GET', back);
    }
    await world.visit('POST', `/join/${shop.creator.handle}/withdraw`, { email });
    await world.work();
    const [{ stripe_subscription_id: id }] = await world.passOf(shop, email);
    await world.pass(1.1);
    expect(await world.isIn(shop, email)).toBe(false);
    const lines = (await world.control.money()).filter(({ period }) => period?.subscription === id);
    expect(lines.map(({ kind, cents }) => [kind, cents])).toEqual([
      ['charged', 400],
      ['refunded', 400],
    ]);
  },
);

test('what a bank pays after the membership was given back is given back, too', async () => {
  await world.member(shop, email, 'month', 'DE89370400440532013000');
  const [{ stripe_subscription_id: id, contact_id: contactId }] = await world.passOf(shop, email);
  await refundMembership(world.deps, { creatorId: shop.creator.id, contactId });
  for (let day = 0; day < 6; day++) await world.pass(1.1);
  const lines = (await world.control.money()).filter(({ period }) => period?.subscription === id);
  expect(lines.map(({ kind, cents }) => [kind, cents])).toEqual([
    ['charged', 400],
    ['refunded', 400],
  ]);
});

test('the last wish counts, whatever became of the answer to the one before', async () => {
  await world.member(shop, email);
  const cookie = await world.enterAccount(shop, email);
  const wish = (act: string) => world.visit('POST', `/join/${shop.creator.handle}/account`, { act }, cookie);
  expect((await wish('cancel')).status).toBe(303);
  await world.control.failNext({ kind: 'error_after', method: 'POST' });
  expect((await wish('keep')).html).toContain('Stripe doesn’t answer right now');
  expect((await wish('cancel')).status).toBe(303);
  await world.pass(1);
  expect(await world.passOf(shop, email)).toMatchObject([{ cancel_at: expect.any(Date) }]);
});

test('what a bank takes back lets no one in, and a dispute that was won does', async () => {
  await world.member(shop, email);
  const [{ stripe_subscription_id: id }] = await world.passOf(shop, email);
  const charge = (await world.control.money()).find(({ period }) => period?.subscription === id)!.charge;
  const shown = async () => {
    await fetchMoney(world.deps, shop.creator.id);
    return (await world.app.db.withCreator(shop.creator.id, (trx) => readMoney(world.app.deps, trx))).disputes;
  };
  const dispute = await world.control.dispute(charge);
  await world.pass(1.1);
  expect(await world.isIn(shop, email)).toBe(false);
  // Until when their creator answers is shown, as long as it is open.
  expect(await shown()).toMatchObject([{ id: dispute, email, amount: 400, currency: 'usd' }]);
  expect((await shown())[0]!.answerBy! > world.app.clock.now().toISOString()).toBe(true);
  await world.control.closeDispute(dispute, true);
  await world.pass(1.1);
  expect(await world.isIn(shop, email)).toBe(true);
  expect(await shown()).toEqual([]);
});

test('a trial is for new members, and the price of a plan that ended is another one’s', async () => {
  await world.member(trying, email);
  expect(await world.passOf(trying, email)).toMatchObject([{ status: 'trialing', isIn: true }]);
  expect(await subjects()).toEqual(['You’re a member: Friends']);
  await world.pass(6.5);
  expect(await subjects()).toContainEqual(expect.stringMatching(/^Your trial ends on/));
  await world.pass(1.5);
  expect(await world.passOf(trying, email)).toMatchObject([{ status: 'active', isIn: true }]);
});

test('other tools of the creator hear who joined', async () => {
  const { id } = trying.creator;
  await world.app.db.enginePool.query(
    `insert into outgoing_endpoints (creator_id, id, url, types, secret, created_at)
     values ($1, gen_random_uuid(), 'https://tool.example/', '{member}', 'sealed', now())`,
    [id],
  );
  await world.member(trying, email);
  const { rows } = await world.app.db.enginePool.query('select data from outgoing_events where creator_id = $1', [id]);
  expect(rows.map(({ data }) => data)).toMatchObject([{ change: 'joined', email, tier: 'Friends' }]);
});

test('whoever is erased pays no longer', async () => {
  await world.member(shop, email);
  const [{ stripe_subscription_id: id, contact_id: contactId }] = await world.passOf(shop, email);
  await erase(world.app.deps, { creatorId: shop.creator.id, contactId, userId: null });
  await world.work();
  expect(await world.passOf(shop, email)).toEqual([]);
  const { status } = await world.stripe.subscriptions.retrieve(id, {}, { stripeAccount: shop.account });
  expect(status).toBe('canceled');
});

test.each([
  { said: {}, status: 422, says: 'Choose how' },
  { said: { email: 'no address', choice: 'TIER month' }, status: 422, says: 'isn’t an email address' },
  { said: { email: 'a@b.example', choice: 'TIER week' }, status: 422, says: 'Choose how' },
  {
    said: { email: 'a@b.example', choice: '00000000-0000-7000-8000-000000000000 month' },
    status: 422,
    says: 'for sale',
  },
])('refuses $said with words', async ({ said, status, says }) => {
  const fields = JSON.parse(JSON.stringify(said).replace('TIER', shop.tierId));
  const answer = await world.visit('POST', joinUrl(shop), fields);
  expect([answer.status, answer.html]).toEqual([status, expect.stringContaining(says)]);
});

test('the way back is a path of the blog, whatever the address says', async () => {
  const url = joinUrl(shop).replace('to=%2Fcake%2F', 'to=//evil.example/');
  const { location } = await world.visit('POST', url, { email, choice: `${shop.tierId} month` });
  const done = await world.visit('GET', await world.pay(location!));
  expect((await world.comeBack(shop, await world.goBack(done.html))).to).toBe('/');
});
