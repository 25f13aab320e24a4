/** A membership that somebody gives: paid at the simulator, mailed on its day, over after its months, taken back with its payment. */
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CreatorTransaction } from '#server/db/database.ts';
import { readFigures } from './figures.ts';
import { explain, findMembers, readMember } from './members.ts';
import { fetchMoney, readMoney } from './money.ts';
import { type FanWorld, type Shop, startFanWorld } from './testing/fan-world.ts';

let world: FanWorld;
let shop: Shop;
let other: Shop;
let count = 0;
let to: string;
let from: string;
beforeAll(async () => {
  world = await startFanWorld({ MEMBERSHIP_FEE_PERCENT: '10' });
  [shop, other] = [await world.shop(), await world.shop({ month: 600, year: null })];
});
afterAll(() => world?.close());
beforeEach(() => {
  count++;
  [to, from] = [`reader${count}@example.com`, `giver${count}@example.com`];
});
afterEach(async () => {
  expect(await world.control.unimplemented()).toEqual([]);
});

const at = () => `/join/${shop.creator.handle}/gift`;
const dayIn = (days: number) =>
  new Date(world.app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
const ask = (said: Record<string, string> = {}) =>
  world.visit('POST', at(), { choice: `${shop.tierId} 3`, to, from, day: dayIn(0), words: 'Enjoy!', ...said });
const give = async (said: Record<string, string> = {}) => {
  const { location, html } = await ask(said);
  if (location === null) throw new Error(html);
  return world.visit('GET', await world.pay(location));
};
const mailed = async (address: string) =>
  (await world.app.mails(address)).map(({ subject }) => subject.replace(/^@\S+: /, ''));
const why = () => explain(world.deps, shop.creator.id, to);
const asCreator = <T>(of: Shop, read: (trx: CreatorTransaction) => Promise<T>) =>
  world.app.db.withCreator(of.creator.id, read);
const chargeOf = async () => {
  const customers = await world.stripe.customers.list({ email: from }, { stripeAccount: shop.account });
  return (await world.stripe.charges.list({ customer: customers.data[0]!.id }, { stripeAccount: shop.account }))
    .data[0]!;
};

test('a gift for today is mailed at once, opens with its button, reads for three months and no day longer', async () => {
  expect((await give()).html).toContain(to);
  await world.work();
  expect(await mailed(from)).toEqual(['Your gift: Friends for 3 months']);
  expect(await mailed(to)).toEqual(['A gift for you: Friends for 3 months']);
  expect(await world.passOf(shop, to)).toMatchObject([{ source: 'gift', isIn: true, stripe_subscription_id: null }]);
  expect(await chargeOf()).toMatchObject({ amount: 1200, application_fee_amount: 120 });
  const [, link] = /(http\S+\/gift\/\S+)/.exec((await world.app.mails(to))[0]!.text)!;
  const { pathname } = new URL(link!);
  expect((await world.visit('GET', pathname)).html).toContain('Your gift: Friends');
  const opened = await world.visit('POST', pathname);
  expect([opened.status, opened.location]).toEqual([303, expect.stringMatching(/\/account$/)]);
  const account = await world.visit('GET', opened.location!, {}, opened.cookies);
  expect(account.html).toContain('It was given to you until');
  expect((await world.visit('GET', `${pathname.slice(0, -2)}xx`)).status).toBe(404);
  await world.pass(88);
  expect(await world.isIn(shop, to)).toBe(true);
  expect((await world.visit('POST', pathname)).status).toBe(404);
  await world.pass(5);
  expect(await world.isIn(shop, to)).toBe(false);
  expect(await why()).toMatchObject({ reason: 'gift_over' });
  expect(await mailed(to)).toHaveLength(1);
});

test('one for later begins on its day, and says so meanwhile', async () => {
  const members = () => asCreator(shop, async (trx) => (await readFigures(trx, world.app.clock.now())).members);
  const before = await members();
  await give({ day: dayIn(40), choice: `${shop.tierId} 12`, words: '<b>Happy</b> birthday\r\n🎂' });
  await world.work();
  expect(await mailed(from)).toHaveLength(1);
  expect(await mailed(to)).toEqual([]);
  expect(await world.isIn(shop, to)).toBe(false);
  expect(await chargeOf()).toMatchObject({ amount: 4000 });
  const { reason, contactId } = await why();
  expect(reason).toBe('gift_not_begun');
  const now = world.app.clock.now();
  const member = await asCreator(shop, (trx) => readMember(world.deps, trx, { contactId: contactId!, now }));
  expect(member).toMatchObject({ state: 'gift', changes: [{ what: expect.stringMatching(/^Got Friends as a gift/) }] });
  const query = { state: 'gift' as const };
  const list = await asCreator(shop, (trx) => findMembers(trx, { creatorId: shop.creator.id, query, now }));
  expect(list.items.map(({ email }) => email)).toContain(to);
  expect(await members()).toBe(before);
  await world.pass(41);
  expect(await world.isIn(shop, to)).toBe(true);
  expect(await members()).toBe(before + 1);
  const [mail] = await world.app.mails(to);
  expect(mail!.html).toContain('&lt;b&gt;Happy&lt;/b&gt; birthday');
  expect(mail!.text).toContain('🎂');
});

test('it is followed without any message of Stripe’s, and a page that is left makes nobody a member', async () => {
  const { location } = await ask();
  await world.pay(location!);
  await ask({ to: 'left@example.com' });
  await world.pass(0.1);
  expect(await world.isIn(shop, to)).toBe(true);
  expect(await world.passOf(shop, 'left@example.com')).toEqual([]);
  const { rows } = await world.app.db.enginePool.query(`select state from gifts where email = 'left@example.com'`);
  expect(rows).toEqual([{ state: 'over' }]);
});

test('its payment given back ends it, a dispute ends it while it is open; a part given back does not', async () => {
  await give();
  await world.work();
  const options = { stripeAccount: shop.account };
  const { id: charge } = await chargeOf();
  const followed = async () => {
    await fetchMoney(world.deps, shop.creator.id);
    await world.work();
    return world.isIn(shop, to);
  };
  await world.stripe.refunds.create({ charge, amount: 100 }, options);
  expect(await followed()).toBe(true);
  const dispute = await world.control.dispute(charge);
  expect(await followed()).toBe(false);
  await world.control.closeDispute(dispute, true);
  expect(await followed()).toBe(true);
  await world.stripe.refunds.create({ charge }, options);
  expect(await followed()).toBe(false);
  expect(await why()).toMatchObject({ reason: 'refunded' });
});

test('given back before its day, nobody is written to', async () => {
  await give({ day: dayIn(3) });
  await world.stripe.refunds.create({ charge: (await chargeOf()).id }, { stripeAccount: shop.account });
  await fetchMoney(world.deps, shop.creator.id);
  await world.work();
  await world.pass(4);
  expect(await mailed(to)).toEqual([]);
  expect(await world.isIn(shop, to)).toBe(false);
});

const withdraw = async (email = from) => {
  const { html } = await world.visit('POST', `/join/${shop.creator.handle}/withdraw`, {
    of: 'gift',
    email,
    name: 'Gina',
  });
  expect(html).toContain('Your withdrawal was received');
  await world.work();
  return (await world.app.mails(email)).filter(({ subject }) => subject.includes('We received your withdrawal'));
};

test('until it begins, its giver withdraws without logging in, and gets all of it back once', async () => {
  await give({ day: dayIn(5) });
  await world.work();
  expect((await world.app.mails(from))[0]!.text).toContain('Withdraw within 14 days');
  const [mail] = await withdraw();
  expect(mail!.text).toMatch(/Gina declared: withdrawal from the contract of the gift Friends for 3 months to reader/);
  expect(await withdraw()).toHaveLength(1);
  expect(await chargeOf()).toMatchObject({ refunded: false });
  for (let day = 0; day < 2; day++) await world.pass(1);
  expect(await chargeOf()).toMatchObject({ refunded: true, amount_refunded: 1200 });
  expect((await mailed(from)).filter((subject) => subject === 'You got your money back')).toHaveLength(1);
  await world.pass(10);
  expect([await mailed(to), await world.isIn(shop, to)]).toEqual([[], false]);
  expect(await withdraw()).toHaveLength(1);
});

test('“That wasn’t me” keeps it, and it’s delivered; meanwhile it isn’t, whatever its day', async () => {
  await give({ day: dayIn(5) });
  const [mail] = await withdraw();
  const { pathname } = new URL(/(http\S+\/keep\/\S+)/.exec(mail!.text)![1]!);
  const soon = new Date(world.app.clock.now().getTime() + 3_600_000);
  await world.app.db.enginePool.query('update gifts set begins_at = $1 where giver_email = $2', [soon, from]);
  await world.pass(0.1);
  expect(await mailed(to)).toEqual([]);
  expect((await world.visit('POST', pathname)).html).toContain('Your gift isn’t withdrawn from');
  for (let day = 0; day < 2; day++) await world.pass(1);
  expect(await chargeOf()).toMatchObject({ refunded: false });
  expect(await mailed(to)).toHaveLength(1);
  // It is the giver's, and keeps no membership of who got it.
  expect((await world.visit('POST', pathname)).status).toBe(404);
});

test.each([
  { gift: 'that has begun', days: 0, later: 0, whose: '' },
  { gift: 'of more than 14 days ago', days: 30, later: 15, whose: '' },
  { gift: 'of another address', days: 5, later: 0, whose: 'not-' },
])('no one withdraws from a gift $gift', async ({ days, later, whose }) => {
  await give({ day: dayIn(days), from: `${whose}${from}` });
  await world.work();
  await world.pass(later);
  expect(await withdraw()).toEqual([]);
});

test('whoever pays already goes on paying, and is told; what is given counts as money of members', async () => {
  const gross = async () => {
    await fetchMoney(world.deps, other.creator.id);
    const { months } = await asCreator(other, (trx) => readMoney(world.app.deps, trx));
    return months.map(({ gross, other: rest }) => [gross, rest]);
  };
  await world.member(other, to);
  const url = `/join/${other.creator.handle}/gift`;
  const fields = { choice: `${other.tierId} 12`, to, from, day: dayIn(0), words: '' };
  const { location } = await world.visit('POST', url, fields);
  await world.visit('GET', await world.pay(location!));
  await world.work();
  expect(await gross()).toEqual([[600 + 7200, 0]]);
  const passes = await world.passOf(other, to);
  expect(passes.map(({ source, isIn }) => [source, isIn]).toSorted()).toEqual([
    ['gift', true],
    ['stripe', true],
  ]);
  const gift = (await world.app.mails(to)).find(({ subject }) => subject.includes('A gift for you'))!;
  expect(gift.text).toContain('You’re a member already');
  expect(gift.text).not.toContain('They write');
});

test('the page is small, without script, and open only where payments are', async () => {
  const { html } = await world.visit('GET', at());
  expect(gzipSync(html).length).toBeLessThan(5_000);
  expect(html).not.toMatch(/<script|<link|<img|src=|@import|url\(/);
  expect(html).toContain('$12.00');
  expect((await world.visit('GET', `/join/${shop.creator.handle}`)).html).toContain('Give it to someone');
  await world.control.setAccount(shop.account, 'paused');
  await world.app.db.enginePool.query(`update stripe_accounts set state = 'paused' where account_id = $1`, [
    shop.account,
  ]);
  expect((await world.visit('GET', at())).html).toContain('Not open yet');
  expect((await ask()).status).toBe(409);
  await world.control.setAccount(shop.account, 'ready');
  await world.app.db.enginePool.query(`update stripe_accounts set state = 'ready' where account_id = $1`, [
    shop.account,
  ]);
});

test.each([
  [{ choice: '' }, 422, 'Choose for how long'],
  [{ choice: 'TIER 2' }, 422, 'Choose for how long'],
  [{ choice: '00000000-0000-7000-8000-000000000000 3' }, 404, 'doesn’t exist'],
  [{ to: 'no address' }, 422, 'Their email'],
  [{ to: `${'a'.repeat(290)}@example.com` }, 422, 'Their email'],
  [{ from: '🎂@example' }, 422, 'Your email'],
  [{ day: '2027-02-31' }, 422, 'Choose a day'],
  [{ day: '' }, 422, 'Choose a day'],
  [{ day: '2001-01-01' }, 422, 'Choose a day'],
  [{ day: '2101-01-01' }, 422, 'Choose a day'],
])('refuses %s with words', async (said, status, says) => {
  const answer = await ask(JSON.parse(JSON.stringify(said).replace('TIER', shop.tierId)));
  expect([answer.status, answer.html]).toEqual([status, expect.stringContaining(says)]);
  expect(answer.html).toContain('Enjoy!');
});
