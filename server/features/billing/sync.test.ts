/** Our copy of what Stripe says, whatever comes late, twice or never. Time passes here, so each test has a world of its own. */
import type Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refundPlan } from '#contract/billing.ts';
import { changeBillingEmail } from '#contract/settings.ts';
import type { Person } from '#server/testing/test-app.ts';
import { DAY_S } from '#simulators/stripe/testing.ts';
import { readSubscriptions } from './subscriptions.ts';
import { fetchSubscription } from './sync.ts';
import { type BillingWorld, startBillingWorld } from './testing/billing-world.ts';

let world: BillingWorld;
let anna: Person & { creatorId: string };

beforeEach(async () => {
  world = await startBillingWorld();
  anna = await world.owner();
});
afterEach(async () => {
  expect(await world.control.unimplemented()).toEqual([]);
  await world.close();
});

async function buy(): Promise<Stripe.Subscription> {
  const { url } = (await world.begin(anna)).body;
  await world.pay(url);
  await fetchSubscription(world.deps, anna.creatorId);
  return world.stripe.subscriptions.retrieve((await world.read(anna.creatorId)).subscription!.stripeSubscriptionId);
}

test('a hundred messages about one customer cost two fetches, and a message twice one mark', async () => {
  const { customer } = await buy();
  const event = (id: string) =>
    world.app.visitor().send(
      world.message({
        id,
        object: 'event',
        type: 'customer.updated',
        livemode: false,
        data: { object: { object: 'customer', id: customer } },
      }),
    );
  const before = await world.fetches(anna.creatorId);
  for (let at = 0; at < 100; at++) expect((await event(`evt_${at}`)).status).toBe(200);
  await world.work();
  expect((await world.fetches(anna.creatorId)) - before).toBeLessThanOrEqual(2);
  const after = await world.fetches(anna.creatorId);
  expect((await event('evt_1')).status).toBe(200);
  await world.work();
  expect(await world.fetches(anna.creatorId)).toBe(after);
});

test('after a day without answers what is owed is made all the same, the rest is given up, and buying goes on', async () => {
  const bought = await buy();
  const bert = await world.owner();
  await world.control.failNext(
    ...['/v1/customers', '/v1/refunds', `/v1/subscriptions/${bought.id}`].flatMap((path) =>
      Array.from(
        { length: 3 },
        () => ({ kind: 'cut_before', method: path.includes('/sub_') ? 'DELETE' : 'POST', path }) as const,
      ),
    ),
  );
  expect((await world.begin(bert)).body.code).toBe('stripe_unreachable');
  expect((await anna.call(refundPlan, { params: { creatorId: anna.creatorId } })).body.code).toBe('stripe_unreachable');
  await world.pass(21 * 3_600);
  await world.control.forgetFaults();
  await world.work();
  await world.work();
  const calls = world.app.db.engine.selectFrom('stripe_calls').select(['creator_id', 'verb', 'state']);
  const states = (await calls.where('state', '!=', 'done').execute()).map(({ verb, state }) => `${verb} ${state}`);
  expect(states).toEqual(['create_customer unknown']);
  const kinds = (await world.control.money()).map(({ kind, cents }) => `${kind} ${cents}`);
  expect(kinds).toEqual(['charged 2900', 'refunded 2900']);
  expect((await world.read(anna.creatorId)).billing!.standing).toBe('free');
  expect((await world.begin(bert)).status).toBe(200);
});

test('without any message the copy follows what time and people change at Stripe', async () => {
  const bought = await buy();
  await world.stripe.subscriptions.update(bought.id, { cancel_at_period_end: true });
  await world.pass(DAY_S + 1);
  await world.work();
  expect((await world.read(anna.creatorId)).billing!.standing).toBe('ending');
  expect((await world.read(anna.creatorId)).subscription!.isActive).toBe(false);
  const repaired = async () => {
    const customers = world.app.db.engine.selectFrom('stripe_customers').select('repaired_at');
    return (await customers.where('creator_id', '=', anna.creatorId).executeTakeFirstOrThrow()).repaired_at;
  };
  const repairedAt = await repaired();
  expect(repairedAt).toEqual(expect.any(Date));
  // A look that finds nothing new repairs nothing.
  await world.pass(2 * DAY_S);
  await world.work();
  expect(await repaired()).toEqual(repairedAt);
  await world.pass(31 * DAY_S);
  await world.work();
  expect(await world.read(anna.creatorId)).toMatchObject({
    subscription: { plan: { productId: 'free-plan' } },
    billing: { standing: 'free' },
  });
  const { items } = await world.app.db.withCreator(anna.creatorId, readSubscriptions);
  expect(items).toMatchObject([
    { plan: 'Free', status: 'active', endsAt: null },
    { plan: 'Creator', status: 'canceled', stripeSubscriptionId: bought.id },
  ]);
});

test('a payment that fails is late for fourteen days, then lapsed; paying puts it right', async () => {
  const bought = await buy();
  await world.control.setBehavior(bought.default_payment_method as string, {
    kind: 'fails',
    code: 'insufficient_funds',
  });
  await world.pass(31 * DAY_S + 7_200);
  await world.work();
  const late = (await world.read(anna.creatorId)).billing!;
  expect(late.standing).toBe('late');
  await world.app.clock.advance(Date.parse(late.until!) - world.app.clock.now().getTime() - 1);
  expect((await world.read(anna.creatorId)).billing!.standing).toBe('late');
  await world.app.clock.advance(1);
  expect((await world.read(anna.creatorId)).billing!.standing).toBe('lapsed');
});

test('an older fetch that comes late does not overwrite a newer one', async () => {
  const bought = await buy();
  const slow = { ...world.deps, stripe: { ...world.deps.stripe } };
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  slow.stripe.subscriptionsOf = async (customer) => {
    const truth = await world.deps.stripe.subscriptionsOf(customer);
    begun.resolve();
    await held;
    return truth;
  };
  const old = fetchSubscription(slow, anna.creatorId);
  await begun.promise;
  await world.stripe.subscriptions.cancel(bought.id);
  await fetchSubscription(world.deps, anna.creatorId);
  letGo();
  await old;
  expect((await world.read(anna.creatorId)).billing!.standing).toBe('free');
});

test('of two subscriptions the older stays; the newer is ended and given back in full', async () => {
  const bought = await buy();
  const second = await world.stripe.subscriptions.create({
    default_payment_method: bought.default_payment_method as string,
    customer: bought.customer as string,
    items: [{ price: bought.items.data[0]!.price.id }],
  });
  expect(second.status).toBe('active');
  await world.pass(DAY_S + 1);
  await world.work();
  await world.work();
  expect((await world.read(anna.creatorId)).subscription!.stripeSubscriptionId).toBe(bought.id);
  const kept = await world.control.kept(bought.customer as string, second.items.data[0]!.current_period_start);
  expect(kept.cents).toBeLessThanOrEqual(2900);
  expect((await world.stripe.subscriptions.retrieve(second.id)).status).toBe('canceled');
  const given = (await world.control.money()).filter(
    ({ kind, customer }) => kind === 'refunded' && customer === bought.customer,
  );
  expect(given).toMatchObject([{ cents: 2900 }]);
});

test('a second subscription that somebody ended while it was looked at is given back all the same', async () => {
  const bought = await buy();
  const second = await world.stripe.subscriptions.create({
    default_payment_method: bought.default_payment_method as string,
    customer: bought.customer as string,
    items: [{ price: bought.items.data[0]!.price.id }],
  });
  const subscriptionsOf = async (customer: string) => {
    const truth = await world.deps.stripe.subscriptionsOf(customer);
    await world.stripe.subscriptions.cancel(second.id);
    return truth;
  };
  await fetchSubscription({ ...world.deps, stripe: { ...world.deps.stripe, subscriptionsOf } }, anna.creatorId);
  await world.work();
  const given = (await world.control.money()).filter(({ kind }) => kind === 'refunded');
  expect(given).toMatchObject([{ cents: 2900 }]);
  expect(await mails('plan_paid_twice')).toHaveLength(1);
});

test('a second subscription is given back and told once, whatever breaks meanwhile', async () => {
  const bought = await buy();
  await world.stripe.subscriptions.create({
    default_payment_method: bought.default_payment_method as string,
    customer: bought.customer as string,
    items: [{ price: bought.items.data[0]!.price.id }],
  });
  await world.control.failNext({ kind: 'rate_limited', path: '/v1/refunds' });
  await fetchSubscription(world.deps, anna.creatorId);
  for (let turn = 0; turn < 3; turn++) await workTwice();
  const given = (await world.control.money()).filter(({ kind }) => kind === 'refunded');
  expect(given).toMatchObject([{ cents: 2900 }]);
  expect(await mails('plan_paid_twice')).toHaveLength(1);
});

test('a price made at Stripe by hand changes no plan; a customer deleted there is on the free plan', async () => {
  const bought = await buy();
  const price = await world.price(100);
  await world.stripe.subscriptions.update(bought.id, {
    items: [{ id: bought.items.data[0]!.id, price: price.id }],
  });
  await world.pass(DAY_S + 1);
  await world.work();
  expect((await world.read(anna.creatorId)).subscription!.plan.productId).toBe('free-plan');
  await world.stripe.customers.del(bought.customer as string);
  await world.pass(DAY_S + 1);
  await world.work();
  expect((await world.read(anna.creatorId)).billing!.standing).toBe('free');
});

/** What one job finds another tells of. */
async function workTwice(): Promise<void> {
  await world.work();
  await world.pass(660);
  await world.work();
}

const mails = async (kind: string) => {
  const all = await world.app.mails();
  return all.filter((mail) => mail.kind === kind).map(({ recipient, subject, text }) => ({ recipient, subject, text }));
};

test('who does not pay is told on five days, in the words of the cause, with the page that takes the payment', async () => {
  const bought = await buy();
  await anna.call(changeBillingEmail, { params: { creatorId: anna.creatorId }, body: { email: 'books@example.com' } });
  await world.control.setBehavior(bought.default_payment_method as string, { kind: 'fails', code: 'expired_card' });
  const told: number[] = [];
  const { current_period_end: renewal } = bought.items.data[0]!;
  await world.pass(renewal - Math.floor(world.app.clock.now().getTime() / 1000) + 7_200);
  for (let day = 0; day <= 14; day++) {
    if (day > 0) await world.pass(DAY_S - 660);
    await workTwice();
    told.push((await mails('payment_due')).length);
  }
  const rises = told.flatMap((count, day) => (count > (told[day - 1] ?? 0) ? [day] : []));
  expect(rises).toEqual([0, 3, 7, 12, 14]);
  expect(told.at(-1)).toBe(10);
  const all = await mails('payment_due');
  expect(new Set(all.map(({ recipient }) => recipient))).toEqual(new Set(['books@example.com', anna.email]));
  expect(all[0]!.text).toContain('Your card has expired. We try again on');
  expect(all[0]!.text).toMatch(/http:\/\/127\.0\.0\.1:\d+\/i/);
  expect(all.at(-1)!.subject).toContain('free plan');
  const { billing } = await world.read(anna.creatorId);
  expect(billing).toMatchObject({ standing: 'lapsed', payNeeded: 'card' });
});

test('a bank that wants a yes is said to be that, and paying puts all back', async () => {
  const bought = await buy();
  const method = bought.default_payment_method as string;
  await world.control.setBehavior(method, { kind: 'confirm' });
  await world.pass(31 * DAY_S + 7_200);
  await workTwice();
  expect((await world.read(anna.creatorId)).billing).toMatchObject({
    standing: 'late',
    payNeeded: 'bank_confirmation',
  });
  expect((await mails('payment_due'))[0]!.text).toContain('Your bank wants you to confirm the payment.');
  await world.control.setBehavior(method, { kind: 'good' });
  const { latest_invoice: invoice } = await world.stripe.subscriptions.retrieve(bought.id);
  await world.stripe.invoices.pay(invoice as string);
  await fetchSubscription(world.deps, anna.creatorId);
  expect((await world.read(anna.creatorId)).billing).toMatchObject({
    standing: 'paid',
    payNeeded: null,
    retryAt: null,
  });
});

test('a trial is free, once, and its end is told a week and a day before', async () => {
  await world.app.db.engine.updateTable('plans').set({ trial_days: 14 }).where('id', '=', 'creator-plan').execute();
  const { url } = (await world.begin(anna)).body;
  await world.pay(url);
  await world.pass(2);
  expect((await world.look(anna, url)).body.state).toBe('trial');
  const { billing, subscription } = await world.read(anna.creatorId);
  expect(billing).toMatchObject({ standing: 'trial', nextPayment: { cents: 2900 }, mayTry: false, refundUntil: null });
  expect(await world.control.money()).toEqual([]);
  const told: number[] = [];
  for (let day = 0; day < 14; day++) {
    await world.work();
    told.push((await mails('trial_ends')).length);
    await world.pass(DAY_S);
  }
  expect(told.flatMap((count, day) => (count > (told[day - 1] ?? 0) ? [day] : []))).toEqual([7, 13]);
  await world.pass(2 * 3_600);
  await world.work();
  await world.work();
  expect((await world.read(anna.creatorId)).billing!.standing).toBe('paid');
  // Whoever had a plan before begins the next one by paying.
  await world.stripe.subscriptions.cancel(subscription!.stripeSubscriptionId);
  await fetchSubscription(world.deps, anna.creatorId);
  const again = (await world.begin(anna)).body.url;
  await world.pay(again);
  await world.pass(2);
  expect((await world.look(anna, again)).body.state).toBe('paid');
});
