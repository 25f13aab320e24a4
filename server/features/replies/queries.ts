import { type Selectable, sql } from 'kysely';
import type { ReplyInput } from '#contract/replies.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { RepliesTable } from '#server/db/types.ts';
import type { PagePosition } from '#server/http/paging.ts';

type Translation = ReplyInput['translations'][number];

export type ReplyRow = Omit<Selectable<RepliesTable>, 'translations'> & { translations: Translation[] };
export type ReplyContent = Pick<ReplyRow, 'name' | 'kind' | 'texts' | 'translations'>;

/** By name. */
export async function findPage(
  trx: CreatorTransaction,
  creatorId: string,
  { after, limit }: { after: PagePosition | null; limit: number },
): Promise<(ReplyRow & { position: string })[]> {
  const { rows } = await sql<ReplyRow & { position: string }>`
    select *, lower(name) as position from replies
    where creator_id = ${creatorId}
      ${after === null ? sql`` : sql`and (lower(name), id) > (${after.at}::text, ${after.id}::uuid)`}
    order by lower(name), id
    limit ${limit}
  `.execute(trx);
  return rows;
}

export async function findById(trx: CreatorTransaction, creatorId: string, id: string): Promise<ReplyRow | undefined> {
  const row = await trx
    .selectFrom('replies')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row as ReplyRow | undefined;
}

/** Until the end of the transaction nobody changes, deletes or newly uses it. */
export async function lock(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  await sql`select from replies where creator_id = ${creatorId} and id = ${id} for update`.execute(trx);
}

/** Its kind when there is one; it is not deleted before the end of the transaction. */
export async function findUsable(trx: CreatorTransaction, creatorId: string, id: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('replies')
    .select('kind')
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return row?.kind;
}

/** False when there is one of this name and kind, in whatever case. */
export async function insert(
  trx: CreatorTransaction,
  row: ReplyContent & { creator_id: string; id: string; created_at: Date; updated_at: Date },
): Promise<boolean> {
  const inserted = await trx
    .insertInto('replies')
    .values({ ...row, translations: JSON.stringify(row.translations) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Take the lock first. @throws what PostgreSQL throws when there is another of this name */
export async function update(
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  content: ReplyContent,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('replies')
    .set({ ...content, translations: JSON.stringify(content.translations), version: sql`version + 1`, updated_at: now })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .execute();
}

export async function remove(trx: CreatorTransaction, creatorId: string, id: string): Promise<void> {
  await trx.deleteFrom('replies').where('creator_id', '=', creatorId).where('id', '=', id).execute();
}

export type Use = { replyId: string; automationId: string; name: string; on: boolean; postId: string | null };

/** Which automations use which libraries, by name. */
export async function findUses(trx: CreatorTransaction, creatorId: string, ids: string[]): Promise<Use[]> {
  const { rows } = await sql<Use>`
    select reply_id as "replyId", id as "automationId", name, switched_on_at is not null as "on",
      case when trigger = 'comment' then post_id end as "postId"
    from automations
    where creator_id = ${creatorId} and reply_id = any(${ids}::uuid[]) and archived_at is null
    order by lower(name), id
  `.execute(trx);
  return rows;
}

/** Automations that are off forget it: nobody finds a library there that is gone. */
export async function takeOutOfAutomations(
  trx: CreatorTransaction,
  creatorId: string,
  id: string,
  now: Date,
): Promise<void> {
  await sql`
    update automations set reply_id = null, version = version + 1, updated_at = ${now}
    where creator_id = ${creatorId} and reply_id = ${id} and archived_at is null
  `.execute(trx);
}
