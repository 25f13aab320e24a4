import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { BackupRefused, backUp, restore } from './backup.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './supervisor.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const log = () => {};
/** Each file of a database goes to the disk, which others may be writing to. */
const SLOW = { timeout: 180_000 };

const KEYS = '{"secretKey":"kept","encryptionKeys":[]}';
let folder: string;
let dataDir: string;
let server: EmbeddedPostgres;
let client: pg.Client;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-backup-'));
  dataDir = path.join(folder, 'data');
  server = await startEmbeddedPostgres({ dataDir, log });
  await migrate(server.connectionString);
  await writeFile(path.join(dataDir, 'keys.json'), KEYS, { mode: 0o600 });
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  await client.query('create table written (n int primary key, filler text)');
});
afterAll(async () => {
  await client?.end();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

let target: string;
let number = 0;
beforeEach(() => {
  target = path.join(folder, `backup ${++number}`);
});
afterEach(() => rm(target, { recursive: true, force: true }));

function make() {
  return backUp({ dataDir, target, connectionString: server.connectionString, now: NOW });
}

/** Starts a database over a restored backup, asks it and ends it. */
async function readRestored<T>(work: (restored: pg.Client, restoredDir: string) => Promise<T>): Promise<T> {
  const restoredDir = path.join(folder, `restored ${number}`);
  await restore({ from: target, dataDir: restoredDir, keysFile: path.join(dataDir, 'keys.json') });
  const over = await startEmbeddedPostgres({ dataDir: restoredDir, log });
  const restored = new pg.Client({ connectionString: over.connectionString });
  try {
    await restored.connect();
    return await work(restored, restoredDir);
  } finally {
    await restored.end();
    await over.stop();
    await rm(restoredDir, { recursive: true, force: true });
  }
}

test(
  'a database that is written to all the while is whole in the copy, with everything committed before it',
  SLOW,
  async () => {
    await client.query(`insert into written select n, repeat('x', 500) from generate_series(1, 20000) n`);
    const writer = new pg.Client({ connectionString: server.connectionString });
    await writer.connect();
    let copied = false;
    const writing = (async () => {
      for (let n = 20_001; !copied; n += 2) {
        // In pairs: a copy must show both or none; and old pages are rewritten.
        await writer.query(`insert into written select n, repeat('y', 500) from generate_series(${n}, ${n + 1}) n`);
        await writer.query(`update written set filler = repeat('z', 500) where n % 1000 = ${n % 1000}`);
        if (n % 40 === 1) await writer.query('checkpoint');
      }
    })();
    const about = await make();
    copied = true;
    await writing;
    await writer.end();
    expect(about).toMatchObject({ format: 'creator-hq-backup', postgres: '18', at: NOW.toISOString() });

    await readRestored(async (restored, restoredDir) => {
      const { rows } = await restored.query(
        `select count(*)::int as all, count(*) filter (where n <= 20000)::int as before, max(n) % 2 as odd,
         count(*) filter (where length(filler) = 500)::int as whole from written`,
      );
      expect(rows[0]).toMatchObject({ before: 20_000, odd: 0, whole: rows[0].all });
      expect(rows[0].all).toBe((await restored.query('select max(n) as max from written')).rows[0].max);
      // By the index and by the table alike.
      await restored.query('set enable_seqscan = off');
      expect((await restored.query('select filler from written where n = 7')).rowCount).toBe(1);
      await restored.query('insert into written values (-1, $1)', ['goes on']);
      expect(await readFile(path.join(restoredDir, 'keys.json'), 'utf8')).toBe(KEYS);
      expect((await stat(path.join(restoredDir, 'keys.json'))).mode & 0o077).toBe(0);
    });
    // Nothing of the backup is left in the database that goes on.
    expect((await client.query('select 1 from pg_replication_slots')).rowCount).toBe(0);
    expect((await client.query('select pg_is_in_recovery() as is')).rows[0].is).toBe(false);
  },
);

test('what is there already is never written over', SLOW, async () => {
  await make();
  await expect(make()).rejects.toThrow(BackupRefused);
  await expect(restore({ from: target, dataDir })).rejects.toThrow(/is not empty/);
  expect((await client.query('select 1 from written limit 1')).rowCount).toBe(1);
});

test('a backup that broke off is not taken for one, and the next one tidies it away', async () => {
  await writeFile(path.join(folder, 'half'), '');
  await expect(restore({ from: folder, dataDir: path.join(folder, 'new') })).rejects.toThrow(/no backup of Creator HQ/);
  const unreachable = server.connectionString.replace('host=', 'host=/nowhere');
  await expect(backUp({ dataDir, target, connectionString: unreachable, now: NOW })).rejects.toThrow();
  expect(await readdir(folder)).not.toContain(path.basename(target));
  expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
});

test('a backup in which a byte has changed is refused, and the folder stays as it was', SLOW, async () => {
  await make();
  await appendFile(path.join(target, 'postgres', 'PG_VERSION'), ' ');
  const restoredDir = path.join(folder, 'damaged');
  const keysFile = path.join(dataDir, 'keys.json');
  await expect(restore({ from: target, dataDir: restoredDir, keysFile })).rejects.toThrow(/changed or damaged/);
  expect(await readdir(folder)).not.toContain('damaged');
});
