/**
 * Writes server/db/schema.sql, server/db/types.ts and the table of docs/privacy.md from the migrations: `node scripts/schema.ts`.
 * With --check it changes nothing and fails when the committed files differ.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate } from '#server/db/migrate.ts';
import { dumpSchema, type SchemaDump } from '#server/db/schema-dump.ts';

const root = path.join(import.meta.dirname, '..');
const dump = await dumpFromMigrations();
await write('server/db/schema.sql', () => dump.sql);
await write('server/db/types.ts', () => dump.types);
await write('docs/privacy.md', (text) => tellOfTables(text, dump.comments));

async function write(name: string, make: (committed: string) => string): Promise<void> {
  const file = path.join(root, name);
  const committed = (await readFile(file, 'utf8').catch(() => '')).replaceAll('\r\n', '\n');
  const made = make(committed);
  if (committed === made) return;
  if (process.argv.includes('--check')) {
    console.error(`${name} does not match the migrations. Run: node scripts/schema.ts`);
    process.exitCode = 1;
  } else {
    await writeFile(file, made);
    console.log(`Wrote ${name}`);
  }
}

/** The rows are the comments of tables that name somebody, `what | who is named | how long it is kept`; a row of a table without one stays. */
function tellOfTables(text: string, comments: SchemaDump['comments']): string {
  const lines = text.split('\n');
  const isRow = (line: string) => /^\| `[a-z_]+` /.test(line);
  const from = lines.findIndex(isRow) - 2;
  const to = lines.findLastIndex(isRow) + 1;
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [head, , ...known] = lines.slice(from, to).map(cellsOf);
  const kept = known.filter(([table]) => !comments.has(table!.slice(1, -1)));
  const told = [...comments]
    .map(([table, comment]) => cellsOf(`|\`${table}\`|${comment}|`))
    .filter(([, , names]) => names !== 'nobody');
  const rows = [head!, ...[...kept, ...told].sort(([one], [other]) => (one! < other! ? -1 : 1))];
  const widths = head!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const [first, ...rest] = rows.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`);
  const line = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [...lines.slice(0, from), first, line, ...rest, ...lines.slice(to)].join('\n');
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
