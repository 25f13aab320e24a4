/** A recipe that was read becomes what a new one begins with, in the drafts of its form. */
import { ingredientsOf } from '#contract/ingredients/from-page.ts';
import type { Reading } from '#contract/recipe-reading.ts';
import type { RecipeInput } from '#contract/recipes.ts';
import { ingredientsDraft, type KeptIngredients } from '#web/features/recipes/ingredients-draft.ts';
import { keepDraft } from '#web/shell/drafts.ts';

const LONGEST_NAME = 120;

export const NEW_RECIPE_DRAFT = 'recipe:new';

export function keepReading(reading: Reading): void {
  keepDraft(NEW_RECIPE_DRAFT, detailsOf(reading));
  keepDraft(ingredientsDraft(null), {
    version: 0,
    content: ingredientsOf(reading, () => crypto.randomUUID()),
  } satisfies KeptIngredients);
}

function detailsOf({ name, url, pictureUrl }: Reading): RecipeInput {
  return { name: (name ?? '').slice(0, LONGEST_NAME), url, pictureUrl, keywordIdeas: [], messageText: '' };
}
