/** Each role's rights in the database, compared with what features say of their tables: whatever is granted beside it fails here first. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { HELD } from '#server/features/registered.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

const ALL = 'delete insert select update';

test('the role that answers requests has the rights of this list and no others', async () => {
  expect(await rightsOf('creator_hq_app')).toEqual({
    tables: [
      ...HELD.filter(({ requests }) => requests !== 'nothing').map(
        ({ table, requests = ALL }) => `${table}: ${requests}`,
      ),
      'creators: select update',
      'plan_prices: select',
      'plans: select',
      'schema_migrations: select',
      // Submissions are counted in the transaction that keeps them; a key of a row is a hash.
      'tries: insert select update',
    ].sort(),
    columns: ['users.id: select', 'users.name: select', 'users.email: select', 'users.image: select'],
    sequences: ['outcome_deltas_id_seq: select usage'],
    functions: [...FUNCTIONS, 'platform_paused_since'].sort(),
    schemas: ['public: usage'],
    newTables: [],
  });
});

test('the engine’s role has every right on rows but on the audit log, and no other', async () => {
  const { rows } = await db.enginePool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')`,
  );
  const differs: Record<string, string> = { audit_log: 'insert select', schema_migrations: 'select' };
  for (const part of [0, 1, 2]) differs[`event_log_${part}`] = 'delete insert select truncate update';
  expect(await rightsOf('creator_hq_engine')).toEqual({
    tables: rows.map(({ name }) => `${name}: ${differs[name] ?? ALL}`).sort(),
    columns: [],
    sequences: ['event_log_ids', 'outcome_deltas_id_seq', 'parked_events_id_seq'].map((one) => `${one}: select usage`),
    functions: [
      ...FUNCTIONS,
      'platform_paused_since',
      ...['clear_audit_of', 'erase_from_audit', 'forget_old_audit'],
    ].sort(),
    schemas: ['public: usage'],
    newTables: ['S: select usage', `r: ${ALL}`],
  });
});

/** Called by checks, policies and triggers; each does what its caller may do. */
const FUNCTIONS = [
  ...[
    'counted_as',
    'counted_day',
    'counted_on',
    'counted_post',
    'current_creator_id',
    'day_of',
    'deliveries_under_way',
  ],
  ...['erase_from_ledger', 'erased_hash', 'erased_platform_id', 'is_counted', 'text_bytes'],
];

/** Each right as it works out, however it was given: to the role, to everybody, to a table or to a column. */
async function rightsOf(role: string) {
  const list = async (query: string): Promise<string[]> => {
    const { rows } = await db.enginePool.query<{ line: string }>(query, [role]);
    return rows.map(({ line }) => line);
  };
  const relation = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')`;
  return {
    tables: await list(`
      select c.relname || ': ' || string_agg(p, ' ' order by p) as line
      from pg_class c, unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) p
      where ${relation} and has_table_privilege($1, c.oid, p) group by c.relname order by c.relname::text collate "C"`),
    columns: await list(`
      select c.relname || '.' || a.attname || ': ' || string_agg(p, ' ' order by p) as line
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped,
        unnest(array['select', 'insert', 'update', 'references']) p
      where ${relation} and has_column_privilege($1, c.oid, a.attnum, p) and not has_table_privilege($1, c.oid, p)
      group by c.relname, a.attname, a.attnum order by c.relname, a.attnum`),
    sequences: await list(`
      select c.relname || ': ' || string_agg(p, ' ' order by p) as line
      from pg_class c, unnest(array['select', 'usage', 'update']) p
      where c.relkind = 'S' and has_sequence_privilege($1, c.oid, p) group by c.relname order by c.relname`),
    // Those of triggers cannot be called.
    functions: await list(`
      select f.proname as line from pg_proc f
      where f.pronamespace = 'public'::regnamespace and f.prorettype <> 'trigger'::regtype
        and has_function_privilege($1, f.oid, 'execute') order by f.proname::text collate "C"`),
    schemas: await list(`
      select n.nspname || ': ' || string_agg(p, ' ' order by p) as line
      from pg_namespace n, unnest(array['create', 'usage']) p
      where n.nspname !~ '^(pg_|information_schema)' and has_schema_privilege($1, n.oid, p) group by n.nspname order by n.nspname`),
    newTables: await list(`
      select d.defaclobjtype::text || ': ' || string_agg(lower(g.privilege_type), ' ' order by g.privilege_type) as line
      from pg_default_acl d, aclexplode(d.defaclacl) g
      where g.grantee in (0, (select oid from pg_roles where rolname = $1)) group by d.defaclobjtype order by 1`),
  };
}
