/** Puts what is sealed under the newest key, so that an older one can be thrown away. */
import type pg from 'pg';
import { CannotOpen, type EncryptionKey, reseal } from '#server/secrets.ts';

/** Every column that holds sealed texts; their tables have the key (creator_id, id). */
export const SEALED_COLUMNS = [
  { table: 'tokens', column: 'secret' },
  { table: 'outgoing_endpoints', column: 'secret' },
  { table: 'idempotency_keys', column: 'answer' },
  { table: 'outgoing_endpoints', column: 'old_secret' },
  { table: 'creator_secrets', column: 'secret' },
  { table: 'sites', column: 'signing_key' },
  { table: 'sites', column: 'old_signing_key' },
  { table: 'sites', column: 'next_signing_key' },
  { table: 'sites', column: 'dead_signing_key' },
  { table: 'data_integrations', column: 'secret' },
  { table: 'data_integrations', column: 'refresh_secret' },
  { table: 'data_integrations', column: 'hook_secret' },
  { table: 'sending_domains', column: 'private_key' },
  { table: 'mail_servers', column: 'password' },
  { table: 'shop_settings', column: 'instacart_secret' },
] as const;

const ROWS_AT_A_TIME = 500;

type SealedRow = { creator_id: string; id: string; sealed: string };

export type Rotated = { resealed: number; unreadable: number };

/**
 * Seals everything with the first key. May run while Creator HQ does, as long as every process knows that key, and again after
 * it broke off: what is done is done.
 *
 * @returns `unreadable`: rows whose key is not among the given ones; they are left as they are
 */
export async function rotateKeys(pool: pg.Pool, keys: readonly EncryptionKey[]): Promise<Rotated> {
  const rotated = { resealed: 0, unreadable: 0 };
  for (const { table, column } of SEALED_COLUMNS) {
    let after: SealedRow | undefined;
    do {
      const { rows }: pg.QueryResult<SealedRow> = await pool.query(
        `select creator_id, id, ${column} as sealed from ${table}
         where not starts_with(${column}, $1) and ($2::uuid is null or (creator_id, id) > ($2::uuid, $3::uuid))
         order by creator_id, id limit ${ROWS_AT_A_TIME}`,
        [`${keys[0]!.id}.`, after?.creator_id ?? null, after?.id ?? null],
      );
      after = rows.at(-1);
      const fresh = rows.map((row) => ({ ...row, fresh: resealed(keys, row.sealed) }));
      const opened = fresh.filter((row) => row.fresh !== null);
      rotated.unreadable += rows.length - opened.length;
      // A token that was renewed meanwhile is under the new key already.
      const { rowCount } = await pool.query(
        `update ${table} t set ${column} = g.fresh
         from json_to_recordset($1) as g(creator_id uuid, id uuid, sealed text, fresh text)
         where t.creator_id = g.creator_id and t.id = g.id and t.${column} = g.sealed`,
        [JSON.stringify(opened)],
      );
      rotated.resealed += rowCount ?? 0;
    } while (after !== undefined);
  }
  return rotated;
}

function resealed(keys: readonly EncryptionKey[], sealed: string): string | null {
  try {
    return reseal(keys, sealed);
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}

/** How many texts are sealed with each key, by its name. */
export async function countByKey(pool: pg.Pool): Promise<Map<string, number>> {
  const parts = SEALED_COLUMNS.map(
    ({ table, column }) => `select split_part(${column}, '.', 1) as key from ${table} where ${column} is not null`,
  );
  const { rows } = await pool.query<{ key: string; count: number }>(
    `select key, count(*) as count from (${parts.join(' union all ')}) as sealed group by key order by key`,
  );
  return new Map(rows.map(({ key, count }) => [key, count]));
}
