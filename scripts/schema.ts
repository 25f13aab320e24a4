/**
 * Writes server/db/schema.sql and server/db/types.ts from the migrations: `node scripts/schema.ts`.
 * With --check it changes nothing and fails when the committed files differ.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate } from '#server/db/migrate.ts';
import { dumpSchema, type SchemaDump } from '#server/db/schema-dump.ts';

const dbFolder = path.join(import.meta.dirname, '../server/db');
const files: Record<keyof SchemaDump, string> = {
  sql: path.join(dbFolder, 'schema.sql'),
  types: path.join(dbFolder, 'types.ts'),
};

const dump = await dumpFromMigrations();
for (const kind of ['sql', 'types'] as const) {
  const committed = await readFile(files[kind], 'utf8').catch(() => '');
  if (committed.replaceAll('\r\n', '\n') === dump[kind]) continue;
  const name = path.relative(process.cwd(), files[kind]);
  if (process.argv.includes('--check')) {
    console.error(`${name} does not match the migrations. Run: node scripts/schema.ts`);
    process.exitCode = 1;
  } else {
    await writeFile(files[kind], dump[kind]);
    console.log(`Wrote ${name}`);
  }
}

async function dumpFromMigrations(): Promise<SchemaDump> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-schema-'));
  const server = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: { fsync: 'off' } });
  try {
    await migrate(server.connectionString);
    const client = new pg.Client({ connectionString: server.connectionString });
    await client.connect();
    try {
      return await dumpSchema(client);
    } finally {
      await client.end();
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
