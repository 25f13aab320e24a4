import { sql, type Transaction } from 'kysely';
import type { Database } from '#server/db/database.ts';
import { type HeldTable, rowsOfAccount, someRows } from '#server/db/holds.ts';
import type { Tables } from '#server/db/types.ts';
import { callOff } from '#server/engine/outcomes/calling-off.ts';
import { type ConnectionRow, updateConnection } from './queries.ts';

const FORGOTTEN = 'deleted';
const ROWS_PER_STEP = 5_000;

/** @returns the code of the request; the one that is still to be carried out, should the same person ask again */
export async function requestDeletion(
  db: Database,
  request: { code: string; platformUserId: string; at: Date },
): Promise<string> {
  return db.engine.transaction().execute(async (trx) => {
    // Meta may ask twice at the same moment.
    await sql`select pg_advisory_xact_lock(hashtext('data_deletions'), hashtext(${request.platformUserId}))`.execute(
      trx,
    );
    const waiting = await trx
      .selectFrom('data_deletions')
      .select('confirmation_code')
      .where('platform_user_id', '=', request.platformUserId)
      .where('finished_at', 'is', null)
      .executeTakeFirst();
    if (waiting !== undefined) return waiting.confirmation_code;
    await trx
      .insertInto('data_deletions')
      .values({
        confirmation_code: request.code,
        platform_user_id: request.platformUserId,
        requested_at: request.at,
      })
      .execute();
    return request.code;
  });
}

export function findDeletion(db: Database, code: string) {
  return db.engine
    .selectFrom('data_deletions')
    .select(['requested_at', 'finished_at'])
    .where('confirmation_code', '=', code)
    .executeTakeFirst();
}

export async function findUnfinishedDeletions(db: Database): Promise<{ code: string; userId: string }[]> {
  const rows = await db.engine
    .selectFrom('data_deletions')
    .select(['confirmation_code as code', 'platform_user_id as userId'])
    .where('finished_at', 'is', null)
    .orderBy('requested_at')
    .limit(20)
    .execute();
  return rows.map(({ code, userId }) => ({ code, userId: userId ?? '' }));
}

/** From here on nobody can tell whose request it was. */
export async function finishDeletion(db: Database, code: string, at: Date): Promise<void> {
  await db.engine
    .updateTable('data_deletions')
    .set({ finished_at: at, platform_user_id: null })
    .where('confirmation_code', '=', code)
    .execute();
}

/**
 * Everything that came from the account: what followers did there and were sent, who they are, posts and stories with
 * their pictures. In steps; what was counted stays counted.
 */
export async function forgetEverythingOf(
  db: Database,
  held: HeldTable[],
  { creator_id, id }: Pick<ConnectionRow, 'creator_id' | 'id'>,
  now: Date,
): Promise<void> {
  // Waiting interactions will never be answered: figures say so.
  await inSteps(db, async (trx) => {
    const which = { connection: { creatorId: creator_id, id }, most: ROWS_PER_STEP };
    return (await callOff(trx, which, 'disconnected', now)).count;
  });
  for (const one of held) {
    const its = rowsOfAccount(one, { creatorId: creator_id, connectionId: id });
    if (its === null) continue;
    const statement = sql`delete from ${sql.table(one.table)} where ${someRows(one.table, its, ROWS_PER_STEP)}`;
    await inSteps(db, async (trx) => Number((await statement.execute(trx)).numAffectedRows));
  }
}

/** Leaves an empty row that automations and figures refer to. */
export async function forgetAccount(
  db: Database,
  { creator_id, id }: Pick<ConnectionRow, 'creator_id' | 'id'>,
): Promise<void> {
  await updateConnection(
    db.engine,
    { creator_id, id },
    {
      account_id: `${FORGOTTEN}:${id}`,
      app_scoped_id: null,
      facebook_user_id: null,
      page_id: null,
      username: 'deleted account',
      name: null,
      avatar_url: null,
      followers_count: null,
      account_type: null,
      disconnected_reason: 'data_deleted',
    },
  );
}

/** Of all creators: a fetch that was under way during a deletion may have stored a page of posts after it. */
export async function forgetLate(db: Database, held: HeldTable[]): Promise<void> {
  for (const { table } of held.filter(({ comesLate }) => comesLate)) {
    await sql`
      delete from ${sql.table(table)} t using connections c
      where c.disconnected_reason = 'data_deleted' and t.creator_id = c.creator_id and t.connection_id = c.id
    `.execute(db.engine);
  }
}

/** Each step is a transaction; counts are left as they are. */
async function inSteps(db: Database, step: (trx: Transaction<Tables>) => Promise<number>): Promise<void> {
  for (;;) {
    const count = await db.engine.transaction().execute(async (trx) => {
      await sql`select set_config('app.counts_stay', 'on', true)`.execute(trx);
      return step(trx);
    });
    if (count === 0) return;
  }
}
