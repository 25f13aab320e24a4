import type { FastifyInstance } from 'fastify';
import { getIngredients, saveIngredients, undoSync } from '#contract/recipe-ingredients.ts';
import * as contract from '#contract/recipes.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { prepareShops } from '#server/features/lists/shop-lists.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as ingredients from './ingredients.ts';
import * as recipes from './recipes.ts';
import * as syncing from './syncing.ts';

export function registerRecipes(
  app: FastifyInstance,
  deps: ServeDeps &
    Pick<AppDeps, 'automationsChanged' | 'config' | 'deliveriesQueued' | 'ids' | 'keys' | 'live' | 'log'>,
): void {
  const changed = (creatorId: string) => deps.live.publish(creatorId, { what: 'automations' });

  serve(app, deps, contract.listRecipes, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => recipes.list(deps, trx, creatorId, query)),
  );

  serve(app, deps, contract.getRecipe, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => recipes.get(deps, trx, creatorId, params.recipeId)),
  );

  serve(app, deps, contract.createRecipe, async ({ creatorId, body, inCreator }) => {
    const created = await inCreator((trx) => recipes.create(deps, trx, creatorId, body));
    changed(creatorId);
    return created;
  });

  serve(app, deps, contract.updateRecipe, async ({ creatorId, params, body, inCreator }) => {
    const { recipe, freed } = await inCreator((trx) => recipes.change(deps, trx, creatorId, params.recipeId, body));
    // The engine keeps the links of automations in memory.
    await deps.automationsChanged({ creatorId });
    for (const connectionId of freed) await deps.deliveriesQueued({ creatorId, connectionId });
    changed(creatorId);
    return recipe;
  });

  serve(app, deps, contract.deleteRecipe, async ({ creatorId, params, inCreator }) => {
    await inCreator((trx) => recipes.remove(deps, trx, creatorId, params.recipeId));
    changed(creatorId);
    return { message: 'Recipe deleted. Links in messages already sent still work.' };
  });

  serve(app, deps, getIngredients, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => ingredients.getIngredients(deps, trx, creatorId, params.recipeId)),
  );

  serve(app, deps, saveIngredients, async ({ creatorId, params, body, inCreator }) => {
    const saved = await inCreator((trx) => ingredients.saveIngredients(deps, trx, creatorId, params.recipeId, body));
    if (saved.listUrl !== null) await prepareShops(deps, creatorId, saved.listUrl);
    changed(creatorId);
    return saved;
  });

  serve(app, deps, undoSync, async ({ creatorId, params, inCreator }) => {
    const restored = await inCreator((trx) => syncing.undoSync(deps, trx, creatorId, params.recipeId));
    changed(creatorId);
    return restored;
  });
}
