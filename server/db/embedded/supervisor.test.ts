import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectDatabase } from '#server/db/database.ts';
import { restoreSymlinks } from './binaries.ts';
import { servesCluster } from './postmaster-file.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './supervisor.ts';

const isRoot = process.getuid?.() === 0;

let folder: string;
let dataDir: string;
let log: EventEmitter;
let running: EmbeddedPostgres[];
let programs: { program: ChildProcess; serverPid: number }[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-supervisor-'));
  dataDir = path.join(folder, 'data');
  log = new EventEmitter();
  running = [];
  programs = [];
});
afterEach(async () => {
  for (const server of running) await server.stop();
  for (const { program, serverPid } of programs) {
    await kill(program);
    await endServer(serverPid);
  }
  await rm(folder, { recursive: true, force: true });
});

async function start(dir = dataDir): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: dir, log: (message) => log.emit(message) });
  running.push(server);
  return server;
}

/** How many files the write-ahead log has. */
async function walFiles(server: EmbeddedPostgres): Promise<number> {
  const [row] = await query(server.connectionString, 'select count(*)::int as files from pg_ls_waldir()');
  return row!.files as number;
}

async function query(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** A separate program on the same folder, writing numbers until it is killed. */
async function startProgram(): Promise<{ program: ChildProcess; serverPid: number; committed: () => number }> {
  const file = path.join(import.meta.dirname, 'program-for-tests.ts');
  const program = spawn(process.execPath, [file, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  let serverPid = 0;
  let committed = 0;
  const { promise: writing, resolve } = Promise.withResolvers<void>();
  createInterface({ input: program.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const [what, value] = line.split(' ');
    if (what === 'server') serverPid = Number(value);
    if (what === 'committed') committed = Number(value);
    if (committed >= 20) resolve();
  });
  await writing;
  programs.push({ program, serverPid });
  return { program, serverPid, committed: () => committed };
}

async function kill(program: ChildProcess): Promise<void> {
  if (program.signalCode !== null) return;
  const closed = once(program, 'close');
  program.kill('SIGKILL');
  await closed;
}

/** Ends the server of a killed program by starting in its place. */
async function endServer(serverPid: number): Promise<void> {
  if (await servesCluster(serverPid, path.join(dataDir, 'postgres'))) await (await start()).stop();
}

describe('starting', () => {
  test('gives the program a login that is no superuser and may only take its two roles, over older files too', async () => {
    const older = await start();
    await query(older.connectionString, 'drop role creator_hq');
    await older.stop();
    const { loginString } = await start();
    const db = connectDatabase({ connectionString: loginString, poolSizes: { app: 1, engine: 1 } });
    try {
      for (const [pool, role] of [
        [db.appPool, 'creator_hq_app'],
        [db.enginePool, 'creator_hq_engine'],
      ] as const) {
        const { rows } = await pool.query(
          `select session_user::text as login, current_user::text as role, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls
          from pg_roles where rolname = session_user`,
        );
        const none = { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false };
        expect(rows).toEqual([{ login: 'creator_hq', role, ...none }]);
      }
      for (const statement of ['set role postgres', 'set role none; create table public.own ()'])
        await expect(db.appPool.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    } finally {
      await db.close();
    }
  });

  test('names the remedy when the folder holds something else', async () => {
    await mkdir(path.join(dataDir, 'postgres'), { recursive: true });
    await expect(start()).rejects.toThrow('exists but holds no database');
  });

  test('names the remedy when another version made the files', async () => {
    await mkdir(path.join(dataDir, 'postgres'), { recursive: true });
    await writeFile(path.join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow('made by PostgreSQL 17');
  });

  test('repeats what PostgreSQL said when it does not start', async () => {
    const wrong = startEmbeddedPostgres({ dataDir, log: () => {}, settings: { shared_buffers: 'plenty' } });
    await expect(wrong).rejects.toThrow(/did not start[\s\S]*invalid value for parameter "shared_buffers"/);
  });

  test('keeps data over a stop, in UTF-8, durably, reachable by its owner only', async () => {
    const first = await start();
    await query(first.connectionString, "create table notes as select 'Pączki 🍩' as text");
    await first.stop();
    const second = await start();
    expect(await query(second.connectionString, 'select * from notes')).toEqual([{ text: 'Pączki 🍩' }]);
    const [settings] = await query(
      second.connectionString,
      "select current_setting('fsync') as fsync, current_setting('listen_addresses') as tcp, pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()",
    );
    expect(settings).toEqual({ fsync: 'on', tcp: '', encoding: 'UTF8' });
    expect((await stat(path.join(dataDir, 'run'))).mode & 0o777).toBe(0o700);
  });

  test('makes files of the write-ahead log in advance, and keeps them', async () => {
    const server = await startEmbeddedPostgres({ dataDir, log: () => {}, walMb: 128, reserveWal: Promise.resolve() });
    running.push(server);
    await server.walReserved;
    expect(await walFiles(server)).toBe(128 / 16);
  });

  test('says nothing of files that it was too early to make when it is stopped', async () => {
    const said: string[] = [];
    const server = await startEmbeddedPostgres({
      dataDir,
      log: (line) => said.push(line),
      walMb: 512,
      reserveWal: Promise.resolve(),
    });
    running.push(server);
    await server.stop();
    await server.walReserved;
    expect(said).toEqual(['Creating the database…']);
  });

  test('puts the socket elsewhere when the folder is too deep for a socket path', async () => {
    const server = await start(path.join(folder, 'deep'.repeat(20), 'deeper'.repeat(10)));
    expect(await query(server.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('refuses a second program and leaves the first alone', async () => {
    const { serverPid } = await startProgram();
    await expect(start()).rejects.toThrow(/Another Creator HQ \(process \d+\) is running/);
    expect(() => process.kill(serverPid, 0)).not.toThrow();
  });

  test('lets one of several simultaneous first starts win', async () => {
    const starts = await Promise.allSettled([start(), start(), start()]);
    const outcomes = starts.map((outcome) => (outcome.status === 'fulfilled' ? 'started' : outcome.reason.message));
    expect(outcomes.filter((outcome) => outcome === 'started')).toHaveLength(1);
    for (const outcome of outcomes) expect(outcome).toMatch(/^started$|Another Creator HQ/);
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', 'run']);
  });
});

describe('after kill -9', () => {
  test('takes over the server that outlived its program', async () => {
    const { program, serverPid, committed } = await startProgram();
    await kill(program);
    const server = await start();
    expect(server.pid()).toBe(serverPid);
    const [row] = await query(server.connectionString, 'select count(*)::int as count from numbers');
    expect(row?.count).toBeGreaterThanOrEqual(committed());
  });

  test('recovers every committed row when the server was killed too', async () => {
    const { program, serverPid, committed } = await startProgram();
    program.kill('SIGSTOP');
    process.kill(serverPid, 'SIGKILL');
    await kill(program);
    const server = await start();
    expect(server.pid()).not.toBe(serverPid);
    const [row] = await query(
      server.connectionString,
      'select count(*)::int as count, max(n)::int as last from numbers',
    );
    expect(row?.count).toBe(row?.last);
    expect(row?.count).toBeGreaterThanOrEqual(committed());
  });

  test('is not misled by a lock file whose process id another program has now', async () => {
    const first = await start();
    const lockFile = path.join(dataDir, 'postgres', 'postmaster.pid');
    const lines = (await readFile(lockFile, 'utf8')).split('\n');
    await first.stop();
    await writeFile(lockFile, [process.ppid, ...lines.slice(1)].join('\n'));
    const second = await start();
    expect(await query(second.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('starts the server again when only the server was killed', async () => {
    const server = await start();
    const before = server.pid();
    const revived = once(log, 'The database is running again.');
    process.kill(before, 'SIGKILL');
    await revived;
    expect(server.pid()).not.toBe(before);
    expect(await query(server.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('restarts the server when one of its processes was killed', async () => {
    const server = await start();
    const before = server.pid();
    const revived = once(log, 'The database is running again.');
    const [checkpointer] = await query(
      server.connectionString,
      "select pid from pg_stat_activity where backend_type = 'checkpointer'",
    );
    process.kill(checkpointer!.pid as number, 'SIGKILL');
    await revived;
    expect(server.pid()).not.toBe(before);
    expect(await query(server.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

test('restores the links that npm leaves out without install scripts', async () => {
  const lib = path.join(folder, 'native', 'lib');
  await mkdir(lib, { recursive: true });
  await symlink('libpq.so.5.18', path.join(lib, 'libpq.so'));
  const links = ['libpq.so', 'libpq.so.5'].map((name) => ({
    source: 'native/lib/libpq.so.5.18',
    target: `native/lib/${name}`,
  }));
  await writeFile(path.join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  await restoreSymlinks(folder);
  expect(await readlink(path.join(lib, 'libpq.so.5'))).toBe('libpq.so.5.18');
});

describe.runIf(isRoot)('as root', () => {
  test('works under folders closed to everybody else', async () => {
    await chmod(folder, 0o700);
    const server = await start();
    expect((await stat(path.join(dataDir, 'postgres'))).uid).toBe(0);
    await server.stop();
  });

  test('leaves the data to the owner of the folder it lies in, who can start it next time', async () => {
    await chown(folder, 4321, 4321);
    const server = await start();
    expect((await stat(path.join(dataDir, 'postgres'))).uid).toBe(4321);
    expect((await stat(`/proc/${server.pid()}`)).uid).toBe(4321);
  });
});
