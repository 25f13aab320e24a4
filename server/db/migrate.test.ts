import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, pendingMigrations } from './migrate.ts';
import { createEmptyDatabase, dropDatabase } from './testing/test-database.ts';

let dir: string;
let database: { name: string; connectionString: string };
let pool: pg.Pool;

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-migrations-'));
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
  await rm(dir, { recursive: true });
});

const run = () => migrate(database.connectionString, { dir });
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
  expect(await pendingMigrations(pool, { dir })).toEqual(['0003-broken.sql']);
});

test('applies each migration once, also when several programs start at the same moment', async () => {
  const applied = await Promise.all(Array.from({ length: 5 }, run));
  expect(applied.flat().sort()).toEqual(['0001-cakes.sql', '0002-first-cake.sql']);
  expect(await cakes()).toEqual(['Sachertorte']);
});

test('applies what is new and ignores changed line ends', async () => {
  expect(await pendingMigrations(pool, { dir })).toEqual(['0001-cakes.sql', '0002-first-cake.sql']);
  await run();
  await writeFile(path.join(dir, '0003-second-cake.sql'), "insert into cakes\r\nvalues ('Eclair');\r\n");
  expect(await run()).toEqual(['0003-second-cake.sql']);
  await writeFile(path.join(dir, '0003-second-cake.sql'), "insert into cakes\nvalues ('Eclair');\n");
  expect(await run()).toEqual([]);
  expect(await cakes()).toEqual(['Eclair', 'Sachertorte']);
});
