import type { LiveEvent } from '#contract/interactions.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { QueuedJob } from '#server/db/jobs.ts';
import { prepareShops } from '#server/features/lists/shop-lists.ts';
import type { ShopDeps } from '#server/features/shops/shop-pages.ts';
import { listUrl } from './ingredients.ts';
import { READ_AGAIN } from './noticing.ts';
import { type ReadingDeps, read } from './reading/read-recipe.ts';
import { applyReading, LIST_CHANGED } from './syncing.ts';

type Deps = ShopDeps &
  ReadingDeps & {
    config: { baseUrl: string };
    live: { publish(creatorId: string, event: LiveEvent): void };
  };

const listChanged: QueuedJob<Deps, { creatorId: string; recipeId: string }> = {
  ...LIST_CHANGED,
  atOnce: 4,
  async run(deps, { creatorId, recipeId }) {
    const row = await deps.db.engine
      .selectFrom('recipe_ingredients')
      .select('list_code')
      .where('creator_id', '=', creatorId)
      .where('recipe_id', '=', recipeId)
      .executeTakeFirst();
    if (row === undefined) return;
    deps.live.publish(creatorId, { what: 'automations' });
    await prepareShops(deps, creatorId, listUrl(deps.config, row.list_code));
  },
};

const readAgain: QueuedJob<Deps, { creatorId: string; recipeId: string }> = {
  ...READ_AGAIN,
  atOnce: 4,
  async run(deps, { creatorId, recipeId }) {
    const inCreator = <T>(work: (trx: CreatorTransaction) => Promise<T>) => deps.db.withCreator(creatorId, work);
    const row = await deps.db.engine
      .selectFrom('recipes')
      .select('url')
      .where('creator_id', '=', creatorId)
      .where('id', '=', recipeId)
      .where('has_page', '=', true)
      .executeTakeFirst();
    if (row === undefined) return;
    const answer = await read({ ...deps, inBackground: true }, { creatorId, inCreator }, { url: row.url });
    if (answer.kind !== 'read') return;
    await inCreator((trx) => applyReading(deps, trx, creatorId, recipeId, answer.reading, 'guard'));
  },
};

export const recipeJobs = [listChanged, readAgain];
