/** Rows for tables that a test knows nothing of: the database's own description of itself says what they need. */
import pg from 'pg';

export type Column = { table: string; column: string; type: string; isRequired: boolean };

/**
 * A row in each of these tables. Rules between tables do not matter here: triggers and checks are off, the
 * latter for good.
 *
 * @param make undefined: the column keeps its default
 */
export async function plantRows(
  connectionString: string,
  tables: string[],
  make: (column: Column) => unknown,
): Promise<void> {
  const admin = new pg.Client({ connectionString });
  await admin.connect();
  try {
    const { rows: checks } = await admin.query<{ table: string; name: string }>(
      `select conrelid::regclass::text as table, conname as name from pg_constraint
       where contype = 'c' and conrelid::regclass::text = any($1)`,
      [tables],
    );
    for (const { table, name } of checks) await admin.query(`alter table ${table} drop constraint "${name}"`);
    await admin.query('set session_replication_role = replica');
    const { rows: columns } = await admin.query<Column>(
      `select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type, a.attnotnull as "isRequired"
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relname = any($1) and a.attnum > 0 and not a.attisdropped
         and a.attgenerated = '' and a.attidentity = ''`,
      [tables],
    );
    for (const [table, its] of Map.groupBy(columns, (one) => one.table)) {
      const given = its.map((one) => ({ ...one, value: make(one) })).filter(({ value }) => value !== undefined);
      await admin.query(
        `insert into ${table} (${given.map(({ column }) => `"${column}"`)}) values (${given.map((_, at) => `$${at + 1}`)})`,
        given.map(({ value }) => value),
      );
    }
  } finally {
    await admin.end();
  }
}

/** Something of the column's type that has the text where it can. */
export function exampleOf({ table, column, type }: Column, text: string, at: Date): unknown {
  if (type === 'text') return text;
  if (type === 'text[]') return [text];
  if (type === 'jsonb') return JSON.stringify({ text });
  if (type === 'uuid') return crypto.randomUUID();
  if (type === 'uuid[]') return [crypto.randomUUID()];
  if (type === 'bytea') return Buffer.from(text);
  if (type === 'boolean') return false;
  if (type === 'date' || type.startsWith('timestamp')) return at;
  if (/^(smallint|integer|bigint|real|double precision|numeric)$/.test(type)) return 1;
  throw new Error(`Say what an example of ${type} is (${table}.${column}).`);
}
