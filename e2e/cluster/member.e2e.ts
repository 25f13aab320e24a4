import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ProcessMember } from '#e2e/cluster/member.ts';

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
