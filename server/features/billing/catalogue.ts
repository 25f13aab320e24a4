/** What plans cost, here and at Stripe. */
import { sql, type Transaction } from 'kysely';
import type { adminChangePlan } from '#contract/admin-money.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { dollars, FREE_PLAN_ID } from '#contract/plans.ts';
import type { Tables } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { type CallDeps, changeStripe } from '#server/platforms/stripe/calls.ts';

export type Wish = { planId: string; interval: 'month' | 'year' };
type PriceAtStripe = { stripePriceId: string; plan: string; cents: number; since: Date; trialDays: number };

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
  const price = { plan: row.name, cents: row.cents, since: row.since, trialDays: row.trial_days };
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

/**
 * What a plan costs from now on. A price is never changed: another begins, and those who pay the one before keep it.
 *
 * @param trx of the engine's role
 * @returns what changed, in words
 * @throws AppError not_found; invalid_input for the free plan
 */
export async function sellPlan(
  trx: Transaction<Tables>,
  { planId, now, ...wanted }: BodyOf<typeof adminChangePlan> & { planId: string; now: Date },
): Promise<{ plan: string; changes: string[] }> {
  const plan = await trx
    .selectFrom('plans')
    .select(['name', 'trial_days', 'on_sale'])
    .where('id', '=', planId)
    .forUpdate()
    .executeTakeFirst();
  if (plan === undefined) throw new AppError('not_found', 'This plan doesn’t exist.');
  if (planId === FREE_PLAN_ID) {
    const message = 'The free plan has no price.';
    throw new AppError('invalid_input', message, { fields: [{ path: 'month', message }] });
  }
  const said: string[] = [];
  for (const interval of ['month', 'year'] as const) {
    const before = await trx
      .selectFrom('plan_prices')
      .select('cents')
      .where('plan_id', '=', planId)
      .where('billing_interval', '=', interval)
      .where('until', 'is', null)
      .executeTakeFirst();
    const cents = wanted[interval];
    if ((before?.cents ?? null) === cents) continue;
    await forgetMoves(trx, { planId, interval });
    await trx
      .updateTable('plan_prices')
      .set({ until: now })
      .where('plan_id', '=', planId)
      .where('billing_interval', '=', interval)
      .where('until', 'is', null)
      .execute();
    if (cents !== null) {
      const price = { plan_id: planId, billing_interval: interval, cents, since: now };
      await trx.insertInto('plan_prices').values(price).execute();
    }
    said.push(`${interval}: ${before ? dollars(before.cents) : 'none'} → ${cents === null ? 'none' : dollars(cents)}`);
  }
  if (plan.trial_days !== wanted.trialDays) said.push(`trial: ${plan.trial_days} → ${wanted.trialDays} days`);
  if (plan.on_sale !== wanted.isOnSale) said.push(wanted.isOnSale ? 'on sale' : 'no longer on sale');
  if (said.length === 0) return { plan: plan.name, changes: [] };
  const changes = { trial_days: wanted.trialDays, on_sale: wanted.isOnSale };
  await trx.updateTable('plans').set(changes).where('id', '=', planId).execute();
  return { plan: plan.name, changes: said };
}

/** What payers of before were told is no longer so: they keep their price until they are told another. */
async function forgetMoves(trx: Transaction<Tables>, { planId, interval }: Wish): Promise<void> {
  await trx
    .deleteFrom('price_moves')
    .where('stripe_price_id', 'in', (eb) =>
      eb
        .selectFrom('plan_prices')
        .select(sql<string>`stripe_price_id`.as('id'))
        .where('plan_id', '=', planId)
        .where('billing_interval', '=', interval)
        .where('stripe_price_id', 'is not', null),
    )
    .execute();
}
