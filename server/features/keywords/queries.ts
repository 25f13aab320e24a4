import { type Selectable, sql } from 'kysely';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { KeywordsTable } from '#server/db/types.ts';
import type { PagePosition } from '#server/http/paging.ts';

export type KeywordRow = Selectable<KeywordsTable>;
export type KeywordContent = Pick<KeywordRow, 'name' | 'words' | 'mode' | 'excluded_words' | 'typo_tolerance'>;

/** By name. */
export async function findPage(
  trx: CreatorTransaction,
  creatorId: string,
  { after, limit }: { after: PagePosition | null; limit: number },
): Promise<(KeywordRow & { position: string })[]> {
  const { rows } = await sql<KeywordRow & { position: string }>`
    select *, lower(name) as position from keywords
    where creator_id = ${creatorId}
      ${after === null ? sql`` : sql`and (lower(name), id) > (${after.at}::text, ${after.id}::uuid)`}
    order by lower(name), id
    limit ${limit}
  `.execute(trx);
  return rows;
}

export function findById(trx: CreatorTransaction, creatorId: string, id: string): Promise<KeywordRow | undefined> {
  return trx
    .selectFrom('keywords')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Until the end of the transaction nobody changes, deletes or newly uses it. */
export async function lock(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  await sql`select from keywords where creator_id = ${creatorId} and id = ${id} for update`.execute(trx);
}

/** Those that there are; none of them is deleted before the end of the transaction. */
export async function findUsable(trx: CreatorTransaction, creatorId: string, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await trx
    .selectFrom('keywords')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forShare()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** False when there is one of this name, in whatever case. */
export async function insert(
  trx: CreatorTransaction,
  row: KeywordContent & { creator_id: string; id: string; created_at: Date; updated_at: Date },
): Promise<boolean> {
  const inserted = await trx
    .insertInto('keywords')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Take the lock first. @throws what PostgreSQL throws when there is another of this name */
export async function update(
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  content: KeywordContent,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('keywords')
    .set({ ...content, version: sql`version + 1`, updated_at: now })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .execute();
}

export async function remove(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  await trx.deleteFrom('keywords').where('creator_id', '=', creatorId).where('id', '=', id).execute();
}

export type Use = { keywordId: string; automationId: string; name: string; on: boolean; postId: string | null };

/** Which automations use which sets, by name. */
export async function findUses(trx: CreatorTransaction, creatorId: string, ids: string[]): Promise<Use[]> {
  const { rows } = await sql<Use>`
    select keyword_id as "keywordId", a.id as "automationId", a.name, a.switched_on_at is not null as "on",
      case when a.trigger = 'comment' then a.post_id end as "postId"
    from automations a, unnest(a.keyword_ids) as keyword_id
    where a.creator_id = ${creatorId} and a.archived_at is null and keyword_id = any(${ids}::uuid[])
    order by lower(a.name), a.id
  `.execute(trx);
  return rows;
}

/** Automations that are off forget it: nobody finds a set there that is gone. */
export async function takeOutOfAutomations(
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  now: Date,
): Promise<void> {
  await sql`
    update automations set keyword_ids = array_remove(keyword_ids, ${id}::uuid), version = version + 1, updated_at = ${now}
    where creator_id = ${creatorId} and ${id}::uuid = any (keyword_ids) and archived_at is null
  `.execute(trx);
}
