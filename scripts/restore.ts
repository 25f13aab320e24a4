/** `npm run restore -- FOLDER KEYS`: puts a backup and its keys into DATA_DIR, which must be empty; then `npm start`. */
import { ConfigError, readConfig } from '#server/config.ts';
import { BackupRefused, restore } from '#server/db/embedded/backup.ts';
import { NO_MAIL_FILE } from '#server/features/contacts/no-mail/file.ts';
import { loadDotEnv } from './dot-env.ts';
import { Refused } from './with-database.ts';

const USAGE = `Usage:
  npm run restore -- FOLDER KEYS   puts the backup in FOLDER into DATA_DIR, which must be empty;
                                   KEYS is your copy of keys.json, not needed where all keys come from settings`;

try {
  loadDotEnv();
  const [from, keysFile, ...rest] = process.argv.slice(2);
  if (from === undefined || rest.length > 0) throw new Refused(USAGE);
  const { databaseUrl, dataDir } = readConfig();
  if (databaseUrl !== null) {
    throw new Refused(
      'DATABASE_URL is set. Backups are of the built-in database: docs/operations.md says how to go on.',
    );
  }
  const { at } = await restore({ from, dataDir, keysFile });
  console.log(`Restored the backup of ${at} into ${dataDir}.`);
  console.log(
    `Copy the newest ${NO_MAIL_FILE} of the old DATA_DIR into it, else newsletters wait: it says who unsubscribed since. Then start it: npm start`,
  );
} catch (error) {
  console.error(isForPeople(error) ? error.message : error);
  process.exitCode = 1;
}

function isForPeople(error: unknown): error is Error {
  return error instanceof Error && [Refused, BackupRefused, ConfigError].some((kind) => error instanceof kind);
}
