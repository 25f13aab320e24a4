/** How the creator’s own words are told. */
import { getOwnWords, type IngredientWordInput, listIngredientWords } from '#contract/ingredient-words.ts';
import { listRecipes } from '#contract/recipes.ts';

/** What a word that was taught or forgotten puts out of date. */
export const REFRESHES = [getOwnWords, listIngredientWords, listRecipes];

type Kind = IngredientWordInput['kind'];

export const KINDS: Record<Kind, string> = {
  unit: 'A measure',
  alias: 'Another name for a food',
  food: 'A food',
  brand: 'A brand',
  preparation: 'How something is prepared',
  ignore: 'Starts a line that isn’t an ingredient',
};

const READ_AS: Record<Exclude<Kind, 'unit' | 'alias'>, string> = {
  food: 'is something to buy.',
  brand: 'is a brand.',
  preparation: 'is how it’s prepared, and isn’t bought.',
  ignore: 'starts a line that isn’t an ingredient.',
};

/** "“glug” is about 1 tablespoon." */
export function wordMeans({ kind, word, means }: IngredientWordInput): string {
  if (kind === 'alias') return `“${word}” is ${means}.`;
  if (kind !== 'unit') return `“${word}” ${READ_AS[kind]}`;
  return means === '' ? `“${word}” is a measure without a fixed size.` : `“${word}” is about ${sizeWords(means)}.`;
}

/** "3/2 tablespoon" */
export function sizeWords(means: string): string {
  return means.replaceAll('-', ' ');
}
