/** Codes: made by a creator, shown on the page to join, taken off at the simulator, and never used once too often. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  closeDiscountCode,
  createDiscountCode,
  type DiscountCodeInput,
  listDiscountCodes,
} from '#contract/discount-codes.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { createTier } from '#contract/tiers.ts';
import { FRIENDS } from '#server/testing/inputs.ts';
import { fetchFan } from './sync.ts';
import { type FanWorld, joinUrl, type Shop, startFanWorld } from './testing/fan-world.ts';

let world: FanWorld;
let shop: Shop;
let tokyo: Shop;
let count = 0;
let email: string;
beforeAll(async () => {
  world = await startFanWorld();
  [shop, tokyo] = [await world.shop({ trialDays: 7 }), await world.shop({ currency: 'jpy', month: 500, year: null })];
  // Owners are logged out by themselves once the clocks have jumped.
  await make({});
  await make({ code: 'ONE_OFF', percentOff: null, amountOff: 100, currency: 'usd', duration: 'months', months: 3 });
  await make({ code: 'FREE', percentOff: 100, duration: 'forever' }, tokyo);
});
afterAll(() => world?.close());
beforeEach(() => {
  email = `fan${++count}@example.com`;
});
afterEach(async () => {
  expect(await world.control.unimplemented()).toEqual([]);
});

const HALF: DiscountCodeInput = {
  ...{ code: 'HALF', percentOff: 50, amountOff: null, currency: null, duration: 'once', months: null },
  ...{ mostUses: null, lastDay: null, newOnly: false, tierId: null },
};
const make = (input: Partial<DiscountCodeInput>, of = shop) =>
  of.owner.call(createDiscountCode, { params: { creatorId: of.creator.id }, body: { ...HALF, ...input } });
const list = async (): Promise<ResponseOf<typeof listDiscountCodes>['items']> =>
  (await shop.owner.call(listDiscountCodes, { params: { creatorId: shop.creator.id } })).body.items;
const named = async (code: string) => (await list()).find((one) => one.code === code)!;
const join = (code: string, address = email, of = shop, interval = 'month') =>
  world.visit('POST', joinUrl(of), { email: address, choice: `${of.tierId} ${interval}`, code });
const become = async (code: string, address = email, of = shop) => {
  const { location, html } = await join(code, address, of);
  if (location === null) throw new Error(html);
  return world.visit('GET', await world.pay(location));
};
const paidBy = async (address: string, of = shop) => {
  const options = { stripeAccount: of.account };
  const { data } = await world.stripe.customers.list({ email: address }, options);
  const charges = await world.stripe.charges.list({ customer: data[0]!.id }, options);
  return charges.data.map(({ amount }) => amount).toReversed();
};

test.each([
  [{ code: 'HALF' }, 'code'],
  [{ code: 'hAlF' }, 'code'],
  [{ code: '🎂🎂🎂' }, 'code'],
  [{ code: 'x'.repeat(300) }, 'code'],
  [{ percentOff: 101 }, 'percentOff'],
  [{ percentOff: 0 }, 'percentOff'],
  [{ percentOff: -5 }, 'percentOff'],
  [{ percentOff: null }, 'percentOff'],
  [{ amountOff: 100, currency: 'usd' as const }, 'percentOff'],
  [{ percentOff: null, amountOff: -100, currency: 'usd' as const }, 'amountOff'],
  [{ percentOff: null, amountOff: 0.5, currency: 'usd' as const }, 'amountOff'],
  [{ percentOff: null, amountOff: 100, currency: 'eur' as const }, 'currency'],
  [{ percentOff: null, amountOff: 100 }, 'currency'],
  [{ duration: 'months' as const }, 'months'],
  [{ months: 3 }, 'months'],
  [{ duration: 'months' as const, months: 13 }, 'months'],
  [{ mostUses: 0 }, 'mostUses'],
  [{ lastDay: '2001-01-01' }, 'lastDay'],
  [{ lastDay: '2027-02-31' }, 'lastDay'],
  [{ tierId: '00000000-0000-7000-8000-000000000000' }, 'tierId'],
])('refuses %s', async (input, path) => {
  const { status, body } = await make({ code: 'SPRING', ...input });
  expect([status, body]).toMatchObject([422, { errors: [{ path }] }]);
});

test('of two with the last use at the same moment one gets it, and a page that is left gives it back', async () => {
  await make({ code: 'LAST', mostUses: 1 });
  const other = `other-${email}`;
  const answers = await Promise.all([join('LAST'), join('LAST', other)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422]);
  expect(answers.find(({ status }) => status === 422)!.html).toContain('This code is used up.');
  const first = answers[0]!.status === 303 ? email : other;
  // The same person goes on where they were.
  expect((await join('LAST', first)).location).toBe(answers.find(({ status }) => status === 303)!.location);
  expect(await named('LAST')).toMatchObject({ state: 'used_up', uses: 0 });
  await world.pass(0.2);
  expect(await named('LAST')).toMatchObject({ state: 'open', uses: 0 });
  const second = first === email ? other : email;
  await become('LAST', second);
  expect(await named('LAST')).toMatchObject({ state: 'used_up', uses: 1 });
  expect((await join('LAST', first)).html).toContain('This code is used up.');
});

test('each reason why it takes nothing off has its own words, before and while paying', async () => {
  const params = { creatorId: shop.creator.id };
  const { body: tier } = await shop.owner.call(createTier, { params, body: { ...FRIENDS, name: 'Family' } });
  await make({ code: 'FAMILY', tierId: tier.id });
  expect((await join('FAMILY')).html).toContain('isn’t for what you chose');
  expect((await join('NOSUCH🎂')).html).toContain('We don’t know this code');
  expect((await world.visit('GET', `${joinUrl(shop)}&code=nosuch`)).html).toContain('We don’t know this code');
  const { body: closed } = await make({ code: 'CLOSED' });
  const about = { params: { ...params, codeId: closed.id } };
  expect((await shop.owner.call(closeDiscountCode, about)).status).toBe(200);
  expect((await shop.owner.call(closeDiscountCode, about)).status).toBe(404);
  expect((await join('CLOSED')).html).toContain('isn’t good any longer');
  await make({ code: 'NEW', newOnly: true });
  await world.member(shop, email);
  const [{ stripe_subscription_id: id, contact_id: contactId }] = await world.passOf(shop, email);
  await world.stripe.subscriptions.cancel(id, {}, { stripeAccount: shop.account });
  await fetchFan(world.deps, { creatorId: shop.creator.id, contactId });
  expect((await join('NEW')).html).toContain('for new members only');
  const lastDay = world.app.clock.now().toISOString().slice(0, 10);
  await make({ code: 'TODAY', lastDay });
  expect((await join('TODAY', 'today@example.com')).status).toBe(303);
  await world.pass(2);
  expect((await join('TODAY', 'late@example.com')).html).toContain('its last day has passed');
});

test('whoever guesses twenty codes in an hour learns nothing of the next; elsewhere they go on', async () => {
  await make({ code: 'FIND_ME' });
  const at = `${joinUrl(shop)}&code=`;
  const guess = async (code: string, remoteAddress = '203.0.113.7') =>
    (await world.app.app.inject({ method: 'GET', url: at + code, remoteAddress })).body;
  const FOUND = '50% off the first payment';
  expect(await guess('find_me')).toContain(FOUND);
  for (let guessed = 0; guessed < 20; guessed++) expect(await guess(`wrong${guessed}`)).toContain('We don’t know this');
  expect(await guess('find_me')).toContain('Too many codes were tried from here');
  const asked = await world.app.app.inject({
    ...{ method: 'POST', url: joinUrl(shop), remoteAddress: '203.0.113.7' },
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    payload: new URLSearchParams({ email, choice: `${shop.tierId} month`, code: 'find_me' }).toString(),
  });
  expect([asked.statusCode, asked.body]).toEqual([429, expect.stringContaining('Too many codes')]);
  expect(await guess('find_me', '203.0.113.8')).toContain(FOUND);
  await world.pass(0.05);
  expect(await guess('find_me')).toContain(FOUND);
});

test('a link with a code shows the lowered price before paying; the first payment is lower, the next is not', async () => {
  expect(await named('HALF')).toMatchObject({ uses: 0, state: 'open', says: '50% off the first payment' });
  const { html } = await world.visit('GET', `${joinUrl(shop)}&code=half`);
  expect(html).toContain('50% off the first payment');
  expect(html).toMatch(/<s>.*\$4\.00<\/s> \$2\.00/);
  expect(html).not.toContain('days are free');
  expect(html).toContain('value="half"');
  await become('half');
  expect(await paidBy(email)).toEqual([200]);
  const charged = async () => (await world.passOf(shop, email))[0].charged;
  expect(await charged()).toBe(200);
  const [mail] = await world.app.mails(email);
  expect(mail!.text).toContain('$4.00 a month, 50% off the first payment');
  expect(await named('HALF')).toMatchObject({ uses: 1 });
  await world.pass(32);
  expect(await paidBy(email)).toEqual([200, 400]);
  expect(await charged()).toBe(400);
});

test('typed on the page, with another price chosen, it shows what that costs', async () => {
  const shown = await world.visit('POST', joinUrl(shop), { act: 'code', email: '', choice: '', code: ' one_off ' });
  expect([shown.status, shown.html]).toEqual([200, expect.stringMatching(/<s>.*\$40\.00<\/s> \$39\.00/)]);
  await become('ONE_OFF');
  for (let month = 0; month < 4; month++) await world.pass(31);
  expect((await paidBy(email)).slice(0, 5)).toEqual([300, 300, 300, 400, 400]);
});

test('one for good holds, and all of it can be taken off', async () => {
  await become('FREE', email, tokyo);
  expect(await world.isIn(tokyo, email)).toBe(true);
  await world.pass(35);
  expect(await world.isIn(tokyo, email)).toBe(true);
  expect(await paidBy(email, tokyo)).toEqual([]);
});
