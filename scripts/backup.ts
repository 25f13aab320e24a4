/** `npm run backup -- FOLDER`: copies DATA_DIR with the built-in database and without the keys, while Creator HQ runs or not. */
import { ConfigError, readConfig } from '#server/config.ts';
import { BackupRefused, backUp } from '#server/db/embedded/backup.ts';
import { EmbeddedPostgresError } from '#server/db/embedded/binaries.ts';
import { loadDotEnv } from './dot-env.ts';
import { Refused, withBuiltInServer } from './with-database.ts';

const USAGE = `Usage:
  npm run backup -- FOLDER   makes FOLDER, a copy of everything in DATA_DIR but its keys`;

/** With a database of one's own its own tools do it better. */
const OWN_DATABASE = `DATABASE_URL is set: back that database up with its own tools, for example
  pg_dump --format=custom --file=creator-hq.dump "$DATABASE_URL"
and keep SECRET_KEY and ENCRYPTION_KEYS, in another place than the dump. docs/operations.md says how to restore it.`;

try {
  loadDotEnv();
  const [target, ...rest] = process.argv.slice(2);
  if (target === undefined || rest.length > 0) throw new Refused(USAGE);
  const { databaseUrl, dataDir, encryptionKeys, secretKey } = readConfig();
  if (databaseUrl !== null) throw new Refused(OWN_DATABASE);
  const { files, bytes } = await withBuiltInServer(dataDir, (connectionString) =>
    backUp({ dataDir, target, connectionString, now: new Date() }),
  );
  console.log(`Backed up ${dataDir} to ${target}: ${files} files, ${Math.ceil(bytes / 1024 ** 2)} MB.`);
  const inSettings = encryptionKeys !== null && secretKey !== null;
  const keys = inSettings ? 'SECRET_KEY and ENCRYPTION_KEYS of your settings' : `${dataDir}/keys.json`;
  console.log(
    `The keys are NOT in it. Keep a copy of ${keys} in another place: without it the backup opens no account.`,
  );
} catch (error) {
  console.error(isForPeople(error) ? error.message : error);
  process.exitCode = 1;
}

function isForPeople(error: unknown): error is Error {
  return (
    error instanceof Error &&
    [Refused, BackupRefused, ConfigError, EmbeddedPostgresError].some((kind) => error instanceof kind)
  );
}
