/** The creator's own words for ingredients. Who reads lines asks `ownWordsOf`. */
import { type Selectable, sql } from 'kysely';
import type { IngredientWordInput } from '#contract/ingredient-words.ts';
import { AISLES } from '#contract/ingredients/aisles.ts';
import { writeFraction } from '#contract/ingredients/fractions.ts';
import { ENGLISH } from '#contract/ingredients/lexicon.en.ts';
import { type OwnWord, sizeMeant } from '#contract/ingredients/own-words.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { IngredientWordsTable } from '#server/db/types.ts';
import { Library, searched } from '#server/features/libraries/library.ts';

export const library = new Library<IngredientWordInput, Selectable<IngredientWordsTable>, IngredientWordInput>({
  table: 'ingredient_words',
  order: 'by_name',
  missing: 'This word doesn’t exist, or was deleted.',
  changed: 'Someone else changed this word meanwhile. Open it again to see what it means now.',
  problemsOf: (input) => {
    const message = problemOf(input);
    return message === null ? [] : [{ path: 'means', severity: 'error', message }];
  },
  columnsOf: ({ kind, word, means }) => ({ kind, name: word, means: inEveryLanguage(kind, means) }),
  contentOf: ({ kind, name, means }) => ({ kind: kind as OwnWord['kind'], word: name, means }),
  unique: {
    field: 'word',
    constraint: 'ingredient_words_by_name',
    sameAs: ({ word }) => sql`lower(name) = lower(${word})`,
    message: ({ word }) => `You already have a word “${word}”. Change that one instead.`,
  },
});

/** In words; null: it can be read. */
function problemOf({ kind, means }: IngredientWordInput): string | null {
  if (kind === 'alias') return means === '' ? 'Enter the food that it means.' : null;
  if (means === '') return null;
  if (kind === 'unit') return sizeMeant(means, ENGLISH) === null ? 'Enter a size, like 1 tbsp or 15 ml.' : null;
  if (kind === 'food') return means in AISLES ? null : 'Choose an aisle.';
  return 'This kind of word means nothing else.';
}

/** "1 tbsp" is English; recipes of all languages have the measure. */
function inEveryLanguage(kind: OwnWord['kind'], means: string): string {
  const size = kind === 'unit' ? sizeMeant(means, ENGLISH) : null;
  return size === null ? means : `${writeFraction(size.size)} ${size.unit}`;
}

/** Of all recipes of the creator, oldest first: of two that say the same the later one counts. */
export async function ownWordsOf(trx: CreatorTransaction, creatorId: string): Promise<IngredientWordInput[]> {
  const rows = await trx
    .selectFrom('ingredient_words')
    .select(['kind', 'name', 'means'])
    .where('creator_id', '=', creatorId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ kind, name, means }) => ({ kind: kind as OwnWord['kind'], word: name, means }));
}

type Query = { after?: string | undefined; limit?: number | undefined; search?: string | undefined };

export function list(trx: CreatorTransaction, creatorId: string, { search, ...page }: Query) {
  const found = searched(search, (like) => sql`name ilike ${like} or means ilike ${like}`);
  return library.list(trx, creatorId, page, found);
}
