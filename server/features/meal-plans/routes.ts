import type { FastifyInstance } from 'fastify';
import { getPlanIngredients, savePlanIngredients } from '#contract/meal-plan-ingredients.ts';
import * as contract from '#contract/meal-plans.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { prepareShops } from '#server/features/lists/shop-lists.ts';
import { serve } from '#server/http/serve.ts';
import * as plans from './meal-plans.ts';

export function registerMealPlans(app: FastifyInstance, deps: RouteDeps): void {
  const changed = (creatorId: string) => deps.live.publish(creatorId, { what: 'plans' });
  const of = (creatorId: string, { mealPlanId }: { mealPlanId: string }) => ({ creatorId, mealPlanId });

  serve(app, deps, contract.listMealPlans, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => plans.list(deps, trx, creatorId, query)),
  );

  serve(app, deps, contract.getMealPlan, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => plans.get(deps, trx, of(creatorId, params))),
  );

  serve(app, deps, contract.createMealPlan, async ({ creatorId, body, inCreator }) => {
    const made = await inCreator((trx) => plans.create(deps, trx, creatorId, body));
    changed(creatorId);
    return made;
  });

  serve(app, deps, contract.changeMealPlan, async ({ creatorId, params, body, inCreator }) => {
    const plan = await inCreator((trx) => plans.change(deps, trx, of(creatorId, params), body));
    changed(creatorId);
    return plan;
  });

  serve(app, deps, contract.duplicateMealPlan, async ({ creatorId, params, inCreator }) => {
    const made = await inCreator((trx) => plans.duplicate(deps, trx, of(creatorId, params)));
    changed(creatorId);
    return made;
  });

  serve(app, deps, contract.deleteMealPlan, async ({ creatorId, params, inCreator }) => {
    await inCreator((trx) => plans.remove(deps, trx, of(creatorId, params)));
    changed(creatorId);
    return { message: 'Meal plan deleted.' };
  });

  serve(app, deps, contract.getPlanDifferences, async ({ creatorId, params, inCreator }) => ({
    differences: await inCreator((trx) => plans.differences(trx, of(creatorId, params))),
  }));

  serve(app, deps, contract.publishMealPlan, async ({ creatorId, params, body, inCreator }) => {
    const plan = await inCreator((trx) => plans.publish(deps, trx, of(creatorId, params), body.version));
    await prepareShops(deps, creatorId, plan.published!.url);
    changed(creatorId);
    return plan;
  });

  serve(app, deps, contract.unpublishMealPlan, async ({ creatorId, params, inCreator }) => {
    const plan = await inCreator((trx) => plans.unpublish(deps, trx, of(creatorId, params)));
    changed(creatorId);
    return plan;
  });

  serve(app, deps, contract.suggestMealPlan, ({ creatorId, inCreator }) =>
    inCreator((trx) => plans.suggest(deps, trx, creatorId)),
  );

  serve(app, deps, getPlanIngredients, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => plans.getIngredients(trx, of(creatorId, params))),
  );

  serve(app, deps, savePlanIngredients, async ({ creatorId, params, body, inCreator }) => {
    const saved = await inCreator((trx) => plans.saveIngredients(deps, trx, of(creatorId, params), body));
    changed(creatorId);
    return saved;
  });
}
