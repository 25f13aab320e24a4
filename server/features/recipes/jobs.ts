import type { LiveEvent } from '#contract/interactions.ts';
import type { QueuedJob } from '#server/db/jobs.ts';
import { prepareShops } from '#server/features/lists/shop-lists.ts';
import type { ShopDeps } from '#server/features/shops/shop-pages.ts';
import { listUrl } from './ingredients.ts';
import { LIST_CHANGED } from './syncing.ts';

type Deps = ShopDeps & {
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

export const recipeJobs = [listChanged];
