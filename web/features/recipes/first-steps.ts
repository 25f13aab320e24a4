/** The way from a recipe to a list in a message, and how far a creator is. */
import type { Recipe } from '#contract/recipes.ts';
import { paths, recipePath } from '#web/paths.ts';

type Found = { recipes: readonly Recipe[]; toCheck: readonly Recipe[]; ready: readonly Recipe[] };

export function stepsOf({ recipes, toCheck, ready }: Found) {
  const doubtful = toCheck[0];
  const empty = recipes.find(({ list }) => list === null || list.lines === 0);
  const hasList = doubtful !== undefined || ready.length > 0;
  return [
    {
      id: 'bring-in',
      done: hasList,
      title: 'Bring in a recipe',
      says: 'A list needs the ingredients of a recipe.',
      to: empty === undefined ? recipePath('new', 'ingredients') : recipePath(empty.id, 'ingredients'),
      label: 'Add ingredients',
    },
    {
      id: 'check',
      done: hasList && doubtful === undefined,
      title: 'Check the lines we aren’t sure of',
      says: 'So that no one buys the wrong thing.',
      to: doubtful === undefined ? paths.recipes : recipePath(doubtful.id, 'ingredients'),
      label: 'Check lines',
    },
    {
      id: 'send',
      done: ready.some(({ usedBy }) => usedBy.length > 0),
      title: 'Put the button into a message',
      says: 'Choose the recipe in an automation, and “Shopping list” for its button.',
      to: paths.postsAndReels,
      label: 'Choose a post',
    },
    {
      id: 'shop',
      done: false,
      title: 'Choose a shop',
      says: 'The printable list always works. A shop saves followers the typing.',
      to: paths.shopTheRecipeSettings,
      label: 'Choose a shop',
    },
  ];
}
