/** Fills tables with millions of rows of the past in bounded time. */
import type pg from 'pg';

/** Rows in one statement: more would only make the transaction larger. */
const ROWS_AT_ONCE = 250_000;

/**
 * Runs `work` without triggers, and with indexes made afterwards in one go, which is several times quicker than row by
 * row. Keys stay. Nothing is durable until it is over, and nobody else should write meanwhile.
 */
export async function fillQuickly(client: pg.Client, tables: string[], work: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class t on t.oid = i.indrelid
     where t.relname = any($1) and t.relkind in ('r', 'p') and not i.indisprimary and not i.indisunique
       and not exists (select from pg_inherits h where h.inhrelid = i.indexrelid)`,
    [tables],
  );
  await client.query(
    `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await work();
  for (const { definition } of indexes) await client.query(definition);
  await client.query('reset session_replication_role; reset synchronous_commit; reset maintenance_work_mem');
  await client.query('vacuum analyze');
  // Or the first measurement pays for writing it all out.
  await client.query('checkpoint');
}

/** Calls `insert` for numbers from `from` to `to`, in portions. */
export async function inPortions(
  from: number,
  to: number,
  insert: (from: number, to: number) => Promise<unknown>,
): Promise<void> {
  for (let at = from; at <= to; at += ROWS_AT_ONCE) await insert(at, Math.min(to, at + ROWS_AT_ONCE - 1));
}
