/** A creator's own account at Stripe: each state in its words, however it is heard of. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ACCOUNT_STATES,
  type AccountState,
  checkStripeAccount,
  connectStripeAccount,
  getStripeAccount,
  linkStripeAccount,
} from '#contract/stripe-account.ts';
import { forgetStripe } from '#server/features/billing/sync.ts';
import type { Person } from '#server/testing/test-app.ts';
import { ACCOUNT_STATES as AT_STRIPE } from '#simulators/stripe/resources/accounts.ts';
import { type FanWorld, joinUrl, type Shop, startFanWorld } from './testing/fan-world.ts';

let world: FanWorld;
let shop: Shop;
beforeAll(async () => {
  world = await startFanWorld();
  shop = await world.shop();
});
afterAll(() => world?.close());

/** As Stripe signs it. */
async function tell(event: object, secret = 'whsec_connect') {
  const body = JSON.stringify(event);
  const at = Math.floor(world.app.clock.now().getTime() / 1000);
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  const headers = { 'stripe-signature': `t=${at},v1=${signature}`, 'content-type': 'application/json' };
  const { statusCode } = await world.app.app.inject({ method: 'POST', url: '/webhooks/stripe/connect', body, headers });
  await world.work();
  return statusCode;
}
let told = 0;
const thin = (account: string) => ({
  ...{
    id: `evt_thin_${++told}`,
    object: 'v2.core.event',
    type: 'v2.core.account[requirements].updated',
    livemode: false,
  },
  ...{ created: new Date().toISOString(), related_object: { id: account, type: 'v2.core.account', url: '' } },
});
const snapshot = (account: string) => ({
  ...{ id: `evt_v1_${++told}`, object: 'event', type: 'account.updated', livemode: false, account },
  data: { object: { id: account, object: 'account' } },
});

/** A finished onboarding is not begun again. */
const AFTER: Record<string, AccountState> = { unfinished: 'past_due' };

test.each(
  AT_STRIPE.filter((state) => state !== 'closed').flatMap((state) => [
    { state, by: 'a thin event' },
    { state, by: 'an event of v1' },
    { state, by: 'the clock alone' },
  ]),
)('$state, heard of by $by, is shown in its words', async ({ state, by }) => {
  await world.control.setAccount(shop.account, state);
  if (by === 'a thin event') expect(await tell(thin(shop.account))).toBe(200);
  else if (by === 'an event of v1') expect(await tell(snapshot(shop.account))).toBe(200);
  else await world.pass(0.6);
  const expected = AFTER[state] ?? state;
  expect(await seenByOwner()).toMatchObject({ state: expected });
  expect(ACCOUNT_STATES[expected].says).not.toBe('');
  const isOpen = !(await world.visit('GET', joinUrl(shop))).html.includes('Not open yet');
  expect(isOpen).toBe(['ready', 'payouts_wait', 'due_soon'].includes(expected));
});

/** Sessions end while the clock goes on. */
async function seenByOwner() {
  const { rows } = await world.app.db.enginePool.query(
    'select state, needs, due_at from stripe_accounts where account_id = $1',
    [shop.account],
  );
  return rows[0];
}

test('nothing to do is no page, and what is needed is named with its day', async () => {
  const fresh = await world.shop();
  const ask = (person: Person) => person.call(linkStripeAccount, { params: { creatorId: fresh.creator.id } });
  expect((await ask(fresh.owner)).body).toMatchObject({ code: 'not_possible_now' });
  await world.control.setAccount(fresh.account, 'due_soon');
  const { body } = await fresh.owner.call(checkStripeAccount, { params: { creatorId: fresh.creator.id } });
  expect(body).toMatchObject({ state: 'due_soon', needs: ['a document that shows who you are'] });
  expect(new Date(body.dueAt!).getTime()).toBeGreaterThan(world.app.clock.now().getTime());
  expect((await ask(fresh.owner)).body.url).toContain('/onboarding/');
  // A second click makes no second account.
  const again = await fresh.owner.call(connectStripeAccount, { params: { creatorId: fresh.creator.id } });
  expect(again.body.url).toContain('/onboarding/');
  const mails = await world.app.mails(fresh.owner.email);
  expect(mails.filter(({ subject }) => subject.startsWith('Your Stripe account'))).toHaveLength(1);
});

test.each([
  ['another secret', () => tell(thin(shop.account), 'whsec_other'), 403],
  ['an account that is not ours', () => tell(thin('acct_other')), 200],
  ['the other mode', () => tell({ ...snapshot(shop.account), livemode: true }), 200],
  ['no event', () => tell('x' as never), 403],
])('a message with %s changes nothing', async (_, send, status) => {
  const before = await seenByOwner();
  await world.control.setAccount(shop.account, 'ready');
  expect(await send()).toBe(status);
  expect(await seenByOwner()).toEqual(before);
});

test('a payment that is told of makes a member without anybody coming back', async () => {
  await world.control.setAccount(shop.account, 'ready');
  await tell(thin(shop.account));
  const { location } = await world.join(shop, 'quiet@example.com');
  await world.submit(location!, { act: 'pay', name: 'Fan', number: '4242424242424242' });
  const session = location!.split('/').at(-1)!;
  const event = {
    ...{
      id: 'evt_session',
      object: 'event',
      type: 'checkout.session.completed',
      livemode: false,
      account: shop.account,
    },
    data: { object: { id: session, object: 'checkout.session', customer: 'cus_made_up' } },
  };
  expect(await tell(event)).toBe(200);
  expect(await world.isIn(shop, 'quiet@example.com')).toBe(true);
  expect(await tell(event)).toBe(200);
  expect(await world.passOf(shop, 'quiet@example.com')).toHaveLength(1);
});

test('an account that is closed lets nobody new in, and who paid reads on until it ends', async () => {
  await world.member(shop, 'last@example.com');
  await world.control.setAccount(shop.account, 'closed');
  await tell({ ...thin(shop.account), type: 'v2.core.account.closed' });
  expect((await seenByOwner()).state).toBe('closed');
  expect((await world.visit('GET', joinUrl(shop))).html).toContain('Not open yet');
  await world.pass(20);
  expect(await world.isIn(shop, 'last@example.com')).toBe(true);
});

test('with another key of Stripe’s all begins anew: the price stays, and who paid is out', async () => {
  const begun = await world.shop();
  await world.member(begun, 'before@example.com');
  await forgetStripe({ ...world.app.deps });
  expect(await world.passOf(begun, 'before@example.com')).toEqual([]);
  const about = { params: { creatorId: begun.creator.id } };
  expect((await begun.owner.call(getStripeAccount, about)).body.state).toBe('none');
  // The same Stripe answers the same call as before.
  const { body } = await begun.owner.call(connectStripeAccount, about);
  expect(body).toMatchObject({ code: 'not_possible_now', detail: ACCOUNT_STATES.ready.says });
  await world.member(begun, 'before@example.com');
  expect(await world.isIn(begun, 'before@example.com')).toBe(true);
});
