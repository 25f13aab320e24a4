/** For commands: the database of DATABASE_URL, else the built-in one in DATA_DIR, whether Creator HQ is running or not. */
import type { Config } from '#server/config.ts';
import { findRunningPostgres, hasDatabase, startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';

/** What the person at the keyboard can put right; shown without a stack. */
export class Refused extends Error {}

/** @throws Refused when there is no database yet */
export async function withBuiltInDatabase<T>(
  dataDir: string,
  work: (connectionString: string) => Promise<T>,
): Promise<T> {
  const running = await findRunningPostgres(dataDir);
  if (running !== null) return work(running);
  if (!hasDatabase(dataDir))
    throw new Refused(`There is no database in ${dataDir} yet. Start Creator HQ once: npm start`);
  const server = await startEmbeddedPostgres({ dataDir, log: (line) => console.error(line) });
  try {
    return await work(server.connectionString);
  } finally {
    await server.stop();
  }
}

export function withDatabase<T>(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  work: (connectionString: string) => Promise<T>,
): Promise<T> {
  return databaseUrl === null ? withBuiltInDatabase(dataDir, work) : work(databaseUrl);
}
