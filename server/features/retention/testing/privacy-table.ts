/** The table of docs/privacy.md, and every table of the database searched for somebody's traces. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';

/** `names` are the words of its column "who is named". */
export type Described = { table: string; names: string[]; kept: string };

export function privacyTable(): Described[] {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/privacy.md'), 'utf8');
  return text.split('\n').flatMap((line) => {
    const [, first = '', , names = '', kept = ''] = line.split('|').map((cell) => cell.trim());
    const table = /^`([a-z_]+)`$/.exec(first)?.[1];
    return table === undefined ? [] : [{ table, names: names.split(', '), kept }];
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
