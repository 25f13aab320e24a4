import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/recipes.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { change, list, recipes } from './recipes.ts';

export function registerRecipes(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'automationsChanged' | 'deliveriesQueued' | 'ids' | 'live'>,
): void {
  const changed = (creatorId: string) => deps.live.publish(creatorId, { what: 'automations' });

  serve(app, deps, contract.listRecipes, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => list(trx, creatorId, query)),
  );

  serve(app, deps, contract.getRecipe, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => recipes.get(trx, creatorId, params.recipeId)),
  );

  serve(app, deps, contract.createRecipe, async ({ creatorId, body, inCreator }) => {
    const created = await inCreator((trx) => recipes.create(deps, trx, creatorId, body));
    changed(creatorId);
    return created;
  });

  serve(app, deps, contract.updateRecipe, async ({ creatorId, params, body, inCreator }) => {
    const { recipe, freed } = await inCreator((trx) => change(deps, trx, creatorId, params.recipeId, body));
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
}
