import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDataDir } from '#server/data-dir.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'creator-hq-data-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

async function openFolder(file?: string): Promise<string> {
  const dataDir = path.join(folder, 'data');
  await mkdir(dataDir);
  await chmod(dataDir, 0o755);
  if (file !== undefined) await writeFile(path.join(dataDir, file), '');
  return dataDir;
}

test('is closed to others from the beginning, with the folders made on the way', async () => {
  await makeDataDir(path.join(folder, 'a', 'data'));
  expect(await modeOf(path.join(folder, 'a', 'data'))).toBe(0o700);
  expect(await modeOf(path.join(folder, 'a'))).toBe(0o700);
});

test.each([undefined, 'keys.json'])('is closed when it was there with %s in it', async (file) => {
  const dataDir = await openFolder(file);
  await makeDataDir(dataDir);
  expect(await modeOf(dataDir)).toBe(0o700);
});

test('is left alone when it is a folder of others', async () => {
  const dataDir = await openFolder('holiday.jpg');
  await makeDataDir(dataDir);
  expect(await modeOf(dataDir)).toBe(0o755);
});
