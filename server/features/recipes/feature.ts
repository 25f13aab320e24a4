import * as ingredients from '#contract/recipe-ingredients.ts';
import * as recipeReading from '#contract/recipe-reading.ts';
import * as recipes from '#contract/recipes.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerRecipeReading } from './reading/routes.ts';
import { registerRecipes } from './routes.ts';

export const feature: Feature = {
  contract: { recipes, ingredients, recipeReading },
  routes: (app, deps) => {
    registerRecipes(app, deps);
    registerRecipeReading(app, deps);
  },
  holds: {
    recipes: { exported: { as: 'recipes', without: ['url_key'] } },
    recipe_ingredients: { exported: { as: 'recipeIngredients', without: ['foods', 'bytes'] } },
  },
};
