/** The message when DATABASE_URL does not answer. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { DatabaseRefused, migrateWhenThere } from '#server/db/wait-for-database.ts';
import { beginScript, freePort } from '#server/testing/processes.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'creator-hq-arriving-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

function start(databaseUrl: string) {
  const lines: string[] = [];
  const settings = {
    // Vite's own is a path.
    BASE_URL: 'http://localhost:3000',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: 'a secret key that is long enough for anybody',
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    SIMULATORS: 'off',
  };
  const program = beginScript('server/main.ts', [], settings, (line) => {
    lines.push(line);
    return line.includes('Waiting');
  });
  return { program, lines };
}

test('the host and the reason are said, and SIGTERM meanwhile ends in a sentence', async () => {
  const address = `127.0.0.1:${await freePort()}`;
  const { program, lines } = start(`postgres://hq:secret@${address}/hq`);
  await program.ready;
  await program.stop();
  expect(lines).toEqual([
    `The database at ${address} cannot be reached: nothing listens there. Waiting for it…`,
    `Stopped while waiting for the database at ${address}.`,
  ]);
  expect(program.errors()).toBe('');
});

test('SIGTERM ends it at once while a host takes the connection and says nothing', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const { program, lines } = start(`postgres://hq:secret@${address}/hq`);
  try {
    const [socket] = await once(silent, 'connection');
    socket.on('error', () => {});
    await program.stop();
    expect(lines.at(-1)).toBe(`Stopped while waiting for the database at ${address}.`);
    expect(program.errors()).toBe('');
  } finally {
    silent.close();
  }
});

test('a database that refuses us is named with what it said', async () => {
  const connectionString = inject('testServerUrl').replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, '$1absent');
  const log = pino({ level: 'silent' });
  const arriving = migrateWhenThere({ connectionString, clock: systemClock, log, say: () => {} });
  await expect(arriving).rejects.toThrow(DatabaseRefused);
  await expect(arriving).rejects.toThrow(/^The database at .+ cannot be used: database "absent" does not exist\.$/);
});
