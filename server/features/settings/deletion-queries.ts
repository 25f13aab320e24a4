import { type Kysely, sql, type Transaction, type Updateable } from 'kysely';
import { type HeldTable, someRows } from '#server/db/holds.ts';
import type { CreatorsTable, Tables } from '#server/db/types.ts';

export function findDeletion(db: Kysely<Tables>, creatorId: string) {
  return db
    .selectFrom('creators')
    .leftJoin('users', 'users.id', 'creators.delete_requested_by')
    .select(['creators.delete_at', 'users.name as requested_by'])
    .where('creators.id', '=', creatorId)
    .executeTakeFirst();
}

/** Until the transaction ends: requests and cancellations go one after the other. */
export function lockCreator(trx: Transaction<Tables>, creatorId: string) {
  return trx
    .selectFrom('creators')
    .select(['handle', 'delete_at'])
    .where('id', '=', creatorId)
    .forUpdate()
    .executeTakeFirst();
}

export async function setDeletion(
  trx: Transaction<Tables>,
  creatorId: string,
  change: Pick<Updateable<CreatorsTable>, 'delete_at' | 'delete_requested_at' | 'delete_requested_by'>,
): Promise<void> {
  await trx.updateTable('creators').set(change).where('id', '=', creatorId).execute();
}

export async function findName(trx: Transaction<Tables>, userId: string): Promise<string> {
  const user = await trx.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst();
  return user?.name ?? 'Someone';
}

export function findOwners(trx: Transaction<Tables>, creatorId: string) {
  return trx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.name', 'users.email'])
    .where('memberships.creator_id', '=', creatorId)
    .where('memberships.role', '=', 'owner')
    .orderBy('memberships.created_at')
    .execute();
}

/** Of all creators. */
export function findDue(db: Kysely<Tables>, now: Date) {
  return db
    .selectFrom('creators')
    .select(['id', 'handle'])
    .where('delete_at', '<=', now)
    .orderBy('delete_at')
    .limit(20)
    .execute();
}

export async function findConnected(db: Kysely<Tables>, creatorId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('connections')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('disconnected_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

const ROWS_PER_STEP = 10_000;

/** These may have millions of rows: no one statement may run for minutes and hold up the engine. */
export async function deleteLargeTables(db: Kysely<Tables>, held: HeldTable[], creatorId: string): Promise<void> {
  for (const { table } of held.filter(({ large, person }) => large || person)) {
    const some = someRows(table, sql`creator_id = ${creatorId}`, ROWS_PER_STEP);
    let gone: bigint | undefined;
    do {
      ({ numAffectedRows: gone } = await sql`delete from ${sql.table(table)} where ${some}`.execute(db));
    } while (gone);
  }
}

/** Everything else of it goes with it. */
export async function deleteCreator(trx: Transaction<Tables>, held: HeldTable[], creatorId: string): Promise<void> {
  for (const { deleted } of held) await deleted?.(creatorId).execute(trx);
  await trx.deleteFrom('creators').where('id', '=', creatorId).execute();
}
