/** From one installation to another: backed up while it runs, restored into an empty folder, and started over it. */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemIds } from '#server/clock.ts';
import { readConfig } from '#server/config.ts';
import { connectDatabase } from '#server/db/database.ts';
import { findRunningPostgres } from '#server/db/embedded/supervisor.ts';
import { startProgram } from '#server/program.ts';
import { CannotOpen, type EncryptionKey, loadKeys, open, seal } from '#server/secrets.ts';
import { freePort } from '#server/testing/processes.ts';

/** Programs are started, and each file of a database goes to the disk. */
const SLOW = { timeout: 480_000 };
const TOKEN = 'the token that Meta gave';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-restore-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** `npm run NAME -- ARGS` with this data folder. */
function run(name: 'backup' | 'restore' | 'rotate-keys', settings: Record<string, string>, ...args: string[]) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(
      process.execPath,
      [path.join(import.meta.dirname, `${name}.ts`), ...args],
      // Compiled once for all of them.
      { env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings } },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out: out.trim(), err: err.trim() }),
    );
  });
}

async function start(dataDir: string) {
  const port = await freePort();
  const config = readConfig({ DATA_DIR: dataDir, PORT: String(port), SIMULATORS: 'off' });
  const program = await startProgram(config, { log: pino({ level: 'silent' }), say: () => {} });
  const db = connectDatabase({ connectionString: (await findRunningPostgres(dataDir))! });
  return {
    ...program,
    db,
    stop: async () => {
      await db.close();
      await program.stop();
    },
  };
}

type Running = Awaited<ReturnType<typeof start>>;

async function addCreator({ db }: Running, keys: readonly EncryptionKey[], handle: string): Promise<string> {
  const now = new Date();
  const id = systemIds.uuid(now);
  await db.engine.insertInto('creators').values({ id, handle }).execute();
  await db.engine
    .insertInto('tokens')
    .values({
      ...{
        creator_id: id,
        id: systemIds.uuid(now),
        kind: 'INSTAGRAM_BUSINESS_USER',
        subject_id: '1',
        issued_at: now,
      },
      secret: seal(keys, TOKEN),
    })
    .execute();
  return id;
}

async function tokenOf({ db }: Running, creatorId: string): Promise<string> {
  const row = await db.engine
    .selectFrom('tokens')
    .select('secret')
    .where('creator_id', '=', creatorId)
    .executeTakeFirstOrThrow();
  return row.secret;
}

const keysOf = (dataDir: string) => loadKeys({ secretKey: null, encryptionKeys: null, dataDir }).encryptionKeys;

test(
  'a running installation is backed up, restored elsewhere and goes on there; without its keys it cannot',
  SLOW,
  async () => {
    const dataDir = path.join(folder, 'first');
    const restoredDir = path.join(folder, 'second');
    const backup = path.join(folder, 'backup');
    const apart = path.join(folder, 'keys kept apart.json');
    const other = path.join(folder, 'other keys.json');
    const running = await start(dataDir);
    let creatorId: string;
    try {
      creatorId = await addCreator(running, keysOf(dataDir), 'kept');
      const made = await run('backup', { DATA_DIR: dataDir }, backup);
      expect(made).toMatchObject({ code: 0, err: '' });
      expect(made.out).toContain('The keys are NOT in it');
      expect(await readdir(backup)).not.toContain('keys.json');
      await copyFile(path.join(dataDir, 'keys.json'), apart);
      expect(await run('backup', { DATA_DIR: dataDir }, backup)).toMatchObject({
        code: 1,
        err: expect.stringContaining('is there already'),
      });
      // After the backup; it must not be in it.
      await addCreator(running, keysOf(dataDir), 'too.late');
      expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
      expect(await run('restore', { DATA_DIR: dataDir }, backup)).toMatchObject({
        code: 1,
        err: expect.stringContaining('is not empty'),
      });
    } finally {
      await running.stop();
    }

    expect(await run('restore', { DATA_DIR: restoredDir }, backup)).toMatchObject({
      code: 1,
      err: expect.stringContaining('it holds no keys. Name your copy'),
    });
    await writeFile(other, JSON.stringify({ secretKey: 'x', encryptionKeys: [{ id: 'k1', key: 'eA==' }] }));
    expect(await run('restore', { DATA_DIR: restoredDir }, backup, other)).toMatchObject({
      code: 1,
      err: expect.stringContaining('secretKey and k1 are missing or different'),
    });
    expect(await run('restore', { DATA_DIR: restoredDir }, backup, apart)).toMatchObject({ code: 0, err: '' });
    const restored = await start(restoredDir);
    try {
      expect((await fetch(`${restored.url}/readyz`)).status).toBe(200);
      const handles = await restored.db.engine.selectFrom('creators').select('handle').execute();
      expect(handles).toEqual([{ handle: 'kept' }]);
      expect(open(keysOf(restoredDir), await tokenOf(restored, creatorId))).toBe(TOKEN);
      // It goes on: new rows are written.
      await addCreator(restored, keysOf(restoredDir), 'and.goes.on');
    } finally {
      await restored.stop();
    }

    const keysFile = path.join(restoredDir, 'keys.json');
    const keys = await readFile(keysFile, 'utf8');
    await rm(keysFile);
    const without = await start(restoredDir);
    try {
      const sealed = await tokenOf(without, creatorId);
      expect(() => open(keysOf(restoredDir), sealed)).toThrow(CannotOpen);
      await writeFile(keysFile, keys);
      expect(open(keysOf(restoredDir), sealed)).toBe(TOKEN);
    } finally {
      await without.stop();
    }
  },
);

test(
  'keys are changed while the program runs, with a restart in between, and the old key is not needed any more',
  SLOW,
  async () => {
    const dataDir = path.join(folder, 'rotated');
    const settings = { DATA_DIR: dataDir };
    let running = await start(dataDir);
    try {
      const creatorId = await addCreator(running, keysOf(dataDir), 'rotated');
      expect(await run('rotate-keys', settings, 'show')).toMatchObject({ code: 0, out: 'k1  1 sealed' });
      expect(await run('rotate-keys', settings, 'add')).toMatchObject({ code: 0, out: expect.stringContaining('k2') });
      // The process that runs would find its rows sealed with a key that it does not know.
      expect(await run('rotate-keys', settings, 'reseal')).toMatchObject({
        code: 1,
        err: expect.stringContaining('Restart it'),
      });
      expect(await run('rotate-keys', settings, 'drop')).toMatchObject({
        code: 1,
        err: expect.stringContaining('still needed'),
      });
      await running.stop();
      running = await start(dataDir);
      expect(await run('rotate-keys', settings, 'reseal')).toMatchObject({
        code: 0,
        out: expect.stringContaining('Sealed 1 with the key k2'),
      });
      expect(await run('rotate-keys', settings, 'drop')).toMatchObject({ code: 0, err: '' });
      expect(keysOf(dataDir).map(({ id }) => id)).toEqual(['k2']);
      expect(open(keysOf(dataDir), await tokenOf(running, creatorId))).toBe(TOKEN);
    } finally {
      await running.stop();
    }
  },
);

test.each([
  ['backup', []],
  ['backup', ['a', 'b']],
  ['restore', []],
  ['rotate-keys', []],
  ['rotate-keys', ['everything']],
] as const)('%s %j says how it is used', async (name, args) => {
  const answer = await run(name, { DATA_DIR: path.join(folder, 'none') }, ...args);
  expect(answer).toMatchObject({ code: 1, out: '', err: expect.stringContaining('Usage:') });
});

test('with a database of its own, the commands say what to use instead', async () => {
  const settings = {
    DATA_DIR: path.join(folder, 'none'),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    SECRET_KEY: 'a-secret-key-of-more-than-32-characters',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  };
  expect((await run('backup', settings, 'x')).err).toContain('pg_dump');
  expect((await run('restore', settings, 'x')).err).toContain('docs/operations.md');
  expect((await run('rotate-keys', settings, 'add')).err).toContain('ENCRYPTION_KEYS is set');
});

test('where nothing is yet there is nothing to back up, and no folder is made', async () => {
  const dataDir = path.join(folder, 'nothing here');
  const answer = await run('backup', { DATA_DIR: dataDir }, path.join(folder, 'of nothing'));
  expect(answer).toMatchObject({ code: 1, err: expect.stringContaining('no database') });
});
