/** Every state of a subscription × everything that happens to it: what our copy says, what it allows, who is written to. */
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeCreator } from '#server/features/people/me.ts';
import { createTestApp } from '#server/testing/test-app.ts';
import { DAY_S } from '#simulators/stripe/testing.ts';
import { findPrice } from './catalogue.ts';
import { startInHouse } from './in-house.ts';
import { fetchSubscription } from './sync.ts';
import { type BillingWorld, startBillingWorld } from './testing/billing-world.ts';

const STATES = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'incomplete',
  'incomplete_expired',
  'canceled',
  'paused',
] as const;
const EVENTS = [
  'paid',
  'failed',
  'confirmed',
  'refunded',
  'disputed',
  'canceled',
  'kept',
  'paused',
  'price changed',
  'ended',
  'clock',
  'paused for long',
] as const;
type State = (typeof STATES)[number];
type Event = (typeof EVENTS)[number];
type Payer = { email: string; creatorId: string; customer: string; subscription: string; method: string | null };

/** Plan, status, whether it counts as active, standing, why money is wanted, mails: of `auth/me` once our copy followed. */
const EXPECTED: Record<State, Record<Event, string>> = {
  active: {
    paid: 'Creator active isActive paid',
    failed: 'Creator active isActive paid',
    confirmed: 'Creator active isActive paid',
    refunded: 'Creator active isActive paid',
    disputed: 'Creator active isActive paid',
    canceled: 'Creator active ending',
    kept: 'Creator active isActive paid',
    paused: 'Creator active isActive paid',
    'price changed': 'Studio active isActive paid',
    ended: 'Free active isActive free',
    clock: 'Creator active isActive paid',
    'paused for long': 'Creator unpaid paused',
  },
  trialing: {
    paid: 'Creator trialing trial',
    failed: 'Creator trialing trial',
    confirmed: 'Creator trialing trial',
    refunded: 'Creator trialing trial',
    disputed: 'Creator trialing trial',
    canceled: 'Creator trialing ending',
    kept: 'Creator trialing trial',
    paused: 'Creator trialing trial',
    'price changed': 'Studio trialing trial',
    ended: 'Free active isActive free',
    clock: 'Creator active isActive paid',
    'paused for long': 'Creator unpaid paused',
  },
  past_due: {
    paid: 'Creator active isActive paid',
    failed: 'Creator past_due late card',
    confirmed: 'Creator active isActive paid',
    refunded: 'Creator past_due late card',
    disputed: 'Creator past_due late card',
    canceled: 'Creator past_due late card',
    kept: 'Creator past_due late card',
    paused: 'Creator past_due late card',
    'price changed': 'Studio past_due late card',
    ended: 'Free active isActive free',
    clock: 'Free active isActive free',
    'paused for long': 'Free active isActive free',
  },
  unpaid: {
    paid: 'Creator active isActive paid',
    failed: 'Creator unpaid lapsed card',
    confirmed: 'Creator active isActive paid',
    refunded: 'Creator unpaid lapsed card',
    disputed: 'Creator unpaid lapsed card',
    canceled: 'Creator unpaid lapsed card',
    kept: 'Creator unpaid lapsed card',
    paused: 'Creator unpaid lapsed card',
    'price changed': 'Studio unpaid lapsed card',
    ended: 'Free active isActive free',
    clock: 'Creator unpaid lapsed card',
    'paused for long': 'Creator unpaid lapsed card',
  },
  incomplete: {
    paid: 'Creator active isActive paid',
    failed: 'Creator incomplete lapsed card',
    confirmed: 'Creator active isActive paid',
    refunded: 'Creator incomplete lapsed card',
    disputed: 'Creator incomplete lapsed card',
    canceled: 'Creator incomplete lapsed card',
    kept: 'Creator incomplete lapsed card',
    paused: 'Creator incomplete lapsed card',
    'price changed': 'Studio incomplete lapsed card',
    ended: 'Free active isActive free',
    clock: 'Free active isActive free',
    'paused for long': 'Free active isActive free',
  },
  incomplete_expired: {
    paid: 'Free active isActive free',
    failed: 'Free active isActive free',
    confirmed: 'Free active isActive free',
    refunded: 'Free active isActive free',
    disputed: 'Free active isActive free',
    canceled: 'Free active isActive free',
    kept: 'Free active isActive free',
    paused: 'Free active isActive free',
    'price changed': 'Free active isActive free',
    ended: 'Free active isActive free',
    clock: 'Free active isActive free',
    'paused for long': 'Free active isActive free',
  },
  canceled: {
    paid: 'Free active isActive free',
    failed: 'Free active isActive free',
    confirmed: 'Free active isActive free',
    refunded: 'Free active isActive free',
    disputed: 'Free active isActive free',
    canceled: 'Free active isActive free',
    kept: 'Free active isActive free',
    paused: 'Free active isActive free',
    'price changed': 'Free active isActive free',
    ended: 'Free active isActive free',
    clock: 'Free active isActive free',
    'paused for long': 'Free active isActive free',
  },
  paused: {
    paid: 'Creator unpaid paused',
    failed: 'Creator unpaid paused',
    confirmed: 'Creator unpaid paused',
    refunded: 'Creator unpaid paused',
    disputed: 'Creator unpaid paused',
    canceled: 'Creator unpaid paused',
    kept: 'Creator unpaid paused',
    paused: 'Creator unpaid paused',
    'price changed': 'Studio unpaid paused',
    ended: 'Free active isActive free',
    clock: 'Creator unpaid paused',
    'paused for long': 'Creator unpaid paused',
  },
};

describe.each(STATES)('%s', (state) => {
  let world: BillingWorld;
  const payers = new Map<Event, Payer>();
  beforeAll(async () => {
    world = await startBillingWorld();
    if (state === 'unpaid') await world.control.setRetries({ afterDays: [3, 5, 7], atEnd: 'unpaid' });
    for (const event of EVENTS) payers.set(event, await begin(world, state));
    await world.pass(TIME_TO[state]);
    for (const { creatorId } of payers.values()) await fetchSubscription(world.deps, creatorId);
    await world.work();
    await world.pass(660);
    await world.work();
  });
  afterAll(() => world?.close());

  test.each(EVENTS)('%s', async (event) => {
    const payer = payers.get(event)!;
    const before = (await world.app.mails()).length;
    await happen(world, payer, event);
    await fetchSubscription(world.deps, payer.creatorId);
    await world.work();
    await world.pass(660);
    await world.work();
    expect(await told(world, payer, before)).toBe(EXPECTED[state][event]);
  });
});

/** Until everybody has come to it. */
const TIME_TO: Record<State, number> = {
  ...{ active: 0, trialing: 0, incomplete: 0, canceled: 0 },
  past_due: 31 * DAY_S + 7_200,
  unpaid: 48 * DAY_S,
  incomplete_expired: 25 * 3_600,
  paused: 15 * DAY_S,
};

async function begin({ app, stripe, control, deps, owner }: BillingWorld, state: State): Promise<Payer> {
  const { creatorId, email } = await owner();
  const { id: customer } = await stripe.customers.create({ email: 'anna@example.com' });
  await app.db.engine.insertInto('stripe_customers').values({ creator_id: creatorId, customer_id: customer }).execute();
  let method: string | null = null;
  if (state !== 'paused') {
    method = (await stripe.paymentMethods.attach('pm_card_visa', { customer })).id;
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method } });
  }
  const { stripePriceId } = await findPrice(deps, { planId: 'creator-plan', interval: 'month' });
  const bad = () => control.setBehavior(method!, { kind: 'fails', code: 'insufficient_funds' });
  if (state.startsWith('incomplete')) await bad();
  const made = await stripe.subscriptions.create({
    ...{ customer, items: [{ price: stripePriceId }] },
    ...((state === 'trialing' || state === 'paused') && { trial_period_days: 14 }),
    ...(state === 'paused' && { trial_settings: { end_behavior: { missing_payment_method: 'pause' as const } } }),
  });
  if (state === 'past_due' || state === 'unpaid') await bad();
  if (state === 'canceled') await stripe.subscriptions.cancel(made.id);
  return { email, creatorId, customer, subscription: made.id, method };
}

async function happen({ stripe, control, deps, pass }: BillingWorld, payer: Payer, event: Event): Promise<void> {
  const { customer, subscription: id, method } = payer;
  const pay = async (kind: Parameters<typeof control.setBehavior>[1]) => {
    if (method !== null) await control.setBehavior(method, kind);
    const due = (await stripe.invoices.list({ customer, status: 'open' })).data[0];
    if (due !== undefined) await stripe.invoices.pay(due.id!);
    return due;
  };
  const charge = async () => (await stripe.charges.list({ customer })).data.find(({ paid }) => paid);
  const done = async (): Promise<unknown> => {
    switch (event) {
      case 'paid':
        return pay({ kind: 'good' });
      case 'failed':
        return pay({ kind: 'fails', code: 'expired_card' });
      case 'confirmed': {
        await pay({ kind: 'confirm' }).catch(() => {});
        const intents = (await stripe.paymentIntents.list({ customer })).data;
        const waiting = intents.find(({ status }) => status === 'requires_action');
        return waiting && control.confirm(waiting.id, true);
      }
      case 'refunded': {
        const made = await charge();
        return made && stripe.refunds.create({ charge: made.id });
      }
      case 'disputed': {
        const made = await charge();
        return made && control.dispute(made.id);
      }
      case 'canceled':
        return stripe.subscriptions.update(id, { cancel_at_period_end: true });
      case 'kept':
        return stripe.subscriptions.update(id, { cancel_at_period_end: false });
      case 'paused':
        return stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } });
      case 'price changed': {
        const { stripePriceId: price } = await findPrice(deps, { planId: 'studio-plan', interval: 'month' });
        const item = (await stripe.subscriptions.retrieve(id)).items.data[0]!.id;
        return stripe.subscriptions.update(id, { items: [{ id: item, price }] });
      }
      case 'ended':
        return stripe.subscriptions.cancel(id);
      case 'paused for long':
        await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } }).catch(() => {});
        return pass(40 * DAY_S);
      case 'clock':
        return pass(40 * DAY_S);
    }
  };
  await done().catch((error: Stripe.errors.StripeError) => {
    if (!String(error.type).startsWith('Stripe')) throw error;
  });
}

/** As `auth/me` says it, and who was written to. */
async function told(
  { app, read }: BillingWorld,
  { creatorId, email }: Pick<Payer, 'creatorId' | 'email'>,
  mailsBefore: number,
): Promise<string> {
  const { subscription, billing } = await read(creatorId);
  const mails = (await app.mails()).slice(mailsBefore).filter(({ recipient }) => recipient === email);
  const { plan, status, isActive } = subscription!;
  const { standing, payNeeded } = billing!;
  const parts = [plan.name, status, isActive ? 'isActive' : '', standing, payNeeded ?? ''];
  return [...parts, ...mails.map(({ kind }) => `+${kind}`)].filter(Boolean).join(' ');
}

describe('nobody pays', () => {
  test.each([
    ['free', 'free-plan', null, 'Free active isActive free', 'Free active isActive free'],
    ['given for good', 'studio-plan', null, 'Studio active isActive given', 'Studio active isActive given'],
    ['given for a week', 'studio-plan', 7, 'Studio active isActive given', 'Free active isActive free'],
  ])('%s', async (_, planId, days, atFirst, afterAWeek) => {
    const world = await startBillingWorld();
    const { creatorId, email } = await world.owner();
    const until = days === null ? null : new Date(world.app.clock.now().getTime() + days * DAY_S * 1000);
    await world.app.db.engine
      .transaction()
      .execute((trx) => startInHouse(trx, world.deps, { creatorId, planId, until }));
    expect(await told(world, { creatorId, email }, 0)).toContain(atFirst);
    await world.pass(7 * DAY_S);
    await world.work();
    expect(await told(world, { creatorId, email }, 0)).toContain(afterAWeek);
    await world.close();
  });

  test('billing is off', async () => {
    const app = await createTestApp();
    const { id } = await (await app.signUpAndIn()).createCreator();
    const { subscription, billing } = await app.db.withCreator(id, (trx) => describeCreator(trx, app.deps, id));
    expect(subscription).toMatchObject({ plan: { name: 'Everything included' }, isActive: true, isFree: false });
    expect(billing).toMatchObject({ mode: 'off', standing: 'given', nextPayment: null, payNeeded: null });
    await app.close();
  });
});
