/** Where ingredients wait that are not saved yet. Without the reader of lines: other screens put some here too. */
import type { IngredientsInput } from '#contract/recipe-ingredients.ts';

/** With the version that the next save replaces. */
export type KeptIngredients = { version: number; content: IngredientsInput };

/** @param recipeId null for a recipe that is not saved yet */
export function ingredientsDraft(recipeId: string | null): string {
  return `ingredients:${recipeId ?? 'new'}`;
}
