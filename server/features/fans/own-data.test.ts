/** What readers do with their browsers and with what is known about them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { join } from '#server/features/contacts/joining.ts';
import { MOST_DEVICES } from './entering.ts';
import { givePass } from './passes.ts';
import { type FanWorld, type Shop, startFanWorld } from './testing/fan-world.ts';

let world: FanWorld;
let shop: Shop;
let readers = 0;
let email: string;
beforeAll(async () => {
  world = await startFanWorld();
  shop = await world.shop();
});
afterAll(() => world?.close());
beforeEach(async () => {
  email = `reader${++readers}@example.com`;
  await give(email);
});

const at = (path = '') => `/join/${shop.creator.handle}/account${path}`;
const give = (address: string) =>
  world.app.db.withCreator(shop.creator.id, (trx) =>
    givePass(world.app.deps, trx, {
      ...{ creatorId: shop.creator.id, email: address, tierId: shop.tierId, endsAt: null, note: null },
    }),
  );
const newBrowsers = async () => {
  await world.work();
  return (await world.app.mails(email)).filter(({ subject }) => subject.includes('A new browser came in'));
};
/** Five codes an hour. */
const enter = async () => {
  await world.app.clock.advance(15 * 60_000);
  return world.enterAccount(shop, email);
};

test('another browser is mailed, the first is not; the sixth says that one was logged out', async () => {
  const first = await enter();
  expect(await newBrowsers()).toHaveLength(0);
  await enter();
  const [mail] = await newBrowsers();
  expect(mail!.text).toContain(`of @${shop.creator.handle}`);
  expect(mail!.text).not.toContain('logged out');
  for (let more = 2; more < MOST_DEVICES; more++) await enter();
  const last = await enter();
  expect((await newBrowsers()).map(({ text }) => text.includes('was logged out'))).toEqual([
    ...Array.from({ length: MOST_DEVICES - 1 }, () => false),
    true,
  ]);
  expect((await world.visit('GET', at(), {}, first)).html).toContain('Send me a code');
  expect((await world.visit('GET', at(), {}, last)).html).toContain('(this one)');
});

test('one browser is logged out by another, and no other one', async () => {
  const cookies = [await enter(), await enter(), await enter()];
  const device = cookies[1]!.split('=')[1]!.split('.')[0]!;
  await world.visit('POST', at(), { act: 'sign_out', device }, cookies[0]);
  const pages = await Promise.all(cookies.map((cookie) => world.visit('GET', at(), {}, cookie)));
  expect(pages.map(({ html }) => html.includes('Where you’re logged in'))).toEqual([true, false, true]);
});

test('they take along all that is known of their address, no secrets, and nothing of who was joined to it', async () => {
  const cookie = await enter();
  const [contactId, otherId] = [await give(email), await give(`other-${email}`)];
  await world.app.db.withCreator(shop.creator.id, (trx) =>
    join(world.app.deps, trx, { creatorId: shop.creator.id, contactId, otherId, userId: null, why: 'by_hand' }),
  );
  const { status, html } = await world.visit('GET', at('/data'), {}, cookie);
  expect(status).toBe(200);
  const kinds = new Set(JSON.parse(html).items.map(({ what }: { what: string }) => what));
  expect([...kinds]).toEqual(expect.arrayContaining(['contact', 'pass', 'pass_change', 'member_device', 'entry']));
  expect(html).toContain(email);
  expect(html).not.toContain(`other-${email}`);
  expect(html).not.toMatch(/secret|_hash/);
});

test('they delete themselves: told what ends, what they pay is ended, and nobody knows them any more', async () => {
  email = `paying-${email}`;
  await world.member(shop, email);
  const [{ stripe_subscription_id: id }] = await world.passOf(shop, email);
  const cookie = await enter();
  const asked = await world.visit('GET', at('/delete'), {}, cookie);
  expect(asked.html).toMatch(
    /Your membership [^<]+ ends first, now, .* It’s paid until .* withdraw from the contract first/,
  );
  expect(await world.isIn(shop, email)).toBe(true);
  const done = await world.visit('POST', at('/delete'), {}, cookie);
  expect([done.status, done.html]).toEqual([200, expect.stringContaining('Nothing about you is held here')]);
  await world.work();
  expect((await world.stripe.subscriptions.retrieve(id, {}, { stripeAccount: shop.account })).status).toBe('canceled');
  expect((await world.visit('GET', at(), {}, cookie)).html).toContain('Send me a code');
  const { rows } = await world.app.db.enginePool.query('select from contacts where email = $1', [email]);
  expect(rows).toEqual([]);
});

test('who withdrew and deletes themselves within the day gets all of it back', async () => {
  email = `withdraws-${email}`;
  await world.member(shop, email);
  const [{ stripe_subscription_id: id }] = await world.passOf(shop, email);
  const cookie = await enter();
  await world.visit('POST', `/join/${shop.creator.handle}/withdraw`, { email });
  await world.work();
  expect((await world.visit('GET', at('/delete'), {}, cookie)).html).toContain('get back all you paid');
  await world.visit('POST', at('/delete'), {}, cookie);
  await world.work();
  const options = { stripeAccount: shop.account };
  const { customer, status } = await world.stripe.subscriptions.retrieve(id, {}, options);
  const { data } = await world.stripe.charges.list({ customer: customer as string }, options);
  expect([status, data.map(({ refunded }) => refunded)]).toEqual(['canceled', [true]]);
});
