/**
 * A recipe's page is read again without the creator. What they corrected is never lost, what shoppers see changes only by what is
 * certain or was looked at, and each change can be undone for a month. Only what the page says otherwise than at the last reading is
 * taken over, so that what was undone or taken out does not come back.
 */
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { isWaiting, readCorrected, stateOf } from '#contract/ingredients/corrected.ts';
import { type Became, ingredientsOf, mergePage, sourceLines } from '#contract/ingredients/from-page.ts';
import { languageOf } from '#contract/ingredients/languages.ts';
import type { SourceLine } from '#contract/ingredients/merging-readings.ts';
import { measuresOfLanguage, type RecipeLanguage } from '#contract/ingredients/recipe-language.ts';
import { QUOTAS } from '#contract/quotas.ts';
import type { IngredientsInput, RecipeIngredients, RecipeLine, SyncedBy } from '#contract/recipe-ingredients.ts';
import type { Reading } from '#contract/recipe-reading.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later } from '#server/db/jobs.ts';
import { AppError } from '#server/errors.ts';
import { ownWordsOf } from '#server/features/ingredient-words/words.ts';
import { measuresOf } from '#server/features/shops/settings.ts';
import {
  contentOf,
  EMPTY,
  findIngredients,
  getIngredients,
  holdRecipe,
  makeList,
  newCode,
  requireRecipe,
} from './ingredients.ts';
import * as syncs from './syncs.ts';

type Deps = { clock: Clock; ids: Ids; config: { baseUrl: string } };

/** What a reading says of ingredients; steps of a page are not taken. */
export type SyncedReading = Pick<Reading, 'servings' | 'minutes' | 'language' | 'groups' | 'foundBy'>;
/** `waiting`: all lines that wait for the creator's word. */
export type SyncSummary = Became;

/** Its work is in jobs.ts: shops' pages and open screens follow a list that changed. */
export const LIST_CHANGED = {
  name: 'recipe-list-changed',
  payload: z.object({ creatorId: z.uuid(), recipeId: z.uuid() }),
};

/**
 * What a page says now becomes the recipe's: all of it where there were no ingredients, else merged into them. Ingredients that did
 * not come from a page stay as they are. Screens and shops are told when the transaction commits.
 *
 * @returns null where nothing changed, the recipe is not there, or the creator has no room for more ingredients
 */
export async function applyReading(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  recipeId: string,
  reading: SyncedReading,
  by: SyncedBy,
): Promise<SyncSummary | null> {
  if (!(await holdRecipe(trx, creatorId, recipeId))) return null;
  const measures = measuresOfLanguage(reading.language) ?? (await measuresOf(trx, creatorId));
  const page = ingredientsOf({ ...reading, measures, steps: [], url: '' }, () => deps.ids.uuid(deps.clock.now()));
  if (page.lines.length === 0 || !(await hasRoom(trx, creatorId))) return null;
  const way = reading.foundBy === 'plugin' ? 'plugin' : 'page';
  const last = await keepReading(deps, trx, { creatorId, recipeId, way }, sourceLines(page.lines));
  const row = await findIngredients(trx, creatorId, recipeId);
  const before = row === undefined ? EMPTY : contentOf(row);
  const merged =
    before.lines.length === 0
      ? begun(page, before, last)
      : merge(before, page, last, { ...deps, language: languageOf(before, await ownWordsOf(trx, creatorId)) });
  if (merged === null) return null;
  const { content, became } = merged;
  const version = row?.version ?? 0;
  await makeList(deps, trx, creatorId, recipeId, row?.list_code ?? newCode(deps), content);
  await syncs.keep(
    trx,
    { creatorId, recipeId },
    {
      ...{ ...became, id: deps.ids.uuid(deps.clock.now()), by, at: deps.clock.now() },
      ...{ versionBefore: version, versionAfter: version + 1, before },
    },
  );
  await later(trx, deps, LIST_CHANGED, { creatorId, recipeId });
  return became;
}

/** Whether the creator may have more ingredients. */
export async function hasRoom(trx: CreatorTransaction, creatorId: string): Promise<boolean> {
  const { rows } = await sql<{ bytes: string | null }>`
    select sum(bytes) as bytes from recipe_ingredients where creator_id = ${creatorId}
  `.execute(trx);
  return Number(rows[0]!.bytes) < QUOTAS.ingredient_bytes.most;
}

type Merged = { content: IngredientsInput; became: Became } | null;

/** The first ones. Without any where the page said something already, the creator took them out, or undid it. */
function begun(page: IngredientsInput, before: IngredientsInput, last: SourceLine[] | null): Merged {
  if (last !== null) return null;
  const { servings, minutes, steps } = before;
  const content = { ...page, servings: servings ?? page.servings, minutes: minutes ?? page.minutes, steps };
  return { content, became: { changed: 0, added: page.lines.length, removed: 0, waiting: 0 } };
}

function merge(
  before: IngredientsInput,
  page: IngredientsInput,
  last: SourceLine[] | null,
  { clock, ids, language }: Deps & { language: RecipeLanguage },
): Merged {
  if (before.lines.every(({ sourceText }) => sourceText === null)) return null;
  const { content, became } = mergePage(before, page.lines, () => ids.uuid(clock.now()), last);
  const old = new Map(before.lines.map((line) => [line.id, line]));
  let heldBack = 0;
  const lines = content.lines.map((line) => {
    const was = old.get(line.id);
    if (was === undefined || was.text === line.text || !isSure(was, language) || isSure(line, language)) return line;
    heldBack += 1;
    // Shoppers go on by the old words.
    return { ...was, sourceUid: line.sourceUid, pageSays: line.text };
  });
  if (JSON.stringify(lines.map(visibleOf)) === JSON.stringify(before.lines.map(visibleOf))) return null;
  return {
    content: {
      ...{ ...content, lines },
      ...{ servings: before.servings ?? page.servings, minutes: before.minutes ?? page.minutes },
    },
    became: { ...became, changed: became.changed - heldBack, waiting: lines.filter(isWaiting).length },
  };
}

function isSure(line: RecipeLine, language: RecipeLanguage): boolean {
  return stateOf(line, readCorrected(line, language)) !== 'to_check';
}

/** What the creator or a shopper could tell apart. */
function visibleOf({ id, group, text, fixes, checked, pageSays }: RecipeLine) {
  return { id, group, text, fixes, checked, pageSays };
}

/** @returns what it was before; null: nothing */
async function keepReading(
  { clock }: Pick<Deps, 'clock'>,
  trx: CreatorTransaction,
  { creatorId, recipeId, way }: { creatorId: string; recipeId: string; way: 'plugin' | 'page' },
  lines: SourceLine[],
): Promise<SourceLine[] | null> {
  const { rows } = await sql<{ lines: SourceLine[] }>`
    select lines from recipe_readings where creator_id = ${creatorId} and recipe_id = ${recipeId} and way = ${way}
  `.execute(trx);
  await sql`
    insert into recipe_readings (creator_id, recipe_id, way, lines, read_at)
    values (${creatorId}, ${recipeId}, ${way}, ${JSON.stringify(lines)}::jsonb, ${clock.now()})
    on conflict (creator_id, recipe_id, way) do update set lines = excluded.lines, read_at = excluded.read_at
    where recipe_readings.lines <> excluded.lines
  `.execute(trx);
  return rows[0]?.lines ?? null;
}

/**
 * Takes back what the page changed last: the ingredients are to the byte what they were before.
 *
 * @throws AppError not_found, not_possible_now
 */
export async function undoSync(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  recipeId: string,
): Promise<RecipeIngredients> {
  await requireRecipe(trx, creatorId, recipeId);
  const row = await findIngredients(trx, creatorId, recipeId);
  const last = await syncs.findLast(trx, { creatorId, recipeId });
  if (row === undefined || last === undefined || syncs.isOver(last, deps.clock.now())) {
    throw new AppError(
      'not_possible_now',
      'There’s nothing to undo. What your page changed can be undone for 30 days.',
    );
  }
  if (last.versionAfter !== row.version) {
    throw new AppError(
      'not_possible_now',
      'Someone saved these ingredients since, so this can’t be undone. Change the lines instead.',
    );
  }
  await makeList(deps, trx, creatorId, recipeId, row.list_code, last.before);
  await syncs.drop(trx, { creatorId, recipeId }, last, row.version + 1);
  await later(trx, deps, LIST_CHANGED, { creatorId, recipeId });
  return getIngredients(deps, trx, creatorId, recipeId);
}
