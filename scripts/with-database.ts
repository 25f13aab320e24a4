/** For commands: the database of DATABASE_URL, else the built-in one in DATA_DIR, whether Creator HQ is running or not. */
import type { Config } from '#server/config.ts';
import { connectDatabase, type Database } from '#server/db/database.ts';
import { findRunningPostgres, hasDatabase, startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate, pendingMigrations } from '#server/db/migrate.ts';

/** Problems the person at the keyboard can fix; shown without a stack. */
export class Refused extends Error {}

/** @throws Refused when there is no database yet, or it is not of this version */
export async function withDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  if (databaseUrl !== null) return connectAnd(databaseUrl, work);
  await withBuiltInServer(dataDir, async (connectionString, isOurs) => {
    if (isOurs) await migrate(connectionString);
    await connectAnd(connectionString, work);
  });
}

/**
 * @param work `isOurs`: nobody else works on the database
 * @throws Refused when there is no database yet
 */
export async function withBuiltInServer<T>(
  dataDir: string,
  work: (connectionString: string, isOurs: boolean) => Promise<T>,
): Promise<T> {
  const running = await findRunningPostgres(dataDir);
  if (running !== null) return work(running, false);
  if (!hasDatabase(dataDir))
    throw new Refused(`There is no database in ${dataDir} yet. Start Creator HQ once: npm start`);
  const server = await startEmbeddedPostgres({ dataDir, log: (line) => console.error(line) });
  try {
    return await work(server.connectionString, true);
  } finally {
    await server.stop();
  }
}

async function connectAnd(connectionString: string, work: (db: Database) => Promise<void>): Promise<void> {
  const db = connectDatabase({ connectionString, poolSizes: { app: 1, engine: 2 } });
  try {
    const pending = await pendingMigrations(db.enginePool);
    if (pending.length > 0)
      throw new Refused('The database is of another version. Start this Creator HQ once: npm start');
    await work(db);
  } finally {
    await db.close();
  }
}
