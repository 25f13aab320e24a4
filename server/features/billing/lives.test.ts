/**
 * Any life of a customer at Stripe, with fetches of two workers begun and written in any order: once the last fetch that began
 * is written, our copy is what `project` makes of Stripe, also when older ones are written after it.
 *
 *     LIVES=10000 npx vitest run server/features/billing/lives
 */
import fc from 'fast-check';
import { pino } from 'pino';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemIds } from '#server/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createStripeClient } from '#server/platforms/stripe/client.ts';
import { createTestClock } from '#server/testing/test-clock.ts';
import { DAY_S, START_S, type StripeWorld, startStripeWorld } from '#simulators/stripe/testing.ts';
import type { BillingDeps } from './billing-deps.ts';
import { project } from './project.ts';
import { endSecond, fetchSubscription, findCauses } from './sync.ts';

const RUNS = Number(process.env.LIVES ?? 500);
/** A simulator forgets nothing: after so many lives the next begins. */
const LIVES_PER_WORLD = 250;

let db: TestDatabase;
let world: StripeWorld;
let deps: BillingDeps;
let prices: Stripe.Price[] = [];
const PLANS = [
  ['creator-plan', 'month'],
  ['studio-plan', 'year'],
] as const;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(async () => {
  await world?.close();
  await db?.drop();
});

async function beginWorld(): Promise<void> {
  await world?.close();
  world = await startStripeWorld();
  const settings = {
    ...{ secretKey: world.secretKey, url: world.url, webhookSecrets: [], connectSecrets: [] },
    ...{ hasTax: false, isLive: false, isPlayed: false },
  };
  deps = {
    ...{ db, clock: createTestClock(new Date(START_S * 1000)), ids: systemIds, log: pino({ level: 'silent' }) },
    automationsChanged: () => {},
    config: { baseUrl: 'https://hq.example' },
    live: { publish: () => {}, listen: () => () => {}, close: async () => {} },
    stripe: createStripeClient(settings),
  };
  // Ids of the last one come again.
  await db.engine.deleteFrom('stripe_calls').execute();
  await db.engine.deleteFrom('stripe_customers').execute();
  prices = [];
  for (const [planId, interval] of PLANS) {
    const price = await world.price(2900, interval);
    prices.push(price);
    await db.engine
      .updateTable('plan_prices')
      .set({ stripe_price_id: price.id })
      .where('plan_id', '=', planId)
      .where('billing_interval', '=', interval)
      .execute();
  }
}

const which = fc.nat({ max: 1 });
const subscribe = fc.record({
  ...{ does: fc.constant('subscribe' as const), price: which, trialDays: fc.constantFrom(0, 0, 14) },
});
const step = fc.oneof(
  subscribe,
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom('end', 'keep', 'cancel', 'confirm', 'refund', 'dispute', 'pause', 'resume', 'release'),
    }),
  },
  fc.record({ does: fc.constantFrom('change', 'plan'), price: which }),
  fc.record({ does: fc.constant('card' as const), isGood: fc.boolean() }),
  fc.record({ does: fc.constant('pass' as const), days: fc.constantFrom(1, 8, 31) }),
  // Two workers, each with one fetch at a time.
  fc.record({ does: fc.constantFrom('ask' as const, 'write' as const), worker: which }),
);

/** What is always refused proves nothing. */
const done = new Set<string>();

test(`${RUNS} lives`, { timeout: 60 * 60_000 }, async () => {
  for (let begun = 0; begun < RUNS; begun += LIVES_PER_WORLD) {
    await beginWorld();
    await playLives(Math.min(LIVES_PER_WORLD, RUNS - begun));
  }
  expect(await world.control.unimplemented()).toEqual([]);
  if (RUNS >= 500) for (const what of ALL_STEPS) expect(done.has(what), what).toBe(true);
});

const ALL_STEPS = [
  ...['subscribe', 'end', 'keep', 'cancel', 'confirm', 'refund', 'dispute', 'pause', 'resume', 'release'],
  ...['change', 'plan', 'card', 'pass'],
];

function playLives(count: number): Promise<void> {
  return fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      subscribe,
      fc.array(step, { maxLength: 12, size: 'max' }),
      async (isGood, first, steps) => {
        const customer = await world.customer();
        const method = customer.invoice_settings.default_payment_method as string;
        const creatorId = systemIds.uuid(deps.clock.now());
        await db.engine
          .insertInto('creators')
          .values({ id: creatorId, handle: creatorId.slice(-12) })
          .execute();
        await db.engine
          .insertInto('stripe_customers')
          .values({ creator_id: creatorId, customer_id: customer.id })
          .execute();
        if (!isGood) await world.control.setBehavior(method, { kind: 'fails', code: 'generic_decline' });
        const workers: (Held | null)[] = [null, null];
        const release = async (worker: number) => {
          workers[worker]?.letGo();
          await workers[worker]?.ended;
          workers[worker] = null;
        };
        for (const one of [first, ...steps]) {
          if (!('worker' in one)) {
            await mayBeRefused(one.does, live(one, customer.id, method));
            await endSecondOnes();
          } else {
            await release(one.worker);
            if (one.does === 'ask') workers[one.worker] = await askAndHold(creatorId);
          }
        }
        // What is surplus is ended by the first, which the second sees.
        await fetchSubscription(deps, creatorId);
        await endSecondOnes();
        await fetchSubscription(deps, creatorId);
        for (const worker of [0, 1]) await release(worker);
        expect(await copyOf(creatorId)).toEqual(await truthOf(customer.id));
      },
    ),
    { numRuns: count },
  );
}

async function endSecondOnes(): Promise<void> {
  while ((await runDue([endSecond], deps as JobDeps)) > 0);
}

type Held = { letGo: () => void; ended: Promise<void> };

/** A fetch whose answer is there, and is not written yet. */
async function askAndHold(creatorId: string): Promise<Held> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: asked, resolve: answered } = Promise.withResolvers<void>();
  const subscriptionsOf = async (customer: string) => {
    const truth = await deps.stripe.subscriptionsOf(customer);
    answered();
    await held;
    return truth;
  };
  const ended = fetchSubscription({ ...deps, stripe: { ...deps.stripe, subscriptionsOf } }, creatorId);
  await asked;
  return { letGo, ended };
}

type Step = Exclude<typeof step extends fc.Arbitrary<infer T> ? T : never, { worker: number }>;

/** @returns false: there was nothing to do it to */
async function live(one: Step, customer: string, method: string): Promise<unknown> {
  const { stripe, control } = world;
  const all = await stripe.subscriptions.list({ customer, limit: 100 });
  const newest = all.data[0];
  switch (one.does) {
    case 'subscribe':
      return stripe.subscriptions.create({
        customer,
        items: [{ price: prices[one.price]!.id }],
        ...(one.trialDays > 0 && { trial_period_days: one.trialDays }),
      });
    case 'card':
      return control.setBehavior(method, one.isGood ? { kind: 'good' } : { kind: 'fails', code: 'insufficient_funds' });
    case 'pass':
      return control.advance(one.days * DAY_S);
  }
  if (newest === undefined) return false;
  const { id, schedule } = newest;
  const item = newest.items.data[0]!;
  const lastCharge = async () => (await stripe.charges.list({ customer, limit: 10 })).data.find(({ paid }) => paid);
  switch (one.does) {
    case 'end':
      return stripe.subscriptions.update(id, { cancel_at_period_end: true });
    case 'keep':
      return stripe.subscriptions.update(id, { cancel_at_period_end: false });
    case 'cancel':
      return stripe.subscriptions.cancel(id);
    case 'confirm': {
      await control.setBehavior(method, { kind: 'good' });
      const due = await stripe.invoices.list({ customer, status: 'open', limit: 1 });
      return due.data.length > 0 && stripe.invoices.pay(due.data[0]!.id!);
    }
    case 'change':
      return stripe.subscriptions.update(id, { items: [{ id: item.id, price: prices[one.price]!.id }] });
    case 'plan': {
      const made = await stripe.subscriptionSchedules.create({ from_subscription: id });
      const { start_date, end_date } = made.phases[0]!;
      return stripe.subscriptionSchedules.update(made.id, {
        phases: [
          { items: [{ price: item.price.id, quantity: 1 }], start_date, end_date },
          { items: [{ price: prices[one.price]!.id, quantity: 1 }] },
        ],
      });
    }
    case 'release':
      return schedule !== null && stripe.subscriptionSchedules.release(schedule as string);
    case 'pause':
      return stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } });
    case 'resume':
      return stripe.subscriptions.update(id, { pause_collection: '' });
    case 'refund': {
      const charge = await lastCharge();
      return charge !== undefined && stripe.refunds.create({ charge: charge.id });
    }
    default: {
      const charge = await lastCharge();
      return charge !== undefined && !charge.disputed && control.dispute(charge.id);
    }
  }
}

async function mayBeRefused(what: string, asked: Promise<unknown>): Promise<void> {
  try {
    if ((await asked) !== false) done.add(what);
  } catch (error) {
    if (!(error as Error).constructor.name.startsWith('Stripe')) throw error;
  }
}

const priceOf = (id: string) => {
  const at = prices.findIndex((price) => price.id === id);
  return PLANS[at] && { planId: PLANS[at][0], interval: PLANS[at][1] };
};

async function truthOf(customer: string) {
  const truth = await deps.stripe.subscriptionsOf(customer);
  const { current, past } = project(truth, priceOf, await findCauses(deps, truth));
  return { current, past: past.map(({ stripeSubscriptionId, status }) => ({ stripeSubscriptionId, status })) };
}

/** Read out of the tables, in the shape of `project`. */
async function copyOf(creatorId: string) {
  const row = await db.engine
    .selectFrom('subscriptions')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .executeTakeFirstOrThrow();
  const past = await db.engine
    .selectFrom('past_subscriptions')
    .select(['stripe_subscription_id as stripeSubscriptionId', 'status'])
    .where('creator_id', '=', creatorId)
    .orderBy('began_at')
    .orderBy('stripe_subscription_id')
    .execute();
  const current =
    row.stripe_price_id === null
      ? null
      : {
          ...{ stripeSubscriptionId: row.stripe_subscription_id, stripePriceId: row.stripe_price_id },
          ...{ planId: row.plan_id, interval: row.billing_interval, status: row.status, beganAt: row.created_at },
          ...{ cancelAt: row.cancel_at, canceledAt: row.canceled_at, currentPeriodEnd: row.current_period_end },
          ...{ trialEnd: row.trial_end, lateSince: row.late_since, scheduleId: row.schedule_id },
          next: row.next_at && { planId: row.next_plan_id, interval: row.next_interval, at: row.next_at },
          ...{ payNeeded: row.pay_needed, retryAt: row.retry_at },
        };
  return { current, past };
}
