import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { DatabaseMember, ProcessMember } from '#e2e/cluster/member.ts';

test('a program that is not installed says so, and nobody waits for its end', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'creator-hq-member-'));
  const member = new ProcessMember({
    name: 'proxy',
    what: 'nothing',
    logFile: path.join(folder, 'proxy.log'),
    command: path.join(folder, 'not-there'),
    args: [],
    env: {},
    cwd: folder,
    isReady: () => true,
    onStarted: () => {},
    onDied: () => {},
  });
  await expect(member.start()).rejects.toThrow('ENOENT');
  expect(member.pid()).toBe(null);
  await member.stop();
  await rm(folder, { recursive: true });
});

test('a program that answers late is alive, one that answers nothing is not', async () => {
  const answers = [false, true];
  const made = { name: 'a', what: 'b', logFile: '', command: '', args: [], env: {}, cwd: '', isReady: () => true };
  const member = (isAlive: () => Promise<boolean>) =>
    new ProcessMember({ ...made, isAlive, onStarted: () => {}, onDied: () => {} });
  expect(await member(async () => answers.shift()!).isAlive()).toBe(true);
  expect(answers).toEqual([]);
  expect(await member(async () => false).isAlive()).toBe(false);
});

test('PostgreSQL that was killed takes connections when its start has resolved', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'creator-hq-member-'));
  const member = new DatabaseMember(folder, {});
  await member.start();
  try {
    await member.kill();
    await member.start();
    const client = new pg.Client({ connectionString: member.connectionString });
    await client.connect();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
  } finally {
    await member.stop();
    await rm(folder, { recursive: true });
  }
});
