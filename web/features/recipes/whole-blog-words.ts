import type { RecipeImport } from '#contract/recipe-imports.ts';
import { numerals } from '#web/ui/numerals.ts';

export const BLOG = {
  back: 'Recipes',
  title: 'Bring in a whole blog',
  description: 'We find every recipe on your blog and read its ingredients. Nothing is sent to anyone.',
  choose: 'Your blog',
  chooseSays:
    'We read one page every few seconds, so that your blog stays fast. You can close this page. Recipes that you have already keep your corrections.',
  address: 'Address of your blog',
  start: 'Bring in its recipes',
  loading: 'Loading your imports',
  failed: 'Couldn’t load your imports',
  finding: 'Looking for recipes…',
  progress: (done: number, found: number) => `${numerals(done)} of ${count(found, 'page')} read`,
  pace: 'One page every few seconds. You can close this page.',
  pause: 'Pause',
  goOn: 'Go on',
  again: 'Try again',
  see: 'See your recipes',
  retry: 'Try these pages again',
  undo: 'Undo all of it',
  undoing: 'Undoing…',
  undone: ({ undone, kept }: { undone: number; kept: number }) =>
    `${count(undone, 'recipe')} ${undone === 1 ? 'is' : 'are'} as before.${
      kept === 0 ? '' : ` ${count(kept, 'recipe')} stayed: used or changed since.`
    }`,
  wasUndone: 'Undone',
  notRead: 'Pages that we couldn’t read',
  more: 'And more.',
  earlier: 'Earlier',
  recipes: (some: number) => count(some, 'recipe'),
};

export const STATES: Record<RecipeImport['state'], string> = {
  running: 'Running',
  paused: 'Paused',
  done: 'Done',
  failed: 'Stopped',
};

export function titleOf({ site }: RecipeImport): string {
  return new URL(site).host;
}

/** A line each of what there is. */
export function countWords({ made, updated, same, toCheck, noRecipe, notRead }: RecipeImport): string[] {
  const lines: [number, string][] = [
    [made, `${count(made, 'recipe')} added`],
    [updated, `${count(updated, 'recipe')} changed, your corrections kept`],
    [same, `${count(same, 'recipe')} as before`],
    [toCheck, `${numerals(toCheck)} with lines to check`],
    [noRecipe, `${count(noRecipe, 'page')} without a recipe`],
    [notRead, `${count(notRead, 'page')} not read`],
  ];
  return lines.filter(([some]) => some > 0).map(([, words]) => words);
}

function count(some: number, what: string): string {
  return `${numerals(some)} ${what}${some === 1 ? '' : 's'}`;
}
