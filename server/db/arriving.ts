/**
 * A database of one's own may not be there yet when a process starts: another machine is restarting it, or it is failing
 * over to a standby. It is waited for; what is wrong with it otherwise is told at once.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#server/clock.ts';
import { isPassing } from '#server/db/away.ts';
import { migrate } from '#server/db/migrate.ts';

const TRY_AGAIN_AFTER_MS = 1_000;

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

/** Waits until the database is there and migrated. @throws MigrationError; what PostgreSQL says when it refuses us */
export async function migrateWhenThere(arriving: Arriving): Promise<Arrived> {
  if (!(await tryToMigrate(arriving))) await keepTrying(arriving);
  return { isThere: true, stop: async () => {} };
}

/** Does not wait when it is away: goes on trying beside whatever the process can do without it. */
export async function migrateLater(arriving: Arriving): Promise<Arrived> {
  if (await tryToMigrate(arriving)) return { isThere: true, stop: async () => {} };
  const ending = new AbortController();
  const stopping = AbortSignal.any([ending.signal, ...(arriving.stopping ? [arriving.stopping] : [])]);
  const trying = keepTrying({ ...arriving, stopping }).catch((error) =>
    // Readiness says that migrations are missing.
    arriving.log.error({ err: error }, 'the database came back, and cannot be used'),
  );
  return {
    isThere: false,
    stop: () => {
      ending.abort();
      return trying;
    },
  };
}

async function keepTrying(arriving: Arriving): Promise<void> {
  const { clock, say, stopping } = arriving;
  say('The database cannot be reached. Waiting for it…');
  do await clock.sleep(TRY_AGAIN_AFTER_MS, stopping);
  while (!stopping?.aborted && !(await tryToMigrate(arriving)));
}

/** False: the database is away. */
async function tryToMigrate({ connectionString, log }: Arriving): Promise<boolean> {
  try {
    await migrate(connectionString);
    return true;
  } catch (error) {
    if (!isPassing(error)) throw error;
    log.info({ err: error }, 'the database cannot be reached');
    return false;
  }
}
