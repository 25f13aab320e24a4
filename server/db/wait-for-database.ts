/**
 * A database of one's own may not be there yet when a process starts: another machine is restarting it, or it is failing
 * over to a standby. It is waited for; what is wrong with it otherwise is told at once.
 */
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import type { Clock } from '#server/clock.ts';
import { isPassing } from '#server/db/away.ts';
import { MigrationError, migrate } from '#server/db/migrate.ts';

const TRY_AGAIN_AFTER_MS = 1_000;

/** Error codes of Node and PostgreSQL in words for the author of DATABASE_URL; others have words of their own. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'there is no such socket',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'the host cannot be reached from here',
  ENETUNREACH: 'its network cannot be reached from here',
};

/** The database refused us for good; the message says which, and why. */
export class DatabaseRefused extends Error {
  override name = 'DatabaseRefused';
}

/** The program was stopped before its database was there. */
export class StoppedWaiting extends Error {
  override name = 'StoppedWaiting';
}

type Arriving = {
  connectionString: string;
  clock: Clock;
  log: FastifyBaseLogger;
  /** Plain lines for the person who started the program. */
  say: (line: string) => void;
  stopping?: AbortSignal | undefined;
};

/** A database whose schema is, or will be, the program's. */
type Arrived = {
  /** False: it is still waited for. */
  isThere: boolean;
  stop(): Promise<void>;
};

/**
 * Waits until the database is there and migrated.
 * @throws MigrationError; DatabaseRefused; StoppedWaiting
 */
export async function migrateWhenThere(arriving: Arriving): Promise<Arrived> {
  const failure = await tryToMigrate(arriving);
  if (failure !== null) await keepTrying(arriving, failure);
  return { isThere: true, stop: async () => {} };
}

/**
 * Does not wait when it is away: goes on trying beside whatever the process can do without it.
 * @param onceThere is done when it comes later
 */
export async function migrateLater(arriving: Arriving, onceThere: () => Promise<unknown>): Promise<Arrived> {
  const failure = await tryToMigrate(arriving);
  if (failure === null) return { isThere: true, stop: async () => {} };
  const ending = new AbortController();
  const stopping = AbortSignal.any([ending.signal, ...(arriving.stopping ? [arriving.stopping] : [])]);
  const trying = keepTrying({ ...arriving, stopping }, failure)
    .then(onceThere)
    .catch((error) => {
      // Readiness says that migrations are missing.
      if (!(error instanceof StoppedWaiting))
        arriving.log.error({ err: error }, 'the database came back, and cannot be used');
    });
  return {
    isThere: false,
    stop: async () => {
      ending.abort();
      await trying;
    },
  };
}

async function keepTrying(arriving: Arriving, first: Error): Promise<void> {
  const { connectionString, clock, say, stopping } = arriving;
  const host = hostOf(connectionString);
  let said = '';
  for (let failure: Error | null = first; failure !== null; failure = await tryToMigrate(arriving)) {
    const line = `The database at ${host} cannot be reached: ${reasonOf(failure)}. Waiting for it…`;
    if (line !== said) say(line);
    said = line;
    await clock.sleep(TRY_AGAIN_AFTER_MS, stopping);
    if (stopping?.aborted) throw new StoppedWaiting(`Stopped while waiting for the database at ${host}.`);
  }
}

/** @returns why the database is away; null when it is there */
async function tryToMigrate({ connectionString, log, stopping }: Arriving): Promise<Error | null> {
  try {
    await migrate(connectionString, { stopping });
    return null;
  } catch (error) {
    if (isPassing(error) || stopping?.aborted) {
      log.info({ err: error }, 'the database cannot be reached');
      return error as Error;
    }
    if (error instanceof MigrationError) throw error;
    const host = hostOf(connectionString);
    throw new DatabaseRefused(`The database at ${host} cannot be used: ${reasonOf(error as Error)}.`, { cause: error });
  }
}

function reasonOf(error: Error & { code?: string }): string {
  if (/timeout/.test(error.message)) return REASONS.ETIMEDOUT!;
  return REASONS[error.code ?? ''] ?? error.message.replace(/\.$/, '');
}

/** Of `postgres://user:password@host:5432/database` the host and the port, or the folder of its socket. */
function hostOf(connectionString: string): string {
  const { host, port } = new pg.Client({ connectionString });
  return host.startsWith('/') ? host : `${host}:${port}`;
}
