import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { connectDatabase, type Database } from '../database.ts';
import { migrate, programsFolder, readMigrations } from '../migrate.ts';

export type TestDatabase = Database & {
  /** Superuser's connection string of this database. */
  connectionString: string;
  /** Closes the connections and removes the database. */
  drop(): Promise<void>;
};

const TEMPLATE_LOCK = '7310927003';

/**
 * A migrated database of its own for one test file, cloned from a template in some 20 ms:
 *
 *     const db = await createTestDatabase();
 *     afterAll(() => db.drop());
 */
export async function createTestDatabase(
  options: { poolSizes?: { app?: number; engine?: number } } = {},
): Promise<TestDatabase> {
  const serverUrl = inject('testServerUrl');
  const template = await ensureTemplate(serverUrl);
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(serverUrl, (client) => client.query(`create database ${name} template ${template}`));
  return openTestDatabase(name, options.poolSizes);
}

/**
 * An install of before.
 *
 * @param migration the first one that it does not have yet
 * @returns its database, which nobody is connected to; `dropDatabase` removes it
 */
export async function createDatabaseBefore(migration: number): Promise<{ name: string; connectionString: string }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-before-'));
  const isFromBefore = (file: string) => !(Number(/\/(\d{4})-/.exec(file)?.[1]) >= migration);
  try {
    await cp(programsFolder, folder, { recursive: true, filter: isFromBefore });
    const database = await createEmptyDatabase();
    await migrate(database.connectionString, { folder });
    return database;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * As a dump that is restored beside the database it was made of.
 *
 * @param db is closed for it
 * @returns the database, and its copy
 */
export async function copyTestDatabase(db: TestDatabase): Promise<[TestDatabase, TestDatabase]> {
  const { rows } = await db.enginePool.query<{ name: string }>('select current_database() as name');
  const { name } = rows[0]!;
  const copy = `test_${randomBytes(8).toString('hex')}`;
  await db.close();
  await onServer(inject('testServerUrl'), (client) => client.query(`create database ${copy} template ${name}`));
  return [openTestDatabase(name), openTestDatabase(copy)];
}

function openTestDatabase(
  name: string,
  poolSizes = { app: 5, engine: 5 } as { app?: number; engine?: number },
): TestDatabase {
  const connectionString = databaseUrl(inject('testServerUrl'), name);
  const connections = connectDatabase({ connectionString, poolSizes });
  return {
    ...connections,
    connectionString,
    drop: async () => {
      await connections.close();
      await dropDatabase(name);
    },
  };
}

/** An empty database, for tests that bring their own schema. Remove it with `dropDatabase`. */
export async function createEmptyDatabase(): Promise<{ name: string; connectionString: string }> {
  const serverUrl = inject('testServerUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(serverUrl, (client) => client.query(`create database ${name} template template0`));
  return { name, connectionString: databaseUrl(serverUrl, name) };
}

/** Removes a database whoever is still connected to it. */
export async function dropDatabase(name: string): Promise<void> {
  await onServer(inject('testServerUrl'), (client) => client.query(`drop database if exists ${name} with (force)`));
}

/** One template per state of the migrations; the first test file that asks builds it while the others wait. */
async function ensureTemplate(serverUrl: string): Promise<string> {
  const hash = createHash('sha256');
  for (const { name, checksum } of await readMigrations(programsFolder)) hash.update(`${name} ${checksum}\n`);
  const template = `template_${hash.digest('hex').slice(0, 16)}`;

  await onServer(serverUrl, async (client) => {
    const exists = async () =>
      (await client.query('select 1 from pg_database where datname = $1', [template])).rowCount !== 0;
    if (await exists()) return;
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    if (await exists()) return;
    // It gets its name when it is complete: a kill in between leaves no half template.
    const draft = `${template}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft} template template0`);
    await migrate(databaseUrl(serverUrl, draft));
    await client.query(`alter database ${draft} rename to ${template}`);
  });
  return template;
}

async function onServer<Result>(serverUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl(serverUrl, 'postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Same server, other database. Not by `URL`: it does not accept the empty host of a socket. */
function databaseUrl(serverUrl: string, database: string): string {
  return serverUrl.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${database}`);
}
