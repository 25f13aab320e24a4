/** Ingredients of recipe cards, as the blog's plugin tells them. */
import { guessLanguage } from '#contract/ingredients/languages.ts';
import type { BlogRecipe } from '#contract/plugin.ts';
import { asEntry, languageIn, lineOf, servingsIn } from './reading/json-ld.ts';
import { groupsOf, minutesOrNull } from './reading/recipe-reading.ts';
import type { SyncedReading } from './syncing.ts';

type Entry = { heading: string } | { line: { text: string; uid: string | null } };

/** @returns null where the card tells of none, as of one that is locked: nothing is known of them then */
export function readingOf(recipe: BlogRecipe, language: string | undefined): SyncedReading | null {
  const { groups } = groupsOf(entriesOf(recipe));
  if (groups.length === 0) return null;
  return {
    groups,
    servings: servingsIn(recipe.yield),
    minutes: minutesOrNull(recipe.totalMinutes ?? 0),
    language:
      languageIn(language) ?? guessLanguage(groups.flatMap(({ lines }) => lines.map(({ text }) => text)).join('\n')),
    foundBy: 'plugin',
  };
}

/** Older plugins tell one list, with headings among the lines as their cards have them. */
function entriesOf({ groups, ingredients }: BlogRecipe): Entry[] {
  if (groups === undefined) {
    return ingredients
      .map(lineOf)
      .filter((text) => text !== '')
      .map((text) => {
        const entry = asEntry(text);
        return 'heading' in entry ? entry : { line: { text, uid: null } };
      });
  }
  return groups.flatMap(({ name, lines }): Entry[] => {
    const told = lines.map(({ text, uid }) => ({ text: lineOf(text), uid })).filter(({ text }) => text !== '');
    // Lines of no group are none of the group before them.
    return told.length === 0 ? [] : [{ heading: name ?? '' }, ...told.map((line) => ({ line }))];
  });
}
