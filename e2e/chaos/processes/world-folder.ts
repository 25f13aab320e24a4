/** Whatever ends this process: no world stays behind, neither its processes nor its disk nor its folder. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folders = new Set<string>();
/** Who supervises a process that is ended starts it once more, until it is ended itself. */
const ROUNDS = 50;
const ROUND_MS = 20;

/** In their command line a person who looks at a world may have its folder as well. */
const PROGRAMS = new Set(['node', 'postgres', 'nats-server', 'haproxy']);

/** A new folder; every process of its world must have it in its command line or in its environment. */
export function makeWorldFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'creator-hq-chaos-'));
  if (folders.size === 0) process.on('exit', removeAll);
  folders.add(folder);
  return folder;
}

/** Ends what still runs there, without asking. */
export function removeWorldFolder(folder: string): void {
  for (let round = 0; round < ROUNDS && endProcesses(folder) > 0; round++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ROUND_MS);
  }
  for (const mount of mountsIn(folder)) spawnSync('umount', ['--lazy', mount]);
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
  if (folders.size === 0) process.off('exit', removeAll);
}

function removeAll(): void {
  for (const folder of folders) removeWorldFolder(folder);
}

/** Linux only; elsewhere those that ended in order are gone, and others stay. */
function endProcesses(folder: string): number {
  let ended = 0;
  for (const pid of found(() => readdirSync('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [words = '', environment = ''] = ['cmdline', 'environ'].map(
      (file) => found(() => [readFileSync(`/proc/${pid}/${file}`, 'utf8')])[0],
    );
    const isOurs = environment.includes(folder) || words.includes(folder);
    if (Number(pid) === process.pid || !isOurs || !PROGRAMS.has(path.basename(words.split('\0')[0]!))) continue;
    try {
      process.kill(Number(pid), 'SIGKILL');
      ended++;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  return ended;
}

function mountsIn(folder: string): string[] {
  return found(() => readFileSync('/proc/mounts', 'utf8').split('\n'))
    .map((line) => line.split(' ')[1] ?? '')
    .filter((mount) => mount.startsWith(`${folder}/`));
}

/** None where there is no such file, or not any more. */
function found(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}
