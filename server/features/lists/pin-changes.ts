/** When a pin begins, changes or ends, shops make their pages of its lists anew, so that who taps first does not wait. */
import { sql } from 'kysely';
import type { RecurringJob } from '#server/db/jobs.ts';
import { listUrl } from '#server/features/recipes/ingredients.ts';
import type { ShopDeps } from '#server/features/shops/shop-pages.ts';
import { prepareShops } from './shop-lists.ts';

const EVERY_MS = 5 * 60_000;
const PINS_AT_ONCE = 20;
/** Those that were used last; the others are made anew at their next tap. */
const LISTS_AT_ONCE = 200;

const prepareForPins: RecurringJob<ShopDeps> = {
  name: 'prepare-pages-for-pins',
  everyMs: EVERY_MS,
  async run(deps) {
    const now = deps.clock.now();
    const { rows } = await sql<{ creatorId: string; id: string; recipeIds: string[] | null }>`
      select creator_id as "creatorId", id, recipe_ids as "recipeIds" from sponsor_pins
      where begins_at <= ${now} and (pages_at is null or pages_at < begins_at)
        or ends_at <= ${now} and pages_at < ends_at
      order by ends_at limit ${PINS_AT_ONCE}
    `.execute(deps.db.engine);
    for (const pin of rows) {
      for (const code of await listsOf(deps, pin)) await prepareShops(deps, pin.creatorId, listUrl(deps.config, code));
      await deps.db.engine
        .updateTable('sponsor_pins')
        .set({ pages_at: now })
        .where('creator_id', '=', pin.creatorId)
        .where('id', '=', pin.id)
        .execute();
    }
  },
};

/** Lists that opened at a shop: others have no page there that would be out of date. */
async function listsOf(
  { db }: Pick<ShopDeps, 'db'>,
  { creatorId, recipeIds }: { creatorId: string; recipeIds: string[] | null },
): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select i.list_code as code from recipe_ingredients i
    join lateral (
      select max(p.used_at) as used_at from shop_pages p
      where p.creator_id = i.creator_id and p.list_id = i.recipe_id and p.is_usual
    ) p on p.used_at is not null
    where i.creator_id = ${creatorId} and (${recipeIds}::uuid[] is null or i.recipe_id = any(${recipeIds}::uuid[]))
    order by p.used_at desc limit ${LISTS_AT_ONCE}
  `.execute(db.engine);
  return rows.map(({ code }) => code);
}

export const listJobs = [prepareForPins];
