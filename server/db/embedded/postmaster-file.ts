import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { link, readFile, readlink, rename, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * `postmaster.pid`, PostgreSQL's lock file in the data folder. Lines: process id, data folder, start time, port, socket
 * folder, listen address, shared memory key, state
 * (https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/utils/pidfile.h).
 */
export type Postmaster = { pid: number; state: 'starting' | 'stopping' | 'ready' | 'standby' | '' };

/** No process has this id on Linux (limit 4194304) or macOS (limit 99999). */
const IMPOSSIBLE_PID = '99999999';

export async function readPostmasterFile(clusterDir: string): Promise<Postmaster | undefined> {
  const text = await readFile(path.join(clusterDir, 'postmaster.pid'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  return { pid: Number(lines[0]), state: (lines[7] ?? '').trim() as Postmaster['state'] };
}

/** Command line of a running process; empty for one that has ended, waits to be collected, or may not be looked at. */
export async function commandLine(pid: number): Promise<string[]> {
  if (!Number.isInteger(pid) || pid <= 0) return [];
  if (process.platform === 'linux') {
    const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return raw.split('\0').slice(0, -1);
  }
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.trim() === '' ? [] : stdout.trim().split(' ');
}

/** Is the process a PostgreSQL server on this data folder? A process id alone proves nothing: ids are given out again. */
export async function servesCluster(pid: number, clusterDir: string): Promise<boolean> {
  const words = await commandLine(pid);
  return (words[0] ?? '').includes('postgres') && words.join(' ').includes(`-D ${clusterDir}`);
}

/** Has the program file of a running process been replaced or removed (`npm ci` while the database outlived its parent)? */
export async function runsRemovedProgram(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  return (await readlink(`/proc/${pid}/exe`).catch(() => '')).endsWith(' (deleted)');
}

/**
 * Makes a left-over lock file harmless when its process id now belongs to another program (usual in containers, where ids
 * start at 1 every time). The file is not deleted: PostgreSQL still reads from it whether processes of the old server
 * hold its shared memory, and refuses to start beside them. Only the misleading id is replaced.
 */
export async function disarmStaleLock(clusterDir: string, stalePid: number): Promise<void> {
  const file = path.join(clusterDir, 'postmaster.pid');
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
    const [pid, ...rest] = (await readFile(aside, 'utf8')).split('\n');
    // Another program may have put a fresh file in place between our look and the rename: then it goes back untouched.
    if (Number(pid) === stalePid) await writeFile(aside, [IMPOSSIBLE_PID, ...rest].join('\n'));
    await link(aside, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
  } finally {
    await unlink(aside).catch(() => {});
  }
}
