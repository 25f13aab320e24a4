/** What plans cost, here and at Stripe. */
import { FREE_PLAN_ID } from '#contract/plans.ts';
import { AppError } from '#server/errors.ts';
import { type CallDeps, changeStripe } from '#server/platforms/stripe/calls.ts';

export type Wish = { planId: string; interval: 'month' | 'year' };
type PriceAtStripe = { stripePriceId: string; plan: string; cents: number; trialDays: number };

/**
 * What a plan costs whoever buys it now; made at Stripe when it is bought for the first time.
 *
 * @throws AppError invalid_input: it is not for sale; stripe_unreachable, payments_off
 */
export async function findPrice(deps: CallDeps, { planId, interval }: Wish): Promise<PriceAtStripe> {
  const { db } = deps;
  const row = await db.engine
    .selectFrom('plan_prices')
    .innerJoin('plans', 'plans.id', 'plan_prices.plan_id')
    .select(['plans.name', 'plans.trial_days', 'cents', 'currency', 'since', 'stripe_price_id'])
    .where('plan_id', '=', planId)
    .where('billing_interval', '=', interval)
    .where('until', 'is', null)
    .where('plans.on_sale', '=', true)
    .executeTakeFirst();
  if (row === undefined || planId === FREE_PLAN_ID) {
    const message = 'This plan isn’t for sale like that. Choose another one.';
    throw new AppError('invalid_input', message, { fields: [{ path: 'planId', message }] });
  }
  const price = { plan: row.name, cents: row.cents, trialDays: row.trial_days };
  if (row.stripe_price_id !== null) return { ...price, stripePriceId: row.stripe_price_id };
  const product = await changeStripe(deps, {
    ...{ creatorId: null, verb: 'create_product', key: `product:${planId}` },
    params: { name: row.name, metadata: { chq_plan: planId } },
  });
  const lookupKey = `chq_${planId}_${interval}_${row.cents}`;
  const stripePriceId = await changeStripe(deps, {
    ...{ creatorId: null, verb: 'create_price', key: `price:${lookupKey}:${row.since.getTime()}` },
    params: {
      ...{ product, unit_amount: row.cents, currency: row.currency, recurring: { interval } },
      ...{ lookup_key: lookupKey, transfer_lookup_key: true },
    },
  });
  await db.engine
    .updateTable('plan_prices')
    .set({ stripe_price_id: stripePriceId })
    .where('plan_id', '=', planId)
    .where('billing_interval', '=', interval)
    .where('until', 'is', null)
    .execute();
  return { ...price, stripePriceId };
}
