/** What a word would change, before it does. */
import { sql } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import type { previewIngredientWord, WordPreview } from '#contract/ingredient-words.ts';
import { readCorrected, stateOf } from '#contract/ingredients/corrected.ts';
import { LANGUAGES, languageOf } from '#contract/ingredients/languages.ts';
import type { OwnWord } from '#contract/ingredients/own-words.ts';
import { meaningOf, type Reading } from '#contract/ingredients/reading.ts';
import { readingWords } from '#contract/ingredients/reading-words.ts';
import { cut } from '#contract/ingredients/tokens.ts';
import type { Measures } from '#contract/ingredients/units.ts';
import { foldWord } from '#contract/ingredients/words.ts';
import type { RecipeLine } from '#contract/recipe-ingredients.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { library, ownWordsOf } from './words.ts';

const MOST_EXAMPLES = 20;
/** Read between two turns of the event loop, however common the word is. */
const RECIPES_AT_ONCE = 100;
/** How much of a word its plural may change, in letters. */
const ENDING = 3;

type Row = {
  id: string;
  name: string;
  language: string;
  measures: Measures;
  lines: RecipeLine[];
  position: string;
};

/** @throws AppError not_found */
export async function preview(
  trx: CreatorTransaction,
  creatorId: string,
  { wordId, becomes }: BodyOf<typeof previewIngredientWord>,
): Promise<WordPreview> {
  const now = wordId === null ? null : await library.get(trx, creatorId, wordId);
  const before = await ownWordsOf(trx, creatorId);
  const others = now === null ? before : before.filter(({ word }) => word !== now.word);
  const after = becomes === null ? others : [...others, becomes];
  const mayTouch = lineTest([now?.word, becomes?.word].filter((word) => word !== undefined));
  const found: WordPreview = { lines: 0, recipes: 0, examples: [] };
  for await (const row of recipesOf(trx, creatorId)) {
    const changes = row.lines.filter(mayTouch).flatMap((line) => changeOf(line, row, { before, after }) ?? []);
    found.lines += changes.length;
    if (changes.length > 0) found.recipes += 1;
    const room = MOST_EXAMPLES - found.examples.length;
    found.examples.push(...changes.slice(0, room).map((one) => ({ recipeId: row.id, recipe: row.name, ...one })));
  }
  return found;
}

/** Most recently changed first. */
async function* recipesOf(trx: CreatorTransaction, creatorId: string): AsyncGenerator<Row> {
  let last: Row | undefined;
  do {
    const { rows } = await sql<Row>`
      select r.id, r.name, i.language, i.measures, i.lines, r.updated_at::text as position
      from recipes r join recipe_ingredients i on i.creator_id = r.creator_id and i.recipe_id = r.id
      where r.creator_id = ${creatorId}
        ${last === undefined ? sql`` : sql`and (r.updated_at, r.id) < (${last.position}::timestamptz, ${last.id}::uuid)`}
      order by r.updated_at desc, r.id desc
      limit ${RECIPES_AT_ONCE}
    `.execute(trx);
    yield* rows;
    last = rows.length < RECIPES_AT_ONCE ? undefined : rows.at(-1);
  } while (last !== undefined);
}

/** Reading is a hundred times dearer: only lines that have what the words begin with, and no correction of their own. */
function lineTest(words: string[]): (line: RecipeLine) => boolean {
  const begins = words.map((word) => {
    const keys = cut(word, LANGUAGES.en).flatMap(({ kind, key }) => (kind === 'sign' ? [] : [key]));
    const [longest = ''] = keys.toSorted((a, b) => b.length - a.length);
    return longest.slice(0, Math.max(1, longest.length - ENDING));
  });
  return ({ text, fixes }) => {
    if (Object.keys(fixes).length > 0) return false;
    const folded = foldWord(text);
    return begins.some((one) => folded.includes(one));
  };
}

type Words = { before: OwnWord[]; after: OwnWord[] };

function changeOf(line: RecipeLine, recipe: Row, words: Words): { text: string; before: string; after: string } | null {
  const [before, after] = [words.before, words.after].map((own) => readCorrected(line, languageOf(recipe, own)));
  if (shownOf(line, before!) === shownOf(line, after!)) return null;
  return { text: before!.text, before: wordsOf(line, before!), after: wordsOf(line, after!) };
}

function shownOf(line: RecipeLine, reading: Reading): string {
  return JSON.stringify([meaningOf(reading), reading.brand, reading.preparation, stateOf(line, reading)]);
}

function wordsOf(line: RecipeLine, reading: Reading): string {
  return `${readingWords(reading)}${stateOf(line, reading) === 'to_check' ? ' (please check)' : ''}`;
}
