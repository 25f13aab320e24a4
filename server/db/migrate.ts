import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import path from 'node:path';
import pg from 'pg';

/** `migrations/` in here run once each; `roles.sql` and `functions/` run again whenever one of them changed. */
export const programsFolder = import.meta.dirname;

/** The database and the program's migrations do not fit together; the message says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

export type Migration = { number: number; name: string; sql: string; checksum: string };

const ROLES_AND_FUNCTIONS = 0;
/** An install from before the first release came to the schema of `FIRST_SCHEMA` in these steps. */
const STEPS_BEFORE = { first: '0001-tenancy.sql', last: '0053-what-tables-hold.sql' };
const FIRST_SCHEMA = '0001-schema.sql';
const MIGRATE_LOCK = '7310927002';
const CONNECT_WITHIN_MS = 10_000;

/**
 * Reads `migrations/0001-name.sql`, `0002-…` in order; work under way may leave gaps. Before them, as number 0, stand roles
 * and functions.
 *
 * @throws MigrationError when a number is used twice
 */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = await sqlFiles(path.join(folder, 'migrations'));
  const migrations = names.map(async (name, index) => {
    const number = numberOf(name);
    if (Number.isNaN(number) || number === numberOf(names[index - 1] ?? '')) {
      throw new MigrationError(
        `Migrations are numbered 0001-name.sql, 0002-name.sql, … each number once; found ${name}.`,
      );
    }
    return migration(number, name, await readSql(path.join(folder, 'migrations', name)));
  });
  return Promise.all([readFunctions(folder), ...migrations]);
}

async function readFunctions(folder: string): Promise<Migration> {
  const functions = (await sqlFiles(path.join(folder, 'functions'))).map((name) => path.join('functions', name));
  const parts = await Promise.all(['roles.sql', ...functions].map((name) => readSql(path.join(folder, name))));
  // Functions name tables that a new database has only after them.
  return migration(ROLES_AND_FUNCTIONS, 'functions', ['set local check_function_bodies = off;', ...parts].join('\n'));
}

function migration(number: number, name: string, sql: string): Migration {
  return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

async function sqlFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
}

/** Git may check files out with other line ends; that is not an edit. */
async function readSql(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).replaceAll('\r\n', '\n');
}

function numberOf(name: string): number {
  return Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]);
}

/**
 * Brings a database up to the program's schema: roles and functions where they changed, then every migration it does not
 * have yet, each in a transaction of its own. Programs that start at the same moment wait for each other.
 *
 * @param options.stopping ends the connecting, not what is done once connected
 * @returns names of the migrations applied now
 * @throws MigrationError when an applied migration was edited, the database is newer than the program, or SQL fails
 */
export async function migrate(
  connectionString: string,
  { folder = programsFolder, stopping }: { folder?: string; stopping?: AbortSignal | undefined } = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const socket = new Socket();
  const giveUp = () => socket.destroy(new Error('Stopped while connecting'));
  const client = new pg.Client({
    connectionString,
    application_name: 'creator-hq migrate',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    stream: () => socket,
  });
  stopping?.addEventListener('abort', giveUp);
  await client.connect().finally(() => stopping?.removeEventListener('abort', giveUp));
  try {
    // Held by the session, so also given back when we are killed.
    await client.query('select pg_advisory_lock($1)', [MIGRATE_LOCK]);
    await client.query(
      `create table if not exists schema_migrations (
         number integer primary key,
         name text not null,
         checksum text not null,
         applied_at timestamptz not null default now()
       )`,
    );
    await joinSteps(client, migrations);
    const pending = await findPending(client, migrations);
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Names of the migrations that a database still lacks; for readiness checks. Changes nothing. */
export async function pendingMigrations(pool: pg.Pool, { folder = programsFolder } = {}): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const { rows } = await pool.query("select to_regclass('schema_migrations') is not null as present");
  if (!rows[0].present) return migrations.map(({ name }) => name);
  return (await findPending(pool, migrations)).map(({ name }) => name);
}

async function findPending(connection: pg.Pool | pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await connection.query<{ number: number; name: string; checksum: string }>(
    'select number, name, checksum from schema_migrations order by number',
  );
  for (const applied of rows) {
    const ours = migrations.find(({ number }) => number === applied.number);
    if (!ours) {
      throw new MigrationError(
        `The database is newer than this program: it has migration ${applied.name}. Start the newer version of the program, or restore a backup from before the upgrade.`,
      );
    }
    if (ours.checksum !== applied.checksum && ours.number !== ROLES_AND_FUNCTIONS) {
      throw new MigrationError(
        `Migration ${ours.name} was changed after it was applied to this database (as ${applied.name}). Put the file back as it was and add a new migration instead. A development database can also be thrown away.`,
      );
    }
  }
  const done = new Set(rows.map(({ number, checksum }) => `${number} ${checksum}`));
  return migrations.filter(({ number, checksum }) => !done.has(`${number} ${checksum}`));
}

/** @throws MigrationError when a database from before the first release lacks some of the steps */
async function joinSteps(client: pg.Client, migrations: Migration[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by number');
  const schema = migrations.find(({ name }) => name === FIRST_SCHEMA);
  if (rows[0]?.name !== STEPS_BEFORE.first || schema === undefined) return;
  if (rows.at(-1)?.name !== STEPS_BEFORE.last) {
    throw new MigrationError(
      `This database was made before the first release and ends at ${rows.at(-1)?.name}. Start the last program that has ${STEPS_BEFORE.last} once, then this one.`,
    );
  }
  await client.query('begin');
  await client.query('delete from schema_migrations');
  await note(client, schema);
  await client.query('commit');
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(migration.sql);
    await note(client, migration);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback').catch(() => {});
    const { message, position } = cause as pg.DatabaseError;
    const line = position ? ` (line ${migration.sql.slice(0, Number(position)).split('\n').length})` : '';
    throw new MigrationError(`Migration ${migration.name}${line} failed: ${message}`, { cause });
  }
}

async function note(client: pg.Client, { number, name, checksum }: Migration): Promise<void> {
  await client.query(
    `insert into schema_migrations (number, name, checksum) values ($1, $2, $3)
     on conflict (number) do update set checksum = excluded.checksum, applied_at = now()`,
    [number, name, checksum],
  );
}
