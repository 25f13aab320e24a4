import * as ingredientWords from '#contract/ingredient-words.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { readRecipesAgain } from './rereading.ts';
import { registerIngredientWords } from './routes.ts';

export const feature: Feature = {
  contract: { ingredientWords },
  routes: registerIngredientWords,
  jobs: [readRecipesAgain],
  holds: {
    ingredient_words: { exported: { as: 'ingredientWords' } },
  },
};
