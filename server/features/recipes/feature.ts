import * as ingredients from '#contract/recipe-ingredients.ts';
import * as recipes from '#contract/recipes.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerRecipes } from './routes.ts';

export const feature: Feature = {
  contract: { recipes, ingredients },
  routes: registerRecipes,
  holds: {
    recipes: { exported: { as: 'recipes', without: ['url_key'] } },
    recipe_ingredients: { exported: { as: 'recipeIngredients', without: ['foods', 'bytes'] } },
  },
};
