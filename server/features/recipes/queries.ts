import { type Selectable, sql } from 'kysely';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { RecipesTable } from '#server/db/types.ts';
import type { PagePosition } from '#server/http/paging.ts';

export type RecipeRow = Selectable<RecipesTable>;
export type RecipeContent = Pick<
  RecipeRow,
  'name' | 'url' | 'url_key' | 'picture_url' | 'keyword_ideas' | 'message_text'
>;

/** The last changed first, deleted ones left out. `search` is looked for in name, address and words. */
export async function findPage(
  trx: CreatorTransaction,
  creatorId: string,
  search: string,
  { after, limit }: { after: PagePosition | null; limit: number },
): Promise<(RecipeRow & { position: string })[]> {
  const like = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await sql<RecipeRow & { position: string }>`
    select r.*, r.updated_at::text as position from recipes r
    where r.creator_id = ${creatorId}
      and (r.name ilike ${like} or r.url ilike ${like} or array_to_string(r.keyword_ideas, ' ') ilike ${like})
      ${after === null ? sql`` : sql`and (r.updated_at, r.id) < (${after.at}::timestamptz, ${after.id}::uuid)`}
    order by r.updated_at desc, r.id desc
    limit ${limit}
  `.execute(trx);
  return rows;
}

/** Those of these that there are; none of them is changed or deleted before the end of the transaction. */
export function findUsable(trx: CreatorTransaction, creatorId: string, ids: string[]): Promise<RecipeRow[]> {
  return trx
    .selectFrom('recipes')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forShare()
    .execute();
}

export function findById(trx: CreatorTransaction, creatorId: string, id: string): Promise<RecipeRow | undefined> {
  return trx
    .selectFrom('recipes')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The one that has this address already. */
export function findByAddress(
  trx: CreatorTransaction,
  creatorId: string,
  urlKey: string,
): Promise<RecipeRow | undefined> {
  return trx
    .selectFrom('recipes')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where(sql`md5(url_key)`, '=', sql`md5(${urlKey})`)
    .executeTakeFirst();
}

/** Until the end of the transaction nobody changes, deletes or newly uses it. */
export async function lock(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  await sql`select from recipes where creator_id = ${creatorId} and id = ${id} for update`.execute(trx);
}

/** False when another one has its address. */
export async function insert(
  trx: CreatorTransaction,
  row: RecipeContent & { creator_id: string; id: string; created_at: Date; updated_at: Date },
): Promise<boolean> {
  const inserted = await trx
    .insertInto('recipes')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Take the lock first. @throws what PostgreSQL throws when another one has the address */
export async function update(
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  content: RecipeContent,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('recipes')
    .set({ ...content, version: sql`version + 1`, updated_at: now })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .execute();
}

export async function remove(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  await trx.deleteFrom('recipes').where('creator_id', '=', creatorId).where('id', '=', id).execute();
}

export type Use = { recipeId: string; automationId: string; name: string; on: boolean; postId: string | null };

/** Which automations point to these recipes, by name. */
export async function findUses(trx: CreatorTransaction, creatorId: string, ids: string[]): Promise<Use[]> {
  const { rows } = await sql<Use>`
    select distinct on (lower(a.name), a.id, button ->> 'recipeId') button ->> 'recipeId' as "recipeId",
      a.id as "automationId", a.name, a.switched_on_at is not null as "on",
      case when a.trigger = 'comment' then a.post_id end as "postId"
    from automations a cross join jsonb_array_elements(a.buttons) as button
    where a.creator_id = ${creatorId} and a.archived_at is null and button ->> 'recipeId' = any(${ids}::text[])
    order by lower(a.name), a.id, button ->> 'recipeId'
  `.execute(trx);
  return rows;
}

/** The address reaches every automation that points to the recipe, and the short links of messages already sent. */
export async function moveLinks(trx: CreatorTransaction, creatorId: string, id: string, url: string): Promise<void> {
  await sql`
    update automations a set buttons = (
      select jsonb_agg(
        case when button ->> 'recipeId' = ${id} then button || jsonb_build_object('url', ${url}::text) else button end
        order by place
      )
      from jsonb_array_elements(a.buttons) with ordinality as entry (button, place)
    )
    where a.creator_id = ${creatorId} and a.buttons @> ${JSON.stringify([{ recipeId: id }])}::jsonb
  `.execute(trx);
  await sql`update links set url = ${url} where creator_id = ${creatorId} and recipe_id = ${id}`.execute(trx);
}
