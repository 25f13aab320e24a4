/**
 * `npm run rotate-keys -- add | reseal | drop | show`: a new encryption key in place of the old. Three steps with a restart after
 * the first, because every process must know a key before anything is sealed with it. docs/operations.md tells the whole way.
 */
import { ConfigError, readConfig } from '#server/config.ts';
import { EmbeddedPostgresError } from '#server/db/embedded/binaries.ts';
import { MigrationError } from '#server/db/migrate.ts';
import { findReports } from '#server/observability/reports.ts';
import { countByKey, rotateKeys } from '#server/platforms/key-rotation.ts';
import { addKeptKey, dropKeptKeys, loadKeys } from '#server/secrets.ts';
import { loadDotEnv } from './dot-env.ts';
import { Refused, withDatabase } from './with-database.ts';

const USAGE = `Usage:
  npm run rotate-keys -- show     which keys there are, and how much each has sealed
  npm run rotate-keys -- add      1. makes a new key in DATA_DIR; then restart Creator HQ
  npm run rotate-keys -- reseal   2. seals everything with the new key
  npm run rotate-keys -- drop     3. throws the old keys away; then restart Creator HQ`;

/** Longer than the processes' reports are apart. */
const ALIVE_FOR_MS = 60_000;

try {
  loadDotEnv();
  const [command, ...rest] = process.argv.slice(2);
  const commands = { show, add, reseal, drop };
  if (command === undefined || rest.length > 0 || !(command in commands)) throw new Refused(USAGE);
  await commands[command as keyof typeof commands]();
} catch (error) {
  console.error(isForPeople(error) ? error.message : error);
  process.exitCode = 1;
}

async function show(): Promise<void> {
  const { encryptionKeys } = loadKeys(readConfig());
  await withDatabase(readConfig(), async (db) => {
    const counts = await countByKey(db.enginePool);
    for (const { id } of encryptionKeys) console.log(`${id}  ${counts.get(id) ?? 0} sealed`);
    for (const [id, count] of counts) {
      if (!encryptionKeys.some((key) => key.id === id)) console.log(`${id}  ${count} sealed, and the key is missing`);
    }
  });
}

async function add(): Promise<void> {
  const config = readConfig();
  if (config.encryptionKeys !== null) {
    throw new Refused(
      `ENCRYPTION_KEYS is set, so the keys are yours to change. Put a new one at the front and restart every process:
  echo "k2:$(openssl rand -base64 32)"
Then: npm run rotate-keys -- reseal`,
    );
  }
  loadKeys(config);
  const id = addKeptKey(config.dataDir);
  console.log(
    `Made the key ${id} in ${config.dataDir}/keys.json. Restart Creator HQ, then: npm run rotate-keys -- reseal`,
  );
}

async function reseal(): Promise<void> {
  const { encryptionKeys } = loadKeys(readConfig());
  const newest = encryptionKeys[0]!.id;
  await withDatabase(readConfig(), async (db) => {
    const now = new Date();
    const others = (await findReports(db, now)).filter(
      ({ seenAt, report }) => now.getTime() - seenAt.getTime() < ALIVE_FOR_MS && report.keyIds[0] !== newest,
    );
    if (others.length > 0) {
      const names = [...new Set(others.map(({ report }) => report.host))].join(', ');
      throw new Refused(`A process on ${names} does not seal with the key ${newest} yet. Restart it, then try again.`);
    }
    const { resealed, unreadable } = await rotateKeys(db.enginePool, encryptionKeys);
    console.log(`Sealed ${resealed} with the key ${newest}.`);
    if (unreadable > 0) {
      console.log(`${unreadable} cannot be opened with the keys there are; those accounts must be connected again.`);
    }
    console.log('When all went well: npm run rotate-keys -- drop');
  });
}

async function drop(): Promise<void> {
  const config = readConfig();
  const { encryptionKeys } = loadKeys(config);
  const [newest, ...older] = encryptionKeys.map(({ id }) => id);
  await withDatabase(readConfig(), async (db) => {
    const counts = await countByKey(db.enginePool);
    const used = older.filter((id) => counts.has(id));
    if (used.length > 0) {
      throw new Refused(`The key ${used.join(', ')} is still needed. First: npm run rotate-keys -- reseal`);
    }
  });
  if (config.encryptionKeys !== null) {
    console.log(`Nothing needs more than the key ${newest}. Take the others out of ENCRYPTION_KEYS and restart.`);
    return;
  }
  dropKeptKeys(config.dataDir);
  console.log(
    `Only the key ${newest} is left. Backups made before need the old ones, which are in them. Restart Creator HQ.`,
  );
}

function isForPeople(error: unknown): error is Error {
  return (
    error instanceof Error &&
    [Refused, ConfigError, EmbeddedPostgresError, MigrationError].some((kind) => error instanceof kind)
  );
}
