import type { Database } from '#server/db/database.ts';

/** Cheapest first, as the operator put them. Prices are cents by billing interval. */
export async function listPlans({ db }: { db: Database }) {
  const rows = await db.app.selectFrom('plans').selectAll().orderBy('position').orderBy('id').execute();
  return rows.map((row) => ({
    productId: row.id,
    name: row.name,
    price: row.price as Record<string, number>,
    tagline: row.tagline,
    features: row.features,
  }));
}
