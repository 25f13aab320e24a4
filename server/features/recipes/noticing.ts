/**
 * The link guard looks at pages of recipes anyway. Where the ingredients there are others than when it looked last, the page is read
 * again. What a glance finds is only compared with what one found before: the reader, who asks recipe cards as well, has it in other words.
 */
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { later } from '#server/db/jobs.ts';
import { addressKey, recipesAt } from './address-key.ts';
import { readPage } from './reading/page.ts';
import { linesOf, recipesOf } from './reading/sources.ts';

/** Its work is in jobs.ts. */
export const READ_AGAIN = {
  name: 'read-recipe-again',
  payload: z.object({ creatorId: z.uuid(), recipeId: z.uuid() }),
};

/** @param page the watched address, and what stands there */
export async function noticeIngredients(
  deps: { clock: Clock },
  trx: CreatorTransaction,
  creatorId: string,
  page: { url: string; html: string },
): Promise<void> {
  const recipeId = await findRead(trx, creatorId, page.url);
  if (recipeId === undefined) return;
  const sources = recipesOf(readPage(page.html), page.url).flat();
  const lines = JSON.stringify(sources.flatMap((source) => linesOf(source).map(({ text }) => text)));
  if (lines === '[]') return;
  const { rows } = await sql`
    with before as (
      select lines from recipe_readings where creator_id = ${creatorId} and recipe_id = ${recipeId} and way = 'guard'
    ), kept as (
      insert into recipe_readings as k (creator_id, recipe_id, way, lines, read_at)
      values (${creatorId}, ${recipeId}, 'guard', ${lines}::jsonb, ${deps.clock.now()})
      on conflict (creator_id, recipe_id, way) do update set lines = excluded.lines, read_at = excluded.read_at
      where k.lines <> excluded.lines
    )
    select 1 from before where lines <> ${lines}::jsonb
  `.execute(trx);
  if (rows.length > 0) await later(trx, deps, READ_AGAIN, { creatorId, recipeId });
}

/** The recipe of this page whose ingredients came from there. */
async function findRead(trx: CreatorTransaction, creatorId: string, url: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select r.id from recipes r join recipe_ingredients i on i.creator_id = r.creator_id and i.recipe_id = r.id
    where r.creator_id = ${creatorId} and r.id = any(${recipesAt(creatorId, [addressKey(url)])})
      and jsonb_path_exists(i.lines, '$[*].sourceText ? (@ != null)')
  `.execute(trx);
  return rows[0]?.id;
}
