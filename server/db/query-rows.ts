/** Statements that both the engine, by its own connections, and requests, by Kysely's transactions, run. */
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type pg from 'pg';
import type { Tables } from './types.ts';

export type Querying = pg.ClientBase | pg.Pool | Kysely<Tables>;
/** Where several statements must come to pass together. */
export type InTransaction = pg.ClientBase | Transaction<Tables>;

/** @returns the rows of the statement, with `values` for `$1` and so on */
export async function queryRows<Row>(db: Querying, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } =
    'executeQuery' in db ? await db.executeQuery<Row>(CompiledQuery.raw(text, values)) : await db.query(text, values);
  return rows as Row[];
}
