/** When a pin begins, changes or ends, shops make their pages of its lists anew, so that who taps first does not wait. */
import { sql } from 'kysely';
import type { RecurringJob } from '#server/db/jobs.ts';
import { findChangedPins, notePagesMade } from '#server/features/pins/pin-pages.ts';
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
    for (const pin of await findChangedPins(deps.db.engine, now, PINS_AT_ONCE)) {
      for (const code of await listsOf(deps, pin)) await prepareShops(deps, pin.creatorId, listUrl(deps.config, code));
      await notePagesMade(deps.db.engine, pin, now);
    }
  },
};

/** Lists that a shop made a page of: others have none that would be out of date. */
async function listsOf(
  { db }: Pick<ShopDeps, 'db'>,
  { creatorId, recipeIds }: { creatorId: string; recipeIds: string[] | null },
): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select i.list_code as code from recipe_ingredients i
    join (
      select list_id, max(used_at) as used_at from shop_pages
      where creator_id = ${creatorId} and is_usual group by list_id
    ) p on p.list_id = i.recipe_id
    where i.creator_id = ${creatorId} and (${recipeIds}::uuid[] is null or i.recipe_id = any(${recipeIds}::uuid[]))
    order by p.used_at desc limit ${LISTS_AT_ONCE}
  `.execute(db.engine);
  return rows.map(({ code }) => code);
}

export const listJobs = [prepareForPins];
