/**
 * Whatever a change of plan was said to cost is what it costs, to the cent, at any moment of a period.
 *
 *     PREVIEWS=1000 npx vitest run server/features/billing/previews
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPrice, type Wish } from './catalogue.ts';
import { changePlan, previewChange } from './changing.ts';
import { fetchSubscription } from './sync.ts';
import { type BillingWorld, startBillingWorld } from './testing/billing-world.ts';

const RUNS = Number(process.env.PREVIEWS ?? 40);

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld({ settings: { STRIPE_TAX: 'on' } });
});
afterAll(() => world?.close());

const wish = fc.record({
  planId: fc.constantFrom('creator-plan', 'studio-plan'),
  interval: fc.constantFrom('month' as const, 'year' as const),
});

/** What else an invoice is made of: in cents, in percent. */
const money = fc.record({
  credit: fc.constantFrom(0, 0, 500, 9_000),
  coupon: fc.constantFrom(
    null,
    null,
    { percent_off: 50, duration: 'forever' as const },
    { amount_off: 1_000, currency: 'usd', duration: 'once' as const },
  ),
  tax: fc.constantFrom(0, 0, 7, 19),
});
type Money = typeof money extends fc.Arbitrary<infer T> ? T : never;

/** As if they had bought it: sessions end where clocks jump. */
async function payer(held: Wish, { credit, coupon, tax }: Money): Promise<{ creatorId: string; customer: string }> {
  const { deps, stripe, app } = world;
  const creatorId = app.deps.ids.uuid(app.clock.now());
  await app.db.engine.insertInto('creators').values({ id: creatorId, handle: creatorId }).execute();
  const { id: customer } = await stripe.customers.create({ email: 'anna@example.com' });
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } });
  await app.db.engine.insertInto('stripe_customers').values({ creator_id: creatorId, customer_id: customer }).execute();
  const { stripePriceId } = await findPrice(deps, held);
  await world.control.setTax({ isActive: tax > 0, countries: ['DE'], percent: tax });
  if (credit > 0) await stripe.customers.createBalanceTransaction(customer, { amount: -credit, currency: 'usd' });
  const made = coupon && (await stripe.coupons.create(coupon));
  const code = made && (await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: made.id } }));
  await stripe.subscriptions.create({
    ...{ customer, items: [{ price: stripePriceId }], automatic_tax: { enabled: tax > 0 } },
    ...(code && { discounts: [{ promotion_code: code.id }] }),
  });
  await fetchSubscription(deps, creatorId);
  return { creatorId, customer };
}

test(`${RUNS} previews`, { timeout: 20 * 60_000 }, async () => {
  const made = { now: 0, later: 0 };
  await fc.assert(
    fc.asyncProperty(
      wish,
      wish,
      fc.nat({ max: 27 * 86_400 }),
      fc.nat({ max: 840 }),
      money,
      async (held, wanted, age, pause, also) => {
        fc.pre(held.planId !== wanted.planId || held.interval !== wanted.interval);
        const { creatorId, customer } = await payer(held, also);
        const charged = async () =>
          (await world.control.money())
            .filter((one) => one.customer === customer && one.kind === 'charged')
            .reduce((sum, { cents }) => sum + cents, 0);
        const before = await charged();
        await world.pass(age);
        const deps = { ...world.deps, keys: world.app.deps.keys };
        const shown = await previewChange(deps, creatorId, wanted);
        await world.pass(pause);
        expect((await changePlan(deps, creatorId, shown.token)).url).toBeNull();
        expect((await charged()) - before).toBe(shown.dueCents);
        const said = shown.lines.reduce((sum, { cents }) => sum + cents, 0);
        if (shown.when === 'now') expect(said + shown.taxCents).toBe(shown.dueCents);
        const { billing } = await world.read(creatorId);
        expect(billing!.nextPayment!.cents).toBe(shown.nextPayment.cents);
        made[shown.when]++;
      },
    ),
    { numRuns: RUNS },
  );
  expect(Math.min(made.now, made.later)).toBeGreaterThan(0);
});
