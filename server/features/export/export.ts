/** Everything of a creator as one JSON text, written row by row: however much there is, little of it is in memory. */
import type pg from 'pg';
import type { Database } from '#server/db/database.ts';
import type { HeldTable } from '#server/db/holds.ts';

const ROWS_AT_A_TIME = 500;

/**
 * Reads one moment of the creator's data, with their rights: other creators' rows are out of reach. `complete` at its end
 * tells a whole file from one that broke off.
 *
 * @throws in the middle of the text when the database goes away or the reader pauses too long
 */
export async function* exportCreator(
  { db, held }: { db: Database; held: HeldTable[] },
  creatorId: string,
  now: Date,
): AsyncGenerator<string> {
  const client = await db.downloadPool.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(`select set_config('app.creator_id', $1, true)`, [creatorId]);
    yield `{"format":"creator-hq-export","version":1,"exportedAt":${JSON.stringify(now)}`;
    const { rows } = await client.query<{ row: string }>('select to_jsonb(c)::text as row from creators c');
    yield `,\n"creator":${rows[0]?.row ?? 'null'}`;
    yield `,\n"teamPeople":${JSON.stringify(await findTeam(db, creatorId))}`;
    for (const { table, exported } of held) {
      if ('leftOut' in exported) continue;
      yield `,\n"${exported.as}":[`;
      yield* rowsOf(client, table, ['creator_id', ...(exported.without ?? [])]);
      yield ']';
    }
    yield ',\n"complete":true}\n';
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // Nothing was changed. Also when the reader left in the middle.
    await client.query('rollback').catch((error: Error) => {
      failure = error;
    });
    client.release(failure);
  }
}

async function* rowsOf(client: pg.PoolClient, table: string, without: string[]): AsyncGenerator<string> {
  const name = client.escapeIdentifier(table);
  await client.query({
    text: `declare exported no scroll cursor for select (to_jsonb(t) - $1::text[])::text as row from ${name} t`,
    values: [without],
  });
  let first = true;
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_AT_A_TIME} from exported`);
    if (rows.length === 0) break;
    yield (first ? '\n' : ',\n') + rows.map(({ row }) => row).join(',\n');
    first = false;
  }
  await client.query('close exported');
}

/** Names and addresses behind the ids: they belong to people and are out of reach of a creator's rights. */
function findTeam(db: Database, creatorId: string) {
  return db.engine
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.id', 'users.name', 'users.email', 'memberships.role'])
    .where('memberships.creator_id', '=', creatorId)
    .orderBy('memberships.created_at')
    .execute();
}
