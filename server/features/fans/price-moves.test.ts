/** Members who pay an earlier price, on their way to the present one, over the simulator and its clock. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeTier, listTiers, movePayers, type Tier } from '#contract/tiers.ts';
import { FRIENDS } from '#server/testing/inputs.ts';
import { cancelMembership } from './ending.ts';
import { type FanWorld, type Shop, startFanWorld } from './testing/fan-world.ts';

let world: FanWorld;
let shop: Shop;
beforeAll(async () => {
  world = await startFanWorld();
  shop = await world.shop();
});
afterAll(() => world?.close());

const about = () => ({ params: { creatorId: shop.creator.id, tierId: shop.tierId } });
const sell = (month: number) => shop.owner.call(changeTier, { ...about(), body: { ...FRIENDS, month } });
const move = (amount: number, toAmount: number) =>
  shop.owner.call(movePayers, { ...about(), body: { interval: 'month', amount, toAmount } });
const earlier = async (): Promise<Tier['earlier']> =>
  (await shop.owner.call(listTiers, { params: { creatorId: shop.creator.id } })).body.items[0].earlier;
const told = async (email: string) =>
  (await world.app.mails(email)).filter(({ subject }) => subject.includes('will cost')).length;
const paidBy = async (email: string) => {
  const options = { stripeAccount: shop.account };
  const { data } = await world.stripe.customers.list({ email }, options);
  const charges = await world.stripe.charges.list({ customer: data[0]!.id, limit: 100 }, options);
  return charges.data.map(({ amount }) => amount).toReversed();
};

test('another price takes back what they were told', async () => {
  const other = await world.shop();
  const [at, dora] = [{ creatorId: other.creator.id, tierId: other.tierId }, 'dora@example.com'];
  await world.member(other, dora);
  for (const month of [500, 600]) {
    await other.owner.call(changeTier, { params: at, body: { ...FRIENDS, month } });
    if (month === 500) {
      const body = { interval: 'month' as const, amount: 400, toAmount: 500 };
      expect((await other.owner.call(movePayers, { params: at, body })).status).toBe(200);
    }
  }
  await world.work();
  // The price was another one before the mail left.
  expect(await told(dora)).toBe(0);
  const cookie = await world.enterAccount(other, dora);
  const { html } = await world.visit('GET', `/join/${other.creator.handle}/account`, {}, cookie);
  expect(html).not.toContain('From the first one');
});

test('told once, they pay the earlier price until the notice is over, and the new one from the next payment after it', async () => {
  const [anna, ben, cleo] = ['anna@example.com', 'ben@example.com', 'cleo@example.com'];
  for (const email of [anna, ben]) await world.member(shop, email);
  await sell(500);
  await world.member(shop, cleo);
  // Nobody is moved who was not told.
  expect(await earlier()).toEqual([{ interval: 'month', amount: 400, members: 2, told: 0 }]);
  expect((await move(400, 600)).body).toMatchObject({ code: 'changed_meanwhile' });
  expect((await move(500, 500)).body).toMatchObject({ code: 'changed_meanwhile' });
  expect((await move(400, 500)).body.message).toMatch(/^2 members are mailed now/);
  expect((await move(400, 500)).body.message).toMatch(/^0 members/);
  await world.work();
  expect([await told(anna), await told(ben), await told(cleo)]).toEqual([1, 1, 0]);
  expect(await earlier()).toEqual([{ interval: 'month', amount: 400, members: 2, told: 2 }]);
  const [{ contact_id: contactId }] = await world.passOf(shop, ben);
  await cancelMembership(world.deps, { creatorId: shop.creator.id, contactId });
  const cookie = await world.enterAccount(shop, anna);
  const account = await world.visit('GET', `/join/${shop.creator.handle}/account`, {}, cookie);
  expect(account.html).toContain('$4.00 a month');
  expect(account.html).toMatch(/From the first one on or after .*, it’s \$5\.00\./);
  for (let day = 0; day < 66; day++) await world.pass(1);
  const paid = await paidBy(anna);
  // A month may be shorter than the notice: then one more is at the earlier price.
  expect(paid.slice(0, 2)).toEqual([400, expect.toBeOneOf([400, 500])]);
  expect(paid.at(-1)).toBe(500);
  expect(paid).toHaveLength(3);
  expect(await paidBy(ben)).toEqual([400]);
  expect(await paidBy(cleo)).toEqual([500, 500, 500]);
  expect(await world.passOf(shop, anna)).toMatchObject([{ amount: 500, isIn: true }]);
  expect(await told(anna)).toBe(1);
});
