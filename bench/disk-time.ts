/** How long the disk takes for a write, as Linux accounts for it: beside a slow acknowledgement it says whose delay that was. */
import { readFileSync, statSync } from 'node:fs';

const LOOK_EVERY_MS = 100;

type Written = { count: number; ms: number };

/**
 * Watches the disk under a folder until it is asked. A tenth of a second is as fine as it looks.
 *
 * @returns ends it; the mean of one write or flush in the slowest tenth of a second, in ms; null where no disk is to be seen
 */
export function watchDisk(folder: string): () => number | null {
  const device = deviceUnder(folder);
  let before = writtenTo(device);
  if (before === null) return () => null;
  let slowestMs = 0;
  const look = () => {
    const now = writtenTo(device)!;
    if (now.count > before!.count) slowestMs = Math.max(slowestMs, (now.ms - before!.ms) / (now.count - before!.count));
    before = now;
  };
  const looking = setInterval(look, LOOK_EVERY_MS);
  return () => {
    clearInterval(looking);
    look();
    return slowestMs;
  };
}

/** As `major minor`, packed in `st_dev` by glibc's makedev(3). */
function deviceUnder(folder: string): string {
  const { dev } = statSync(folder);
  return `${(dev >> 8) & 0xfff} ${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`;
}

/** Writes and flushes so far: fields 8, 11, 19 and 20 of proc_diskstats(5). */
function writtenTo(device: string): Written | null {
  for (const line of readFileSync('/proc/diskstats', 'utf8').split('\n')) {
    const fields = line.trim().split(/\s+/);
    if (`${fields[0]} ${fields[1]}` !== device) continue;
    const [writes, writeMs, flushes, flushMs] = [7, 10, 18, 19].map((index) => Number(fields[index] ?? 0));
    return { count: writes! + flushes!, ms: writeMs! + flushMs! };
  }
  return null;
}
