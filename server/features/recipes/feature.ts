import * as ingredients from '#contract/recipe-ingredients.ts';
import { UNDO_SYNC_DAYS } from '#contract/recipe-ingredients.ts';
import * as recipeReading from '#contract/recipe-reading.ts';
import * as recipes from '#contract/recipes.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { recipeJobs } from './jobs.ts';
import { registerRecipeReading } from './reading/routes.ts';
import { registerRecipes } from './routes.ts';

export const feature: Feature = {
  contract: { recipes, ingredients, recipeReading },
  routes: (app, deps) => {
    registerRecipes(app, deps);
    registerRecipeReading(app, deps);
  },
  jobs: recipeJobs,
  holds: {
    recipes: { exported: { as: 'recipes', without: ['url_key'] } },
    recipe_ingredients: { exported: { as: 'recipeIngredients', without: ['foods', 'bytes'] } },
    recipe_readings: { exported: { leftOut: 'what pages of recipes say, read again and again' } },
    recipe_syncs: {
      exported: { as: 'recipeSyncs' },
      ages: [{ keep: UNDO_SYNC_DAYS, at: 'made_at' }],
    },
  },
};
