/** What people type, and what the operator does at Stripe by hand: a clear answer or a copy that is right again; nothing charged. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as contract from '#contract/billing.ts';
import { changeBillingEmail } from '#contract/settings.ts';
import { readConfig } from '#server/config.ts';
import type { Person } from '#server/testing/test-app.ts';
import { fetchSubscription } from './sync.ts';
import { type BillingWorld, sessionOf, startBillingWorld } from './testing/billing-world.ts';

let world: BillingWorld;
let anna: Person & { creatorId: string };
beforeAll(async () => {
  world = await startBillingWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  anna = await world.owner();
});
afterEach(async () => {
  expect(await world.control.unimplemented()).toEqual([]);
});

const params = () => ({ creatorId: anna.creatorId });

async function buy() {
  const { url } = (await world.begin(anna)).body;
  await world.pay(url);
  await fetchSubscription(world.deps, anna.creatorId);
  const { subscription } = await world.read(anna.creatorId);
  return world.stripe.subscriptions.retrieve(subscription!.stripeSubscriptionId);
}
const chargesOf = async (customer: unknown) =>
  (await world.control.money()).filter((one) => one.customer === customer && one.kind === 'charged').length;

describe('buying', () => {
  test('a plan that is retired while its page is open is not sold any more, and who has it keeps it', async () => {
    const { id } = await buy();
    const plans = world.app.db.engine.updateTable('plans').where('id', '=', 'creator-plan');
    await plans.set({ on_sale: false }).execute();
    const { status, body } = await world.begin(await world.owner());
    await plans.set({ on_sale: true }).execute();
    expect([status, body.code]).toEqual([422, 'invalid_input']);
    await fetchSubscription(world.deps, anna.creatorId);
    expect((await world.read(anna.creatorId)).subscription!.stripeSubscriptionId).toBe(id);
  });

  test('a code that is good once is good for one of two who use it at the same moment; an expired one for nobody', async () => {
    const coupon = await world.stripe.coupons.create({ percent_off: 50, duration: 'once' });
    const promotion = { type: 'coupon' as const, coupon: coupon.id };
    await world.stripe.promotionCodes.create({ promotion, code: 'ONCE', max_redemptions: 1 });
    const soon = (await world.control.now()) + 60;
    await world.stripe.promotionCodes.create({ promotion, code: 'SOON', expires_at: soon });
    const bert = await world.owner();
    const urls = [(await world.begin(anna)).body.url, (await world.begin(bert)).body.url];
    const answers = await Promise.all(urls.map((url) => world.pay(url, undefined, 'ONCE')));
    expect(answers.filter(({ location }) => location !== null)).toHaveLength(1);
    const left = urls[answers.findIndex(({ location }) => location === null)]!;
    await world.pass(61);
    expect((await world.pay(left, undefined, 'SOON')).location).toBeNull();
    expect((await world.pay(left)).location).not.toBeNull();
    const cents = (await world.control.money()).slice(-2).map((line) => line.cents);
    expect(cents).toEqual([1450, 2900]);
  });

  test('the way back is an address of ours, whatever the browser sends along', async () => {
    const body = {
      planId: 'creator-plan',
      interval: 'month',
      success_url: 'https://evil.example',
      to: '//evil.example',
    };
    const { status, body: answer } = await anna.call(contract.startCheckout, { params: params(), body: body as never });
    if (status !== 200) return expect(status).toBe(422);
    const session = await world.stripe.checkout.sessions.retrieve(sessionOf(answer.url));
    for (const url of [session.success_url, session.cancel_url]) {
      expect(new URL(url!).origin).toBe(world.app.deps.config.baseUrl);
    }
  });
});

test('an address of 300 bytes is refused, and the one before stays', async () => {
  const { customer } = await buy();
  const email = `${'a'.repeat(290)}@example.com`;
  expect((await anna.call(changeBillingEmail, { params: params(), body: { email } })).status).toBe(422);
  expect(await world.stripe.customers.retrieve(customer as string)).not.toMatchObject({ email });
});

describe('keys', () => {
  const settings = { SECRET_KEY: 'x'.repeat(64), ENCRYPTION_KEYS: `k:${Buffer.alloc(32).toString('base64')}` };
  const read = (over: Record<string, string>) =>
    readConfig({ ...settings, ENVIRONMENT: 'test', STRIPE_WEBHOOK_SECRETS: 'whsec_x', ...over });

  test('a live key is refused where the address begins with http:', () => {
    const over = { STRIPE_SECRET_KEY: 'sk_live_0123456789', BASE_URL: 'http://hq.example' };
    expect(() => read(over)).toThrow(/live key/);
  });

  test('a test key on a public address is play money, and every screen about money says so', () => {
    const { stripe } = read({ STRIPE_SECRET_KEY: 'sk_test_0123456789', BASE_URL: 'https://hq.example' });
    expect(stripe!.isLive).toBe(false);
  });
});

describe('at Stripe’s dashboard', () => {
  test('a product that is renamed changes nothing here', async () => {
    const { items } = await buy();
    await world.stripe.products.update(items.data[0]!.price.product as string, { name: 'Renamed' });
    await fetchSubscription(world.deps, anna.creatorId);
    expect((await world.read(anna.creatorId)).subscription!.plan.name).toBe('Creator');
  });

  test('a plan that is canceled there is over here, its charge stays the only one, and it can be bought again', async () => {
    const { id, customer } = await buy();
    await world.stripe.subscriptions.cancel(id);
    await fetchSubscription(world.deps, anna.creatorId);
    expect((await world.read(anna.creatorId)).billing!.standing).toBe('free');
    expect((await anna.call(contract.cancelPlan, { params: params(), body: { reason: null } })).body.code).toBe(
      'not_possible_now',
    );
    expect(await chargesOf(customer)).toBe(1);
    expect((await world.begin(anna)).status).toBe(200);
  });

  test('without a card the renewal is late, says so, and is paid on Stripe’s page', async () => {
    const { id, customer, default_payment_method: card } = await buy();
    await world.stripe.paymentMethods.detach(card as string);
    await world.pass(31 * 86_400 + 7_200);
    await fetchSubscription(world.deps, anna.creatorId);
    const { billing } = await world.read(anna.creatorId);
    expect(billing).toMatchObject({ standing: 'late', payNeeded: 'card' });
    expect(await chargesOf(customer)).toBe(1);
    const [due] = (await world.stripe.invoices.list({ subscription: id, status: 'open' })).data;
    expect((await world.pay(due!.hosted_invoice_url!)).status).toBeLessThan(400);
    await fetchSubscription(world.deps, anna.creatorId);
    expect((await world.read(anna.creatorId)).billing!.standing).toBe('paid');
  });
});
