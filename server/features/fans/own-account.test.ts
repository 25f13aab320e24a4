/** A creator who runs their own install: members pay into its own account, beside the plans that are sold there. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminGiveOwnAccount, connectStripeAccount, getStripeAccount } from '#contract/stripe-account.ts';
import { refundMembership } from './ending.ts';
import { fetchMoney, readMoney } from './money.ts';
import { type FanWorld, type Shop, startFanWorld } from './testing/fan-world.ts';

let world: FanWorld;
let shop: Shop;
beforeAll(async () => {
  world = await startFanWorld({ MEMBERSHIP_FEE_PERCENT: '5' });
  shop = await world.ownShop();
});
afterAll(() => world?.close());

const reason = 'It’s their install.';
const charges = async () => (await world.stripe.charges.list({ limit: 100 })).data;

/** As Stripe tells of its own account. */
async function tell(event: object) {
  const body = JSON.stringify({ object: 'event', livemode: false, ...event });
  const at = Math.floor(world.app.clock.now().getTime() / 1000);
  const signature = createHmac('sha256', 'whsec_test').update(`${at}.${body}`).digest('hex');
  const headers = { 'stripe-signature': `t=${at},v1=${signature}`, 'content-type': 'application/json' };
  const sent = { method: 'POST', url: '/webhooks/stripe/platform', body, headers } as const;
  expect((await world.app.app.inject(sent)).statusCode).toBe(200);
  await world.work();
}

test('is one creator’s at most, and an admin alone says whose', async () => {
  const other = await world.shop();
  const { owner, creator } = await world.shop();
  const about = { params: { adminCreatorId: creator.id }, body: { reason } };
  expect((await owner.call(adminGiveOwnAccount, about)).status).toBe(404);
  await expect(world.ownShop()).rejects.toThrow('not_possible_now');
  const said = { params: { creatorId: shop.creator.id } };
  const state = (await shop.owner.call(getStripeAccount, said)).body;
  expect(state).toMatchObject({ accountId: 'own', state: 'ready', feePercent: 0 });
  expect((await shop.owner.call(connectStripeAccount, said)).body).toMatchObject({ code: 'not_possible_now' });
  const theirs = await other.owner.call(getStripeAccount, { params: { creatorId: other.creator.id } });
  expect(theirs.body).toMatchObject({ feePercent: 5 });
});

test('a reader joins, is renewed and gets their money back without a fee', async () => {
  const email = 'own@example.com';
  await world.member(shop, email);
  expect(await world.isIn(shop, email)).toBe(true);
  await world.pass(32);
  expect(await world.passOf(shop, email)).toMatchObject([{ status: 'active', isIn: true }]);
  expect((await charges()).map(({ amount, application_fee_amount: fee }) => [amount, fee])).toEqual([
    ...[
      [400, null],
      [400, null],
    ],
  ]);
  await fetchMoney(world.deps, shop.creator.id);
  const creatorId = shop.creator.id;
  const money = await world.app.db.withCreator(creatorId, (trx) => readMoney(world.app.deps, trx));
  expect([money.differences, money.months.map(({ ourFee }) => ourFee)]).toEqual([[], money.months.map(() => 0)]);
  const [{ contact_id: contactId }] = await world.passOf(shop, email);
  await refundMembership(world.deps, { creatorId, contactId });
  expect(await world.isIn(shop, email)).toBe(false);
  expect((await charges()).every(({ refunded }) => refunded)).toBe(true);
});

test('what Stripe tells of its own account reaches members, once', async () => {
  const email = 'told@example.com';
  const { location } = await world.join(shop, email);
  await world.submit(location!, { act: 'pay', name: 'Fan', number: '4242424242424242' });
  const object = { id: location!.split('/').at(-1)!, object: 'checkout.session', customer: 'cus_made_up' };
  const event = { id: 'evt_own', type: 'checkout.session.completed', data: { object } };
  await tell(event);
  expect(await world.isIn(shop, email)).toBe(true);
  const [{ stripe_subscription_id: id }] = await world.passOf(shop, email);
  const { customer } = await world.stripe.subscriptions.cancel(id);
  await tell({ ...event, data: { object: { id, object: 'subscription', customer } } });
  expect(await world.isIn(shop, email)).toBe(true);
  await tell({ ...event, id: 'evt_own_end', data: { object: { id, object: 'subscription', customer } } });
  expect(await world.isIn(shop, email)).toBe(false);
});
