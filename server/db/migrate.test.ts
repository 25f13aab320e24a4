import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, pendingMigrations } from './migrate.ts';
import { createEmptyDatabase, dropDatabase } from './testing/test-database.ts';

let folder: string;
let dir: string;
let database: { name: string; connectionString: string };
let pool: pg.Pool;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-migrations-'));
  dir = path.join(folder, 'migrations');
  for (const name of ['migrations', 'functions']) await mkdir(path.join(folder, name));
  await writeFile(path.join(folder, 'roles.sql'), '');
  await writeFile(path.join(folder, 'functions/servings.sql'), servings('4'));
  database = await createEmptyDatabase();
  pool = new pg.Pool({ connectionString: database.connectionString });
  // Dropping the database cuts connections that are still saying goodbye after `pool.end()`.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', () => {});
  await writeFile(path.join(dir, '0001-cakes.sql'), 'create table cakes (name text primary key);');
  await writeFile(path.join(dir, '0002-first-cake.sql'), "insert into cakes values ('Sachertorte');");
});
afterEach(async () => {
  await pool.end();
  await dropDatabase(database.name);
  await rm(folder, { recursive: true });
});

const servings = (many: string) =>
  `create or replace function servings() returns integer language sql as $$ select ${many} $$;`;
const run = () => migrate(database.connectionString, { folder });
const cakes = async () => (await pool.query('select name from cakes order by name')).rows.map((row) => row.name);

test('refuses a number used twice', async () => {
  await writeFile(path.join(dir, '0002-late.sql'), 'select 1;');
  await expect(run()).rejects.toThrow('each number once; found 0002-late.sql');
});

test('refuses an edited migration', async () => {
  await run();
  await writeFile(path.join(dir, '0002-first-cake.sql'), "insert into cakes values ('Eclair');");
  await expect(run()).rejects.toThrow('0002-first-cake.sql was changed after it was applied');
  expect(await cakes()).toEqual(['Sachertorte']);
});

test('refuses a database that is newer than the program', async () => {
  await run();
  await rm(path.join(dir, '0002-first-cake.sql'));
  await expect(run()).rejects.toThrow('The database is newer than this program');
});

test('takes back the whole of a migration that fails, and says where', async () => {
  await writeFile(path.join(dir, '0003-broken.sql'), "insert into cakes values ('Eclair');\nselect * from pies;");
  await expect(run()).rejects.toThrow('0003-broken.sql (line 2) failed: relation "pies" does not exist');
  expect(await cakes()).toEqual(['Sachertorte']);
  expect(await pendingMigrations(pool, { folder })).toEqual(['0003-broken.sql']);
});

test('applies each migration once, also when several programs start at the same moment', async () => {
  const applied = await Promise.all(Array.from({ length: 5 }, run));
  expect(applied.flat().sort()).toEqual(['0001-cakes.sql', '0002-first-cake.sql', 'functions']);
  expect(await cakes()).toEqual(['Sachertorte']);
});

test('applies what is new and ignores changed line ends', async () => {
  expect(await pendingMigrations(pool, { folder })).toEqual(['functions', '0001-cakes.sql', '0002-first-cake.sql']);
  await run();
  await writeFile(path.join(dir, '0003-second-cake.sql'), "insert into cakes\r\nvalues ('Eclair');\r\n");
  expect(await run()).toEqual(['0003-second-cake.sql']);
  await writeFile(path.join(dir, '0003-second-cake.sql'), "insert into cakes\nvalues ('Eclair');\n");
  expect(await run()).toEqual([]);
  expect(await cakes()).toEqual(['Eclair', 'Sachertorte']);
});

test('rewrites functions when one changed, and before the migrations that need them', async () => {
  await run();
  await writeFile(path.join(folder, 'functions/servings.sql'), servings('(select count(*)::integer from pies)'));
  await writeFile(path.join(dir, '0003-pies.sql'), 'create table pies (serves integer not null default servings());');
  expect(await pendingMigrations(pool, { folder })).toEqual(['functions', '0003-pies.sql']);
  expect(await run()).toEqual(['functions', '0003-pies.sql']);
  expect((await pool.query('select servings()')).rows).toEqual([{ servings: 0 }]);
  expect(await run()).toEqual([]);
});

test('goes on from a database that came to the first schema in steps, when it has them all', async () => {
  await rm(path.join(dir, '0001-cakes.sql'));
  await rm(path.join(dir, '0002-first-cake.sql'));
  await writeFile(
    path.join(dir, '0001-schema.sql'),
    "create table cakes (name text primary key); insert into cakes values ('Sachertorte');",
  );
  await run();
  const steps = (last: string) =>
    pool.query(
      `delete from schema_migrations;
       insert into schema_migrations (number, name, checksum) values (1, '0001-tenancy.sql', 'x'), (53, '${last}', 'y')`,
    );
  await steps('0047-policy-enforcement.sql');
  await expect(run()).rejects.toThrow('ends at 0047-policy-enforcement.sql. Start the last program that has');
  await steps('0053-what-tables-hold.sql');
  expect(await run()).toEqual(['functions']);
  expect(await run()).toEqual([]);
  expect(await cakes()).toEqual(['Sachertorte']);
});
