/** A recipe that was read becomes what a new one begins with, in the drafts of its form. */
import { type IngredientsInput, MOST_LINES } from '#contract/recipe-ingredients.ts';
import type { Reading } from '#contract/recipe-reading.ts';
import type { RecipeInput } from '#contract/recipes.ts';
import { ingredientsDraft, type KeptIngredients } from '#web/features/recipes/ingredients-draft.ts';
import { keepDraft } from '#web/shell/drafts.ts';

const LONGEST_NAME = 120;
const LONGEST_GROUP = 100;
const MOST_SERVINGS = 100;

export const NEW_RECIPE_DRAFT = 'recipe:new';

export function keepReading(reading: Reading): void {
  keepDraft(NEW_RECIPE_DRAFT, detailsOf(reading));
  keepDraft(ingredientsDraft(null), { version: 0, content: ingredientsOf(reading) } satisfies KeptIngredients);
}

function detailsOf({ name, url, pictureUrl }: Reading): RecipeInput {
  return { name: (name ?? '').slice(0, LONGEST_NAME), url, pictureUrl, keywordIdeas: [], messageText: '' };
}

/** What the contract of ingredients does not take is left out. */
export function ingredientsOf({ servings, minutes, language, groups, steps, url }: Reading): IngredientsInput {
  const lines = groups.flatMap((group) =>
    group.lines.map(({ text, uid }) => ({
      id: crypto.randomUUID(),
      group: (group.name ?? '').slice(0, LONGEST_GROUP),
      text,
      fixes: {},
      checked: false,
      // Of pasted text there is no page that could change.
      sourceText: url === null ? null : text,
      sourceUid: uid,
    })),
  );
  return {
    servings: servings === null || servings < 1 || servings > MOST_SERVINGS ? null : servings,
    minutes: minutes === null || minutes < 1 || minutes > 10_000 ? null : minutes,
    measures: 'us',
    language: language ?? 'en',
    lines: lines.filter(({ text }) => text.trim() !== '').slice(0, MOST_LINES),
    steps,
  };
}
