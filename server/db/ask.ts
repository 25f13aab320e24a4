import { CompiledQuery, type Kysely } from 'kysely';
import type pg from 'pg';
import type { Tables } from './types.ts';

/** The engine's connections, or a transaction of a request: what is asked of both is written once, as SQL. */
export type Askable = pg.ClientBase | pg.Pool | Kysely<Tables>;

/** Runs one statement. Answers its rows. */
export async function ask<Row>(db: Askable, text: string, values: unknown[]): Promise<Row[]> {
  if ('executeQuery' in db) return (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows;
  return (await db.query(text, values)).rows;
}
