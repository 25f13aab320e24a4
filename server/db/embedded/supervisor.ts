/**
 * The built-in database: a real PostgreSQL server under the program's own care.
 *
 * DATA_DIR/postgres      the database files
 * DATA_DIR/postgres.log  what the server said
 * DATA_DIR/run           its socket (in the system's temporary folder when DATA_DIR is too deep for a socket path)
 *
 * Who owns a running server is said by a lock inside it, not by a file: the program holds an advisory lock on a connection
 * of its own. A program that is killed loses its connection and with it the lock, so there is nothing to clean up: the next
 * start finds the server, sees that nobody holds it, and takes it over. A second program finds the lock held and stops.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, open, rename, rmdir, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { makeDataDir } from '#server/data-dir.ts';
import { isPassing } from '#server/db/away.ts';
import { type Account, chooseAccount } from './account.ts';
import { EmbeddedPostgresError, findBinaries } from './binaries.ts';
import { postgresEnvironment, prepareCluster, removeAbandonedDrafts, startError } from './cluster.ts';
import {
  commandLine,
  disarmStaleLock,
  readPostmasterFile,
  runsRemovedProgram,
  servesCluster,
} from './postmaster-file.ts';

export type EmbeddedPostgres = {
  /** A `postgresql://` URL over the server's unix socket, for the superuser: migrations, backups and commands. */
  connectionString: string;
  /** The same for requests, engine and jobs: a login that may take their two roles and has no rights of its own. */
  loginString: string;
  /** Process id of the server at this moment. */
  pid(): number;
  /** Resolves when the files of the write-ahead log are made, or cannot be. */
  walReserved: Promise<void> | undefined;
  /** Ends the server in an orderly way: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
};

const DATABASE = 'creator_hq';
const SUPERUSER = 'postgres';
const LOGIN = 'creator_hq';
const OWNER_LOCK = '7310927001';
const OWNER_NAME = 'creator-hq owner';

/** A socket's path may have 107 bytes; the server adds `/.s.PGSQL.5432` and, while starting, `.lock`. */
const MAX_SOCKET_DIR_BYTES = 107 - '/.s.PGSQL.5432.lock'.length;

const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** An eighth of the memory, between 128 MB and 4 GB: indexes of a million interactions want to stay in it. */
function sharedBuffersMb(totalBytes: number): number {
  return Math.round(Math.min(4096, Math.max(128, totalBytes / 8 / MB)));
}

/**
 * The write-ahead log's size, in MB: a thirty-second of the disk, between 512 MB and 4 GB. A viral minute writes 1.2 GB, and
 * half of the log has to pass between two checkpoints.
 */
async function walSizeMb(clusterDir: string): Promise<number> {
  const { blocks, bsize } = await statfs(clusterDir);
  return Math.round(Math.min(4096, Math.max(512, (blocks * bsize) / 32 / MB)));
}

const MB = 2 ** 20;
const WAL_FILE_MB = 16;
/** So many times the log's size has to be free for its files to be made in advance. */
const WAL_NEEDS_FREE_TIMES = 10;

/** Sized for a machine that also runs everything else. Durability is PostgreSQL's default: fsync, synchronous commit. */
const SETTINGS: Record<string, string> = {
  max_connections: '100',
  shared_buffers: `${sharedBuffersMb(os.totalmem())}MB`,
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  // Fewer, spread checkpoints: the engine commits in batches and rewrites the same pages often.
  wal_buffers: '16MB',
  wal_compression: 'on',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_analyze_scale_factor: '0.05',
  // The first viral minute of a new installation is planned for empty tables until they are looked at again.
  autovacuum_naptime: '15s',
  // Starting again is ours. PostgreSQL's own way (18.4) waits for ever where the checkpoint that ends its recovery dies too,
  // as on a full disk: also once there is room again.
  restart_after_crash: 'off',
  // Short statements only; compiling them costs more than it gives.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_lock_waits: 'on',
};

/**
 * Starts the database in `dataDir`, or takes over one whose program was killed. Resolves when it answers.
 *
 * @param options.log one line per thing worth telling, in words for the person who started the program
 * @param options.settings PostgreSQL settings on top of ours; `fsync: 'off'` is for tests only
 * @param options.walMb size of the write-ahead log; by the size of the disk when left out
 * @param options.reserveWal makes the files of a new database's write-ahead log before they are needed, in the background,
 *   once what it stands for has ended
 * @throws EmbeddedPostgresError with the remedy: folder in use, disk full, wrong platform, no permission
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: (message: string) => void;
  settings?: Record<string, string>;
  walMb?: number;
  reserveWal?: Promise<unknown>;
}): Promise<EmbeddedPostgres> {
  const { log } = options;
  const dataDir = path.resolve(options.dataDir);
  const clusterDir = path.join(dataDir, 'postgres');
  const binaries = await findBinaries();
  const account = await prepareDataDir(dataDir, clusterDir);
  const settings = { ...SETTINGS, ...options.settings };
  await prepareCluster({ clusterDir, binaries, account, log, durable: settings.fsync !== 'off' });
  const walMb = options.walMb ?? (await walSizeMb(clusterDir));
  const socketDir = await prepareSocketDir(dataDir, account);

  const server = new Server({
    dataDir,
    clusterDir,
    account,
    log,
    program: binaries.postgres,
    args: [
      ...['-D', clusterDir],
      ...Object.entries({
        // Log files are reused: a new file holds up every commit for 60 to 100 ms.
        min_wal_size: `${walMb}MB`,
        max_wal_size: `${walMb}MB`,
        ...settings,
        listen_addresses: '',
        unix_socket_directories: socketDir,
        unix_socket_permissions: '0700',
      }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
  });
  await server.ensureRunning();

  const owner = await claim(urlFor('postgres', socketDir), dataDir);
  server.owned(owner, () => claim(urlFor('postgres', socketDir), dataDir));
  const present = await owner.query('select 1 from pg_database where datname = $1', [DATABASE]);
  await removeAbandonedDrafts(dataDir, new Date());
  if (present.rowCount === 0) await owner.query(`create database ${DATABASE}`);
  await owner.query(MAKE_LOGIN);
  const walReserved =
    present.rowCount === 0
      ? options.reserveWal?.then(() => reserveWal({ url: urlFor('postgres', socketDir), clusterDir, log, walMb }))
      : undefined;

  return {
    connectionString: urlFor(DATABASE, socketDir),
    loginString: urlFor(DATABASE, socketDir, LOGIN),
    pid: () => server.pid,
    walReserved,
    stop: async () => {
      await server.stop();
      await walReserved;
      // One that we made in the temporary folder; inside DATA_DIR it may stay.
      if (path.dirname(socketDir) !== dataDir) await rmdir(socketDir).catch(() => {});
    },
  };
}

/**
 * With each start, for databases of before there was a login. Anybody who could run SQL of their own in a superuser's session
 * would not be held by the role that it has taken: `set role none` gives everything back.
 */
const MAKE_LOGIN = `
  do $$
  declare wanted record;
  begin
    for wanted in values ('creator_hq_app', 'nologin'), ('creator_hq_engine', 'nologin'), ('${LOGIN}', 'login noinherit')
    loop
      if not exists (select from pg_roles where rolname = wanted.column1) then
        execute format('create role %I %s', wanted.column1, wanted.column2);
      end if;
    end loop;
    grant creator_hq_app, creator_hq_engine to ${LOGIN};
  end
  $$`;

type WalToReserve = { url: string; clusterDir: string; log: (message: string) => void; walMb: number };

/** PostgreSQL keeps what it once used: so all of the log is used once. Left out where the disk is full. */
async function reserveWal({ url, clusterDir, log, walMb }: WalToReserve): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // The server may be stopped meanwhile: then it goes without.
  client.on('error', () => {});
  try {
    const disk = await statfs(clusterDir);
    if (disk.bavail * disk.bsize < walMb * MB * WAL_NEEDS_FREE_TIMES) return;
    await client.connect();
    // Holds back what a checkpoint would use again meanwhile; goes with the connection.
    await client.query(`select pg_create_physical_replication_slot('reserving', true, true)`);
    for (let madeMb = 0; madeMb < walMb; madeMb += WAL_FILE_MB) {
      const began = performance.now();
      // One that holds nothing is not left.
      await client.query(`select pg_logical_emit_message(true, '', ''), pg_switch_wal()`);
      // Half of the time the disk is for others: somebody is looking at the program for the first time.
      await delay(performance.now() - began);
    }
    await client.query(`select pg_drop_replication_slot('reserving')`);
    await client.query('checkpoint');
  } catch (error) {
    if (!isPassing(error)) log(`No files were made for the write-ahead log in advance: ${(error as Error).message}`);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Whether `dataDir` holds database files, of a server that runs or not. */
export function hasDatabase(dataDir: string): boolean {
  return existsSync(path.join(path.resolve(dataDir), 'postgres'));
}

/**
 * The server that runs on `dataDir` now, most likely another program's: nothing is taken over.
 * @returns its connection string, as of `startEmbeddedPostgres`; null when none answers
 */
export async function findRunningPostgres(dataDir: string): Promise<string | null> {
  const folder = path.resolve(dataDir);
  const clusterDir = path.join(folder, 'postgres');
  const found = await readPostmasterFile(clusterDir);
  if (found?.state !== 'ready' || !(await servesCluster(found.pid, clusterDir))) return null;
  return urlFor(DATABASE, socketDirOf(folder));
}

function urlFor(database: string, socketDir: string, user = SUPERUSER): string {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(socketDir)}`;
}

async function prepareDataDir(dataDir: string, clusterDir: string): Promise<Account> {
  try {
    await makeDataDir(dataDir);
    return await chooseAccount(dataDir, clusterDir);
  } catch (cause) {
    throw new EmbeddedPostgresError(`Cannot use ${dataDir} for the database: ${(cause as Error).message}`, { cause });
  }
}

function socketDirOf(dataDir: string): string {
  const near = path.join(dataDir, 'run');
  if (Buffer.byteLength(near) <= MAX_SOCKET_DIR_BYTES) return near;
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return path.join(os.tmpdir(), `creator-hq-${name}`);
}

async function prepareSocketDir(dataDir: string, account: Account): Promise<string> {
  const socketDir = socketDirOf(dataDir);
  if (Buffer.byteLength(socketDir) > MAX_SOCKET_DIR_BYTES) {
    throw new EmbeddedPostgresError(
      `Both DATA_DIR (${dataDir}) and the temporary folder (${os.tmpdir()}) have paths too long for a socket. Set DATA_DIR or TMPDIR to a shorter one.`,
    );
  }
  const created = await mkdir(socketDir, { recursive: true, mode: 0o700 });
  if (created !== undefined) await account.own(socketDir);
  const folder = await lstat(socketDir);
  const cluster = await stat(path.join(dataDir, 'postgres'));
  // The temporary folder is everybody's: a folder of that name made by another user must not receive our connections.
  if (!folder.isDirectory() || folder.uid !== cluster.uid) {
    throw new EmbeddedPostgresError(
      `${socketDir} belongs to another user. Remove it, or set DATA_DIR to another folder.`,
    );
  }
  await chmod(socketDir, 0o700);
  return socketDir;
}

/** Takes the owner's lock. A killed program's lock goes with its connection, which can take the server a moment to notice. */
async function claim(url: string, dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: `${OWNER_NAME} ${process.pid}` });
  // A server that dies says so in the same breath as its answer; whoever owns the connection hears of its end.
  client.on('error', () => {});
  await client.connect();
  try {
    for (let attempt = 0; attempt < 40; attempt++) {
      const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [OWNER_LOCK]);
      if (rows[0].held) return client;
      await delay(50);
    }
    const { rows } = await client.query(
      `select application_name from pg_stat_activity where application_name like '${OWNER_NAME} %' and pid <> pg_backend_pid()`,
    );
    const pid = rows[0]?.application_name.slice(OWNER_NAME.length + 1);
    throw new EmbeddedPostgresError(
      `Another Creator HQ${pid ? ` (process ${pid})` : ''} is running on ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    );
  } catch (error) {
    await client.end();
    throw error;
  }
}

type ServerOptions = {
  dataDir: string;
  clusterDir: string;
  account: Account;
  program: string;
  args: string[];
  log: (message: string) => void;
};

/** One PostgreSQL server process: started by us or taken over, watched, restarted when it dies, and stopped. */
class Server {
  pid = 0;
  readonly #options: ServerOptions;
  #owner: pg.Client | undefined;
  #stopping = false;
  #reviving: Promise<void> = Promise.resolve();

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Leaves with a server that is ready: the one that already runs on the folder, or a new one. */
  async ensureRunning(): Promise<void> {
    for (;;) {
      const found = await this.#runningServer();
      if (!found) {
        if (await this.#launch()) return;
      } else if (await this.#wasStartedAlike(found)) {
        this.pid = found;
        if (await this.#untilReady()) return;
      } else {
        // Started by another version of the program, or before a reinstall: its settings or files are not ours.
        this.#options.log('Restarting the database with the settings of this version…');
        await this.#end(found);
      }
    }
  }

  /** Watches the connection that holds the owner's lock: when it breaks, the server has died and is started again. */
  owned(client: pg.Client, reclaim: () => Promise<pg.Client>): void {
    this.#owner = client;
    client.once('end', () => {
      if (!this.#stopping) this.#reviving = this.#revive(reclaim);
    });
  }

  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    await this.#reviving;
    await this.#owner?.end().catch(() => {});
    await this.#end(this.pid);
  }

  async #revive(reclaim: () => Promise<pg.Client>): Promise<void> {
    const { log } = this.#options;
    log('The database stopped unexpectedly. Starting it again…');
    for (let pauseMs = 100; !this.#stopping; pauseMs = Math.min(pauseMs * 2, 10_000)) {
      try {
        await this.ensureRunning();
        this.owned(await reclaim(), reclaim);
        log('The database is running again.');
        return;
      } catch (error) {
        log(`The database does not start: ${(error as Error).message}`);
        await delay(pauseMs);
      }
    }
  }

  async #runningServer(): Promise<number | undefined> {
    const { clusterDir } = this.#options;
    const found = await readPostmasterFile(clusterDir);
    if (!found) return undefined;
    if (await servesCluster(found.pid, clusterDir)) return found.pid;
    await disarmStaleLock(clusterDir, found.pid);
    return undefined;
  }

  async #wasStartedAlike(pid: number): Promise<boolean> {
    const words = (await commandLine(pid)).join(' ');
    return words === [this.#options.program, ...this.#options.args].join(' ') && !(await runsRemovedProgram(pid));
  }

  /** False when another program's server was faster, or an old one was still going away: look again. */
  async #launch(): Promise<boolean> {
    const { account, program, args, dataDir } = this.#options;
    const logFile = path.join(dataDir, 'postgres.log');
    await keepSmall(logFile);
    const output = await open(logFile, 'a', 0o600);
    try {
      const saidBefore = (await output.stat()).size;
      const { file, args: words, uid, gid } = account.command(program, args);
      const child = spawn(file, words, {
        uid,
        gid,
        cwd: '/',
        env: postgresEnvironment(),
        // A group of its own: Ctrl+C in the terminal goes to us, and we stop the server when nobody needs it any more.
        detached: true,
        stdio: ['ignore', output.fd, output.fd],
      });
      const failure = new Promise<string>((resolve) => {
        child.once('error', (error) => resolve(String(error)));
        child.once('exit', (code, signal) => resolve(`PostgreSQL ended (${signal ?? code}).`));
      });
      child.unref();
      this.pid = child.pid ?? 0;
      const outcome = await Promise.race([this.#untilReady(), failure]);
      if (outcome === true) return true;
      const said = await tail(logFile, saidBefore);
      if (/lock file "[^"]+" already exists|pre-existing shared memory block/.test(said)) {
        await delay(100);
        return false;
      }
      throw startError('The database did not start.', `${said}\n${outcome || ''}`, { dataDir, account });
    } finally {
      await output.close();
    }
  }

  /** True when the server says so in its lock file, false when the process has gone. Recovery after a crash may take minutes. */
  async #untilReady(): Promise<boolean> {
    const { clusterDir, log } = this.#options;
    for (let waits = 1; ; waits++) {
      const found = await readPostmasterFile(clusterDir);
      if (found?.pid === this.pid && found.state === 'ready') return true;
      if (!isAlive(this.pid)) return false;
      if (found?.pid === this.pid && waits % 100 === 0 && !(await servesCluster(this.pid, clusterDir))) return false;
      if (waits % 1000 === 0) log('Still waiting for the database (after a crash it first reads its log)…');
      await delay(10);
    }
  }

  async #end(pid: number): Promise<void> {
    const { clusterDir, log } = this.#options;
    if (!(await servesCluster(pid, clusterDir))) return;
    // SIGINT is PostgreSQL's "fast shutdown".
    process.kill(pid, 'SIGINT');
    for (let waits = 1; await servesCluster(pid, clusterDir); waits++) {
      if (waits % 1000 === 0) log('Still waiting for the database to write everything to disk…');
      await delay(10);
    }
  }
}

function isAlive(pid: number): boolean {
  // 0 would ask about our own process group: a server that could not be spawned has no id.
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function keepSmall(logFile: string): Promise<void> {
  const size = await stat(logFile).then(
    (file) => file.size,
    () => 0,
  );
  if (size > MAX_LOG_BYTES) await rename(logFile, `${logFile}.1`);
}

async function tail(file: string, from: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(8192), 0, 8192, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
