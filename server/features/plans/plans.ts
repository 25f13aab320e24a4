import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';

/** Cents by billing interval, of a statement that reads `plans`; empty for a free one. */
export const priceOfPlan = sql<Record<string, number>>`coalesce(
  (select jsonb_object_agg(x.billing_interval, x.cents) from plan_prices x where x.plan_id = plans.id and x.until is null), '{}'
)`.as('price');

/** Cheapest first, as the operator put them. Prices are cents by billing interval. */
export async function listPlans({ db }: { db: Database }) {
  const rows = await db.app
    .selectFrom('plans')
    .selectAll()
    .select(priceOfPlan)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    productId: row.id,
    name: row.name,
    ...{ price: row.price, trialDays: row.trial_days, isOnSale: row.on_sale },
    tagline: row.tagline,
    features: row.features,
  }));
}
