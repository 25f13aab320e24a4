/** A member changes tier or interval: what it costs is shown before, and is what is charged, once. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeTier, createTier, movePayers } from '#contract/tiers.ts';
import { FRIENDS } from '#server/testing/inputs.ts';
import { type FanWorld, joinUrl, type Shop, startFanWorld } from './testing/fan-world.ts';

const DAYS_IN_PERIOD = 10;

let world: FanWorld;
let shop: Shop;
let goldId: string;
let euroId: string;
let email: string;
let cookie: string;
let members = 0;

beforeAll(async () => {
  world = await startFanWorld();
  shop = await world.shop();
  const params = { creatorId: shop.creator.id };
  const gold = { ...FRIENDS, name: 'Gold', month: 900, year: 9000 };
  goldId = (await shop.owner.call(createTier, { params, body: gold })).body.id;
  const euro = { ...FRIENDS, name: 'Euro', currency: 'eur' as const };
  euroId = (await shop.owner.call(createTier, { params, body: euro })).body.id;
});
afterAll(() => world?.close());
beforeEach(async () => {
  email = `member${members++}@example.test`;
});

const account = () => `/join/${shop.creator.handle}/account?${new URL(joinUrl(shop), 'https://hq.test').searchParams}`;
const act = (fields: Record<string, string>, whose = cookie) => world.visit('POST', account(), fields, whose);
const tokenIn = (html: string) => /name="token" value="([^"]+)"/.exec(html)?.[1] ?? '';
const shown = async (tierId: string, interval = 'month') => {
  const { status, html } = await act({ act: 'preview', choice: `${tierId} ${interval}` });
  return { status, html, token: tokenIn(html) };
};
const join = async (interval: 'month' | 'year' = 'month') => {
  await world.member(shop, email, interval);
  cookie = await world.enterAccount(shop, email);
};
const paid = async () => (await world.passOf(shop, email))[0];
const charged = async () => {
  const charges = await world.app.deps.accounts!.of(shop.account).chargesOf(await customer());
  return charges.reduce((sum, { amount }) => sum + amount, 0);
};
const customer = async () => {
  const { rows } = await world.app.db.enginePool.query(
    `select f.customers[1] as id from fans f join contacts c on c.creator_id = f.creator_id and c.id = f.contact_id where c.email_key = $1`,
    [email],
  );
  return rows[0].id;
};
const now = (html: string) => Math.round(Number(/You pay \$([\d.]+) now/.exec(html)![1]) * 100);

test('who changes their tier is not moved to the price of the one before', async () => {
  await join();
  const params = { creatorId: shop.creator.id, tierId: shop.tierId };
  await shop.owner.call(changeTier, { params, body: { ...FRIENDS, month: 500 } });
  const body = { interval: 'month' as const, amount: 400, toAmount: 500 };
  expect((await shop.owner.call(movePayers, { params, body })).status).toBe(200);
  await world.work();
  expect(await paid()).toMatchObject({ moves_to: expect.any(String) });
  await act({ act: 'change', token: (await shown(goldId)).token });
  expect(await paid()).toMatchObject({ tier_id: goldId, moves_to: null });
  await shop.owner.call(changeTier, { params, body: FRIENDS });
});

test('a dearer tier begins at once and charges what was shown, once however often it is pressed; the blog opens it at once', async () => {
  await join();
  await world.pass(DAYS_IN_PERIOD);
  const { html, token } = await shown(goldId);
  expect(html).toContain('Change to Gold');
  expect(now(html)).toBeGreaterThan(0);
  expect(now(html)).toBeLessThan(900 - 400);
  const before = await charged();
  const [one, other] = await Promise.all([act({ act: 'change', token }), act({ act: 'change', token })]);
  expect([one.status, other.status]).toContain(303);
  await act({ act: 'change', token });
  expect((await charged()) - before).toBe(now(html));
  expect(await paid()).toMatchObject({ tier_id: goldId, amount: 900 });
  expect((await world.app.mails(email)).map(({ subject }) => subject)).toContainEqual(
    expect.stringContaining('Your membership is Gold now'),
  );
  const { html: page } = await world.visit('GET', account(), {}, cookie);
  const [, back] = /class="button" href="([^"]+)">Back to the recipe/.exec(page)!;
  const { location } = await world.visit('GET', back!.replaceAll('&amp;', '&'), {}, cookie);
  const { token: word, to } = await world.comeBack(shop, location!);
  expect(to).toBe('/cake/');
  expect(JSON.parse(Buffer.from(word!.split('.')[1]!, 'base64url').toString()).tiers).toHaveProperty(goldId);
});

test('a cheaper tier begins when what is paid is over; until then it can be taken back, and canceling ends it, too', async () => {
  await join();
  await act({ act: 'change', token: (await shown(goldId)).token });
  const before = await charged();
  const later = await shown(shop.tierId);
  expect(later.html).toContain('Nothing is charged now.');
  expect((await act({ act: 'change', token: later.token })).status).toBe(303);
  const planned = await world.visit('GET', account(), {}, cookie);
  expect(planned.html).toMatch(/it changes to Friends, \$4.00 a month/);
  expect(await paid()).toMatchObject({ tier_id: goldId });
  expect((await shown(shop.tierId, 'year')).html).toContain('Another change is planned.');
  await act({ act: 'keep' });
  expect(await paid()).toMatchObject({ next_at: null, schedule_id: null, cancel_at: null });
  await act({ act: 'change', token: (await shown(shop.tierId)).token });
  await act({ act: 'cancel' });
  expect(await paid()).toMatchObject({ next_at: null, cancel_at: expect.any(Date) });
  expect((await shown(shop.tierId)).html).toContain('It’s canceled. Keep it first.');
  await act({ act: 'keep' });
  await act({ act: 'change', token: (await shown(shop.tierId)).token });
  expect(await charged()).toBe(before);
  await world.pass(32);
  expect(await paid()).toMatchObject({ tier_id: shop.tierId, amount: 400, next_at: null });
  expect((await charged()) - before).toBe(400);
});

test('a change that the bank refuses takes nothing of what is paid', async () => {
  await join();
  await world.pass(DAYS_IN_PERIOD);
  const { token } = await shown(goldId);
  const methods = await world.stripe.paymentMethods.list(
    { customer: await customer() },
    { stripeAccount: shop.account },
  );
  for (const { id } of methods.data) await world.control.setBehavior(id, { kind: 'fails', code: 'insufficient_funds' });
  await act({ act: 'change', token });
  await world.pass(2);
  expect(await paid()).toMatchObject({ tier_id: shop.tierId, isIn: true });
});

test('paying by the year begins now, by the month again after it', async () => {
  await join();
  const { html, token } = await shown(shop.tierId, 'year');
  expect(html).toMatch(/From [^<]+ on you pay \$40.00 a year/);
  await act({ act: 'change', token });
  expect(await paid()).toMatchObject({ billing_interval: 'year', amount: 4000 });
  expect((await shown(goldId, 'month')).html).toContain('Nothing is charged now.');
  expect((await shown(goldId, 'year')).html).toContain('now.');
});

test('what was shown counts for a quarter of an hour, for who was shown it, as it was sealed', async () => {
  await join();
  const { token } = await shown(goldId);
  const before = await charged();
  const first = cookie;
  email = `member${members++}@example.test`;
  await join();
  const refused = async (given: string, whose = cookie) => {
    const { status, html } = await act({ act: 'change', token: given }, whose);
    expect([status, html.includes('What this costs has changed.')]).toEqual([409, true]);
  };
  await refused(token);
  await refused(`${token.slice(0, -3)}xxx`, first);
  await refused('', first);
  await world.pass(16 / 1440);
  await refused(token, first);
  email = `member${members - 2}@example.test`;
  expect(await charged()).toBe(before);
});

test('what is in another currency, gone or no tier at all is not changed to', async () => {
  await join();
  expect((await shown(euroId)).html).toContain('another currency');
  expect((await shown(shop.creator.id)).html).toContain('for sale any longer');
  expect((await act({ act: 'preview', choice: 'no tier' })).status).toBe(303);
  expect((await shown(shop.tierId)).html).toContain('You have this already.');
});
