/** The table of docs/privacy.md and what it is made of, and every table of the database searched for somebody's traces. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';

/** `names` are the words of its column "who is named". */
export type Described = { table: string; names: string[]; kept: string };

/** Of tables that name somebody. */
export function privacyTable(): Described[] {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/privacy.md'), 'utf8');
  return text.split('\n').flatMap((line) => {
    const [, first = '', , names = '', kept = ''] = line.split('|').map((cell) => cell.trim());
    const table = /^`([a-z_]+)`$/.exec(first)?.[1];
    return table === undefined ? [] : [{ table, names: names.split(', '), kept }];
  });
}

/** What the comments of all tables say. */
export async function commentedTables(db: Database): Promise<Described[]> {
  const { rows } = await sql<{ table: string; comment: string }>`
    select c.relname as table, d.description as comment
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_description d on d.objoid = c.oid and d.objsubid = 0 and d.classoid = 'pg_class'::regclass
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
  `.execute(db.engine);
  return rows.map(({ table, comment }) => {
    const [, names = '', kept = ''] = comment.split('|').map((cell) => cell.trim());
    return { table, names: names.split(', '), kept };
  });
}

/** Every table there is, whatever made it; parts of a table are searched with it. */
export async function tablesOf(db: Database): Promise<{ table: string; ofCreators: boolean }[]> {
  const { rows } = await sql<{ table: string; ofCreators: boolean }>`
    select c.relname as table, exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'creator_id' and not a.attisdropped
    ) as "ofCreators"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
    order by 1
  `.execute(db.engine);
  return rows;
}

/**
 * Looks for words in every column of every row of every table.
 *
 * @returns the words found, by table; tables without any are absent
 */
export async function tracesOf(db: Database, words: string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { table } of await tablesOf(db)) {
    const { rows } = await sql<{ word: string }>`
      select word from unnest(${words}::text[]) as word
      where exists (select from ${sql.table(table)} t where strpos(lower(to_jsonb(t)::text), lower(word)) > 0)
      order by 1
    `.execute(db.engine);
    if (rows.length > 0) found[table] = rows.map((row) => row.word);
  }
  return found;
}
