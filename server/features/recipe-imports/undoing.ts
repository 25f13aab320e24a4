/** Takes an import back, some recipes at a time. What was used or changed since stays. */
import { sql } from 'kysely';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later } from '#server/db/jobs.ts';
import { AppError } from '#server/errors.ts';
import { remove } from '#server/features/recipes/recipes.ts';
import { undoSync } from '#server/features/recipes/syncing.ts';
import { IMPORT_JOB, type RecipeImportDeps, type Whose } from './import-job.ts';
import { change } from './imports.ts';

type PageRow = { place: number; state: 'made' | 'updated'; recipe_id: string; version: number | null };

const AT_ONCE = 20;

export async function undoSome(deps: RecipeImportDeps, whose: Whose): Promise<void> {
  const { creatorId, importId } = whose;
  await deps.db.withCreator(creatorId, async (trx) => {
    const { rows } = await sql<PageRow>`
      select place, state, recipe_id, version from recipe_import_pages
      where creator_id = ${creatorId} and import_id = ${importId} and state in ('made', 'updated') and undone is null
      order by place limit ${AT_ONCE} for update
    `.execute(trx);
    for (const page of rows) {
      const isUndone =
        page.state === 'made'
          ? await removeMade(deps, trx, creatorId, page)
          : await restore(deps, trx, creatorId, page);
      await sql`
        update recipe_import_pages set undone = ${isUndone}
        where creator_id = ${creatorId} and import_id = ${importId} and place = ${page.place}
      `.execute(trx);
    }
    if (rows.length === 0) await change(trx, whose, { undone_at: deps.clock.now() });
    else await later(trx, deps, IMPORT_JOB, whose);
  });
}

async function removeMade(
  deps: RecipeImportDeps,
  trx: CreatorTransaction,
  creatorId: string,
  page: PageRow,
): Promise<boolean> {
  const { rows } = await sql<{ stays: boolean }>`
    select r.version <> 1 or i.version is distinct from ${page.version}::int
      or exists (select from links l where l.creator_id = r.creator_id and l.recipe_id = r.id)
      or exists (
        select from automations a where a.creator_id = r.creator_id and a.archived_at is null
          and a.buttons @> jsonb_build_array(jsonb_build_object('recipeId', r.id))
      ) as stays
    from recipes r left join recipe_ingredients i on i.creator_id = r.creator_id and i.recipe_id = r.id
    where r.creator_id = ${creatorId} and r.id = ${page.recipe_id} for update of r
  `.execute(trx);
  // The creator deleted it.
  if (rows.length === 0) return true;
  if (rows[0]!.stays) return false;
  await remove(deps, trx, creatorId, page.recipe_id);
  // Nobody was ever given its list.
  await sql`delete from recipe_ingredients where creator_id = ${creatorId} and recipe_id = ${page.recipe_id}`.execute(
    trx,
  );
  return true;
}

async function restore(
  deps: RecipeImportDeps,
  trx: CreatorTransaction,
  creatorId: string,
  page: PageRow,
): Promise<boolean> {
  const { rows } = await sql`
    select from recipe_ingredients
    where creator_id = ${creatorId} and recipe_id = ${page.recipe_id} and version = ${page.version}
  `.execute(trx);
  if (rows.length === 0) return false;
  try {
    await undoSync(deps, trx, creatorId, page.recipe_id);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
