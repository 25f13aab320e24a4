/** What pages changed in recipes without the creator, kept for a month to be undone: the newest first, then the one before it. */
import { sql } from 'kysely';
import type { Became } from '#contract/ingredients/from-page.ts';
import {
  type IngredientsInput,
  type RecipeIngredients,
  type SyncedBy,
  UNDO_SYNC_DAYS,
} from '#contract/recipe-ingredients.ts';
import type { CreatorTransaction } from '#server/db/database.ts';

const DAY_MS = 86_400_000;
/** Of a recipe; a page that changes every hour fills no disk. */
const MOST_SYNCS = 5;

type Of = { creatorId: string; recipeId: string };
export type Sync = Became & {
  id: string;
  by: SyncedBy;
  at: Date;
  versionBefore: number;
  versionAfter: number;
  before: IngredientsInput;
};

/** The newest, whether or not it can still be undone. */
export async function findLast(trx: CreatorTransaction, { creatorId, recipeId }: Of): Promise<Sync | undefined> {
  const row = await trx
    .selectFrom('recipe_syncs')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('recipe_id', '=', recipeId)
    .orderBy('version_after', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { id, made_by: by, made_at: at, changed, added, removed, waiting } = row;
  const versions = { versionBefore: row.version_before, versionAfter: row.version_after };
  return { ...{ id, by, at, changed, added, removed, waiting }, ...versions, before: row.before as IngredientsInput };
}

export function isOver({ at }: Pick<Sync, 'at'>, now: Date): boolean {
  return now.getTime() - at.getTime() > UNDO_SYNC_DAYS * DAY_MS;
}

/** The one that can be undone, as the creator sees it. @param version of the ingredients as they are */
export async function findUndoable(
  trx: CreatorTransaction,
  of: Of,
  { version, now }: { version: number; now: Date },
): Promise<RecipeIngredients['sync']> {
  const last = await findLast(trx, of);
  if (last === undefined || last.versionAfter !== version || isOver(last, now)) return null;
  const { by, at, changed, added, removed, waiting } = last;
  return { by, at: at.toISOString(), changed, added, removed, waiting };
}

export async function keep(trx: CreatorTransaction, { creatorId, recipeId }: Of, sync: Sync): Promise<void> {
  const { id, by, at, changed, added, removed, waiting } = sync;
  await trx
    .insertInto('recipe_syncs')
    .values({
      ...{ creator_id: creatorId, recipe_id: recipeId, id, made_by: by, made_at: at, changed, added, removed, waiting },
      ...{ version_before: sync.versionBefore, version_after: sync.versionAfter, before: JSON.stringify(sync.before) },
    })
    .execute();
  await sql`
    delete from recipe_syncs where creator_id = ${creatorId} and id in (
      select id from recipe_syncs where creator_id = ${creatorId} and recipe_id = ${recipeId}
      order by version_after desc offset ${MOST_SYNCS}
    )
  `.execute(trx);
}

/** It was undone: the one before it can be, from now on. @param version the ingredients have since */
export async function drop(
  trx: CreatorTransaction,
  { creatorId, recipeId }: Of,
  { id, versionBefore }: Sync,
  version: number,
): Promise<void> {
  await trx.deleteFrom('recipe_syncs').where('creator_id', '=', creatorId).where('id', '=', id).execute();
  await trx
    .updateTable('recipe_syncs')
    .set({ version_after: version })
    .where('creator_id', '=', creatorId)
    .where('recipe_id', '=', recipeId)
    .where('version_after', '=', versionBefore)
    .execute();
}
