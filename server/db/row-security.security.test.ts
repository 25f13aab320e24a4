/** Row-level security tried from inside: as the role that answers requests, against every table with a creator in it. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { HELD } from '#server/features/registered.ts';

const MINE = '00000000-0000-4000-8000-00000000000a';
const THEIRS = '00000000-0000-4000-8000-00000000000b';

/** Read by a secret alone, before anybody knows whose it is, or by operators: requests have no right to them at all. */
const OUT_OF_REACH: string[] = HELD.filter(({ requests }) => requests === 'nothing').map(({ table }) => table);

let db: TestDatabase;
let tables: { name: string; column: string }[];
beforeAll(async () => {
  db = await createTestDatabase();
  const owner = new pg.Client({ connectionString: db.connectionString });
  await owner.connect();
  try {
    ({ rows: tables } = await owner.query(TENANT_TABLES));
    await fill(owner);
  } finally {
    await owner.end();
  }
});
afterAll(() => db?.drop());

const TENANT_TABLES = `
  select c.relname as name, case when c.relname = 'creators' then 'id' else 'creator_id' end as column
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
    and (c.relname = 'creators' or exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'creator_id' and not a.attisdropped))
  order by 1`;

/** A row of each creator in every table. Other rules for rows do not matter here: checks and triggers are off. */
async function fill(owner: pg.Client): Promise<void> {
  await owner.query(`set session_replication_role = replica`);
  const { rows: checks } = await owner.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, conname as name from pg_constraint
    where contype = 'c' and connamespace = 'public'::regnamespace and coninhcount = 0 and conrelid <> 0`,
  );
  for (const { table, name } of checks) await owner.query(`alter table ${table} drop constraint "${name}"`);
  for (const { name, column } of tables) {
    const { rows: columns } = await owner.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = '' and attnotnull
        and attname <> $2 and not atthasdef`,
      [name, column],
    );
    const names = [column, ...columns.map((one) => one.name)].map((one) => `"${one}"`).join(', ');
    for (const creator of [MINE, THEIRS]) {
      const values = columns.map(({ type, name: what }) => sqlValue(type, `${creator}-${what}`)).join(', ');
      await owner.query(`insert into ${name} (${names}) values ('${creator}'${values && `, ${values}`})`);
    }
  }
}

function sqlValue(type: string, text: string): string {
  if (type.endsWith('[]')) return `'{}'::${type}`;
  if (type === 'uuid') return 'gen_random_uuid()';
  if (type === 'text' || type.startsWith('character')) return `'${text}'`;
  if (type === 'boolean') return 'false';
  if (type === 'date') return 'current_date';
  if (type.startsWith('timestamp')) return 'now()';
  if (type.startsWith('json')) return `'{}'::${type}`;
  if (type === 'bytea') return `'\\x00'`;
  return `1::${type}`;
}

/** As a request does it: in a transaction, with or without a creator. Answers the rows, or the code of the refusal. */
async function as(creator: string | null, statement: string): Promise<{ rows: number } | { refused: string }> {
  const client = await db.appPool.connect();
  try {
    await client.query('begin');
    if (creator !== null) await client.query(`select set_config('app.creator_id', $1, true)`, [creator]);
    return { rows: (await client.query(statement)).rowCount ?? 0 };
  } catch (error) {
    return { refused: (error as { code: string }).code };
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const NO_RIGHT = '42501';

describe('the role that answers requests', () => {
  test('is none that row-level security passes over, and owns nothing', async () => {
    const { rows } = await db.appPool.query(
      `select current_user as name, r.rolsuper, r.rolbypassrls, r.rolcreaterole,
        (select count(*) from pg_class where relowner = r.oid) as owned
      from pg_roles r where r.rolname = current_user`,
    );
    expect(rows).toEqual([
      { name: 'creator_hq_app', rolsuper: false, rolbypassrls: false, rolcreaterole: false, owned: 0 },
    ]);
  });

  test('reads no table without row-level security but what belongs to nobody', async () => {
    const { rows } = await db.enginePool.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm') and not c.relrowsecurity and not c.relispartition
        and has_table_privilege('creator_hq_app', c.oid, 'select') order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(BELONGS_TO_NOBODY);
  });

  test.each([
    `delete from plans`,
    `update plan_prices set cents = 1`,
    `insert into platform_pauses (platform) values ('x')`,
    `update platform_pauses set paused_at = null`,
    `select from platform_pauses for share`,
    `select is_admin from users`,
    `update users set name = 'x'`,
    `delete from memberships`,
    `delete from schema_migrations`,
    `select from event_log_0`,
    `select * from users`,
    `select token from sessions`,
    `select text from mails`,
  ])('may not: %s', async (statement) => expect(await as(MINE, statement)).toEqual({ refused: NO_RIGHT }));

  test('reaches every table with a creator, or has no right to it', async () => {
    expect(tables.length).toBeGreaterThan(30);
    for (const { name } of tables) {
      const seen = await as(MINE, `select from ${name}`);
      expect(seen, name).toEqual(OUT_OF_REACH.includes(name) ? { refused: NO_RIGHT } : { rows: 1 });
    }
  });

  test('reads nothing of another creator, and nothing at all without one', async () => {
    for (const { name, column } of within()) {
      expect(await as(MINE, `select from ${name} where ${column} = '${THEIRS}'`), name).toEqual({ rows: 0 });
      expect(await as(null, `select from ${name}`), name).toEqual({ rows: 0 });
    }
  });

  test('changes and deletes nothing of another creator, and nothing at all without one', async () => {
    for (const { name, column } of within()) {
      for (const creator of [MINE, null]) {
        const target = creator === null ? '' : `where ${column} = '${THEIRS}'`;
        for (const statement of [
          `update ${name} set ${column} = ${column} ${target}`,
          `delete from ${name} ${target}`,
        ]) {
          // Some tables cannot be changed or deleted from at all.
          expect([{ rows: 0 }, { refused: NO_RIGHT }], `${statement} as ${creator}`).toContainEqual(
            await as(creator, statement),
          );
        }
      }
    }
  });

  test('puts nothing into another creator, new or moved there', async () => {
    for (const { name, column } of within()) {
      const copy = `insert into ${name} select (jsonb_populate_record(r, jsonb_build_object('${column}', '${THEIRS}'))).*
        from ${name} r where ${column} = '${MINE}'`;
      const generated = await hasGenerated(name);
      if (!generated) expect(await as(MINE, copy), name).toEqual({ refused: NO_RIGHT });
      const moved = await as(MINE, `update ${name} set ${column} = '${THEIRS}' where ${column} = '${MINE}'`);
      expect(moved, name).toEqual({ refused: NO_RIGHT });
    }
  });

  test('reads name and address of the people of its creator, and of nobody else', async () => {
    const owner = new pg.Client({ connectionString: db.connectionString });
    await owner.connect();
    await owner.query(
      `insert into users (id, name, email) select user_id, 'Anna', user_id || '@example.test' from memberships on conflict do nothing`,
    );
    await owner.query(
      `insert into users (id, name, email) values (gen_random_uuid(), 'Stranger', 'stranger@example.test')`,
    );
    await owner.end();
    const read = `select id, name, email, image from users`;
    expect(await as(MINE, read)).toEqual({ rows: 1 });
    expect(await as(THEIRS, read)).toEqual({ rows: 1 });
    expect(await as(null, read)).toEqual({ rows: 0 });
  });

  test('cannot switch it off', async () => {
    expect(await as(MINE, 'set local row_security = off; select from automations')).toEqual({ refused: NO_RIGHT });
    expect(await as(MINE, 'alter table automations disable row level security')).toEqual({ refused: NO_RIGHT });
    expect(await as(MINE, 'drop policy one_creator on automations')).toEqual({ refused: NO_RIGHT });
  });

  test('keeps no creator for the next request on the same connection', async () => {
    await db.withCreator(THEIRS, async (trx) => trx.selectFrom('automations').select('id').execute());
    for (let i = 0; i < 10; i++) expect(await as(null, 'select from automations')).toEqual({ rows: 0 });
  });
});

/** Plans for sale, the list of migrations, and tries under hashes. */
const BELONGS_TO_NOBODY = ['plan_prices', 'plans', 'schema_migrations', 'tries'];

function within() {
  return tables.filter(({ name }) => !OUT_OF_REACH.includes(name));
}

async function hasGenerated(table: string): Promise<boolean> {
  const { rowCount } = await db.enginePool.query(
    `select from pg_attribute where attrelid = $1::regclass and (attgenerated <> '' or attidentity <> '')`,
    [table],
  );
  return rowCount !== 0;
}
