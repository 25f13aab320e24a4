/** "Comment for Recipe": the ready-made kind of automation that most food creators begin with. */
import type { AutomationInput } from '#contract/automations.ts';
import { linkIn } from '#contract/link-in.ts';
import { MAX_BUTTONS } from '#contract/message-text.ts';
import type { Recipe } from '#contract/recipes.ts';
import { listButton } from '#web/features/recipes/recipe-buttons.ts';

export const RECIPE_WORD = 'RECIPE';

/** The fields it fills in; the link is asked for where the caption has none. Existing values stay. */
export function recipeStart(
  input: Pick<AutomationInput, 'words' | 'buttons'>,
  caption: string | null,
): Pick<AutomationInput, 'words' | 'mode' | 'typoTolerance' | 'buttons'> {
  const [first, ...others] = input.buttons;
  const link = caption === null ? null : linkIn(caption);
  const has = input.words.some((word) => word.toLocaleUpperCase('en') === RECIPE_WORD);
  return {
    words: has ? input.words : [RECIPE_WORD, ...input.words],
    mode: 'whole_word',
    typoTolerance: true,
    buttons: [{ title: 'Get the recipe', url: first?.url || link || '' }, ...others],
  };
}

/** The same for one of the creator's recipes: its page, its list when every line of it is ready, the words that people write for it, its message. */
export function startOf(
  recipe: Pick<Recipe, 'id' | 'url' | 'leadsTo' | 'list' | 'keywordIdeas' | 'messageText'>,
  input: Pick<AutomationInput, 'words' | 'buttons' | 'messageText'>,
): Pick<AutomationInput, 'words' | 'mode' | 'typoTolerance' | 'buttons' | 'messageText'> {
  const { words, ...start } = recipeStart(input, null);
  const known = new Set(words.map((word) => word.toLocaleUpperCase('en')));
  const [first, ...others] = start.buttons;
  const { list } = recipe;
  // Without a page the recipe leads to its list anyway.
  const isReady = recipe.url !== null && list !== null && list.lines > 0 && list.toCheck === 0;
  const toList = isReady ? [listButton(recipe.id, list.url)] : [];
  const kept = others.filter(({ recipeId, part }) => recipeId !== recipe.id || part !== 'list');
  return {
    ...start,
    words: [...words, ...recipe.keywordIdeas.filter((word) => !known.has(word.toLocaleUpperCase('en')))],
    buttons: [{ title: first!.title, url: recipe.leadsTo, recipeId: recipe.id }, ...toList, ...kept].slice(
      0,
      MAX_BUTTONS,
    ),
    messageText: recipe.messageText || input.messageText,
  };
}
