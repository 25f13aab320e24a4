/** Ingredients of recipes, and the list that is made of them: it has a code of its own, and stays when the recipe is deleted. */
import { type Selectable, sql } from 'kysely';
import { isWaiting, readCorrected, stateOf } from '#contract/ingredients/corrected.ts';
import { languageOf } from '#contract/ingredients/languages.ts';
import type { OwnWord } from '#contract/ingredients/own-words.ts';
import type { Measures } from '#contract/ingredients/units.ts';
import type { IngredientsInput, RecipeIngredients, RecipeLine } from '#contract/recipe-ingredients.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { RecipeIngredientsTable } from '#server/db/types.ts';
import { AppError } from '#server/errors.ts';
import { ownWordsOf } from '#server/features/ingredient-words/words.ts';
import { measuresOf } from '#server/features/shops/settings.ts';
import { findLookalike } from './likeness.ts';
import { findUndoable } from './syncs.ts';

/** Where shoppers open a list: `/s/CODE`. */
export const LIST_PATH = '/s';
/** In the address of a list: the message that led there, as in `/l/{code}/{part}`. */
export const MESSAGE_OF_LIST = 'm';
const CODE_LENGTH = 8;

export function listUrl({ baseUrl }: { baseUrl: string }, code: string): string {
  return `${baseUrl}${LIST_PATH}/${code}`;
}

export function newCode({ ids }: { ids: Ids }): string {
  return ids.code(CODE_LENGTH);
}

type Row = Selectable<RecipeIngredientsTable>;
type Deps = { clock: Clock; ids: Ids; config: { baseUrl: string } };

export const EMPTY: IngredientsInput = {
  ...{ servings: null, minutes: null, measures: 'us', language: 'en', lines: [], steps: [] },
};

/** @throws AppError not_found */
export async function getIngredients(
  deps: Pick<Deps, 'clock' | 'config'>,
  trx: CreatorTransaction,
  creatorId: string,
  recipeId: string,
): Promise<RecipeIngredients> {
  await requireRecipe(trx, creatorId, recipeId);
  const row = await findIngredients(trx, creatorId, recipeId);
  if (row === undefined) {
    const measures = await measuresOf(trx, creatorId);
    return { ...EMPTY, measures, version: 0, updatedAt: null, listUrl: null, lookalike: null, sync: null };
  }
  const sync = await findUndoable(trx, { creatorId, recipeId }, { version: row.version, now: deps.clock.now() });
  return { ...show(deps, row), lookalike: await findLookalike(trx, { creatorId, recipeId }), sync };
}

/** @throws AppError not_found, changed_meanwhile */
export async function saveIngredients(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  recipeId: string,
  { version, ...input }: IngredientsInput & { version: number },
): Promise<RecipeIngredients> {
  await requireRecipe(trx, creatorId, recipeId);
  const before = await findIngredients(trx, creatorId, recipeId);
  if ((before?.version ?? 0) !== version) {
    throw new AppError(
      'changed_meanwhile',
      'Someone else saved these ingredients while you were editing. Your version is still here: compare and choose.',
    );
  }
  await makeList(deps, trx, creatorId, recipeId, before?.list_code ?? newCode(deps), input);
  return getIngredients(deps, trx, creatorId, recipeId);
}

/** Makes the list, or changes it. */
export async function makeList(
  { clock }: Pick<Deps, 'clock'>,
  trx: CreatorTransaction,
  creatorId: string,
  recipeId: string,
  code: string,
  input: IngredientsInput = EMPTY,
): Promise<void> {
  const { lines, ...rest } = input;
  const columns = {
    ...{ ...rest, lines: JSON.stringify(lines), updated_at: clock.now() },
    ...countsOf(input, lines.length === 0 ? [] : await ownWordsOf(trx, creatorId)),
  };
  await trx
    .insertInto('recipe_ingredients')
    .values({ creator_id: creatorId, recipe_id: recipeId, list_code: code, ...columns })
    .onConflict((conflict) =>
      conflict
        .columns(['creator_id', 'recipe_id'])
        .doUpdateSet({ ...columns, version: sql`recipe_ingredients.version + 1` }),
    )
    .execute();
}

/** Of the recipe's list, which is made where there is none. */
export async function listUrlOf(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  recipeId: string,
): Promise<string> {
  const found = await findIngredients(trx, creatorId, recipeId);
  const code = found?.list_code ?? newCode(deps);
  if (found === undefined) await makeList(deps, trx, creatorId, recipeId, code);
  return listUrl(deps.config, code);
}

type Lines = Pick<IngredientsInput, 'lines' | 'language' | 'measures'>;

function countsOf({ lines, ...recipe }: Lines, words: readonly OwnWord[]) {
  const language = languageOf(recipe, words);
  const read = lines.map((line) => ({ line, reading: readCorrected(line, language) }));
  const foods = read.flatMap(({ reading }) => reading.food?.name ?? []);
  return {
    line_count: read.filter(({ reading }) => reading.kind === 'ingredient').length,
    to_check: read.filter(({ line, reading }) => stateOf(line, reading) === 'to_check' || isWaiting(line)).length,
    foods: [...new Set(foods)].join(', '),
  };
}

/**
 * Counts the lines of some recipes again, for the creator’s words are others now.
 *
 * @param after the recipe to go on behind; null: from the first one
 * @returns the last recipe of these; null: there are no more
 */
export async function countAgain(
  trx: CreatorTransaction,
  creatorId: string,
  after: string | null,
  most: number,
): Promise<string | null> {
  // Who saves one meanwhile comes before or after, and reads it with the words of then.
  const { rows: held } = await sql<{ id: string }>`
    select id from recipes where creator_id = ${creatorId} and id > ${after ?? '00000000-0000-0000-0000-000000000000'}
    order by id limit ${most} for no key update
  `.execute(trx);
  if (held.length === 0) return null;
  const words = await ownWordsOf(trx, creatorId);
  const rows = await trx
    .selectFrom('recipe_ingredients')
    .select(['recipe_id', 'lines', 'language', 'measures', 'line_count', 'to_check', 'foods'])
    .where('creator_id', '=', creatorId)
    .where(
      'recipe_id',
      'in',
      held.map(({ id }) => id),
    )
    .execute();
  for (const { recipe_id, lines, language, measures, ...before } of rows) {
    const counts = countsOf({ lines: lines as RecipeLine[], language, measures: measures as Measures }, words);
    if (before.to_check === counts.to_check && before.foods === counts.foods && before.line_count === counts.line_count)
      continue;
    await trx
      .updateTable('recipe_ingredients')
      .set(counts)
      .where('creator_id', '=', creatorId)
      .where('recipe_id', '=', recipe_id)
      .execute();
  }
  return held.length < most ? null : held.at(-1)!.id;
}

/** @throws AppError not_found */
export async function requireRecipe(trx: CreatorTransaction, creatorId: string, recipeId: string): Promise<void> {
  if (await holdRecipe(trx, creatorId, recipeId)) return;
  throw new AppError('not_found', 'This recipe doesn’t exist, or was deleted.');
}

/** So that two who save come one after the other. @returns whether it is there */
export async function holdRecipe(trx: CreatorTransaction, creatorId: string, recipeId: string): Promise<boolean> {
  const { rows } = await sql`
    select from recipes where creator_id = ${creatorId} and id = ${recipeId} for update
  `.execute(trx);
  return rows.length > 0;
}

export function findIngredients(trx: CreatorTransaction, creatorId: string, recipeId: string) {
  return trx
    .selectFrom('recipe_ingredients')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('recipe_id', '=', recipeId)
    .executeTakeFirst();
}

function show({ config }: Pick<Deps, 'config'>, row: Row): Omit<RecipeIngredients, 'lookalike' | 'sync'> {
  return {
    ...contentOf(row),
    version: row.version,
    updatedAt: row.updated_at.toISOString(),
    listUrl: listUrl(config, row.list_code),
  };
}

export function contentOf({ servings, minutes, language, steps, measures, lines }: Row): IngredientsInput {
  return {
    ...{ servings, minutes, language, steps },
    measures: measures as IngredientsInput['measures'],
    lines: lines as RecipeLine[],
  };
}

/** Before its recipe is deleted: shoppers go on opening the list. */
export async function keepList(trx: CreatorTransaction, creatorId: string, recipeId: string): Promise<void> {
  await sql`
    update recipe_ingredients i
    set deleted_recipe = jsonb_build_object(
      'name', r.name, 'url', r.url, 'hasPage', r.has_page, 'pictureUrl', r.picture_url)
    from recipes r
    where r.creator_id = ${creatorId} and r.id = ${recipeId} and i.creator_id = r.creator_id and i.recipe_id = r.id
  `.execute(trx);
}
