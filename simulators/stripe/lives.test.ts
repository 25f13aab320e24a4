/** Random lives of a customer: whatever is done in whatever order, money and states stay what they may be. */
import fc from 'fast-check';
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { DAY_S, type StripeWorld, startStripeWorld } from './testing.ts';

type Life = { world: StripeWorld; customer: string; subscription: string; method: string; prices: string[] };
type Step = { what: string; run: (life: Life) => Promise<unknown> };

const subscriptionOf = ({ world, subscription }: Life) => world.stripe.subscriptions.retrieve(subscription);
const itemOf = async (life: Life) => (await subscriptionOf(life)).items.data[0]!.id;
const openInvoice = async ({ world, subscription }: Life) =>
  (await world.stripe.invoices.list({ subscription, status: 'open' })).data[0];

/** Refused for good reasons: there is nothing (more) to do. */
const mayBeRefused = (call: Promise<unknown>) =>
  call.catch((error: Stripe.errors.StripeError) => {
    if (![400, 402, 404].includes(error.statusCode ?? 0)) throw error;
  });

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map((days) => ({
    what: `${days} days later`,
    run: ({ world }: Life) => world.control.advance(days * DAY_S + 4321),
  })),
  fc.constantFrom('good', 'fails', 'confirm').map((kind) => ({
    what: `the card is ${kind}`,
    run: ({ world, method }: Life) =>
      world.control.setBehavior(
        method,
        kind === 'fails' ? { kind, code: 'generic_decline' } : ({ kind } as { kind: 'good' }),
      ),
  })),
  fc
    .record({
      price: fc.integer({ min: 0, max: 2 }),
      proration_behavior: fc.constantFrom('always_invoice', 'create_prorations', 'none'),
      payment_behavior: fc.constantFrom('allow_incomplete', 'error_if_incomplete', 'pending_if_incomplete'),
    })
    .map(({ price, ...how }) => ({
      what: `to price ${price}, ${Object.values(how).join(', ')}`,
      run: async (life: Life) =>
        mayBeRefused(
          life.world.stripe.subscriptions.update(life.subscription, {
            ...(how as { proration_behavior: 'none'; payment_behavior: 'allow_incomplete' }),
            items: [{ id: await itemOf(life), price: life.prices[price]! }],
          }),
        ),
    })),
  fc.boolean().map((ends) => ({
    what: ends ? 'ends later' : 'goes on',
    run: ({ world, subscription }: Life) =>
      mayBeRefused(world.stripe.subscriptions.update(subscription, { cancel_at_period_end: ends })),
  })),
  fc.constant({
    what: 'pays',
    run: async (life: Life) => {
      const invoice = await openInvoice(life);
      if (invoice?.id) await mayBeRefused(life.world.stripe.invoices.pay(invoice.id));
    },
  }),
  fc.constant({
    what: 'plans to change with the period',
    run: async ({ world, subscription, prices }: Life) => {
      const { stripe } = world;
      const make = async () => {
        const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscription });
        const [{ start_date, end_date, items }] = phases as [Stripe.SubscriptionSchedule.Phase];
        const now = { start_date, end_date, items: [{ price: items[0]!.price as string, quantity: 1 }] };
        await stripe.subscriptionSchedules.update(id, {
          phases: [now, { items: [{ price: prices[0]!, quantity: 1 }] }],
        });
      };
      await mayBeRefused(make());
    },
  }),
  fc.constant({
    what: 'takes the plan back',
    run: async (life: Life) => {
      const { schedule } = await subscriptionOf(life);
      if (schedule !== null) await life.world.stripe.subscriptionSchedules.release(schedule as string);
    },
  }),
  fc.constant({
    what: 'gets money back',
    run: async ({ world, customer }: Life) => {
      const [charge] = (await world.stripe.charges.list({ customer })).data.filter(({ paid }) => paid);
      if (charge !== undefined) await mayBeRefused(world.stripe.refunds.create({ charge: charge.id, amount: 100 }));
    },
  }),
  fc.constant({
    what: 'ends now',
    run: ({ world, subscription }: Life) => mayBeRefused(world.stripe.subscriptions.cancel(subscription)),
  }),
);

async function check(life: Life): Promise<void> {
  const { world, customer } = life;
  const subscription = await subscriptionOf(life);
  const invoices = (await world.stripe.invoices.list({ customer, limit: 100 })).data;
  const money = await world.control.money();
  const charged = new Map<string, number>();
  for (const { kind, invoice, cents } of money) {
    if (kind === 'charged') charged.set(invoice!, (charged.get(invoice!) ?? 0) + cents);
  }
  // Each is paid once, and to the cent.
  for (const { id, amount_paid, status } of invoices) {
    expect(charged.get(id!) ?? 0, id!).toBe(status === 'paid' ? amount_paid : 0);
  }
  const cycles = invoices.filter(({ billing_reason }) => billing_reason === 'subscription_cycle');
  const starts = cycles.map(({ lines }) => lines.data.at(-1)!.period.start);
  expect(new Set(starts).size, 'one invoice a period').toBe(starts.length);
  const refunded = money.filter(({ kind }) => kind === 'refunded').reduce((sum, { cents }) => sum + cents, 0);
  const given = (await world.stripe.charges.list({ customer, limit: 100 })).data;
  expect(given.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0)).toBe(refunded);
  const now = await world.control.now();
  if (subscription.status === 'canceled') {
    expect(subscription.ended_at).not.toBeNull();
    expect(invoices.every(({ created }) => created <= subscription.ended_at!)).toBe(true);
    expect(invoices.every(({ next_payment_attempt }) => next_payment_attempt === null)).toBe(true);
    return;
  }
  const { current_period_start: from, current_period_end: to } = subscription.items.data[0]!;
  expect([from <= now, now < to]).toEqual([true, true]);
  if (subscription.status === 'past_due') expect(invoices.some(({ status }) => status === 'open')).toBe(true);
}

test('keep money and states in order', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const world = await startStripeWorld();
      try {
        const prices = [await world.price(900), await world.price(2900), await world.price(29_000, 'year')].map(
          ({ id }) => id,
        );
        const { id: customer } = await world.customer();
        const { id: subscription } = await world.stripe.subscriptions.create({
          customer,
          items: [{ price: prices[1]! }],
        });
        const method = (await world.stripe.paymentMethods.list({ customer })).data[0]!.id;
        const life = { world, customer, subscription, method, prices };
        await check(life);
        for (const { run } of steps) {
          await run(life);
          await check(life);
        }
      } finally {
        await world.close();
      }
    }),
    { numRuns: 60, seed: 20_271_115 },
  );
});
