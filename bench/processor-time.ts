/** Processor time as Linux accounts for it. */
import { readFileSync } from 'node:fs';

/** Linux tells it in hundredths of a second, whatever its kernel was built with. */
const TICK_MS = 10;

/**
 * Processor time used so far by a process and all that it started, in ms; also of those of its children that have ended.
 *
 * @throws where there is no /proc, or no such process
 */
export function processorTimeOf(pid: number): number {
  const own = timesOf(pid);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + livingTimeOf(Number(child)), own);
}

function livingTimeOf(pid: number): number {
  try {
    return processorTimeOf(pid);
  } catch (error) {
    // It ended between the two looks; its parent accounts for it from now on.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0;
    throw error;
  }
}

/** Its own time and that of ended children. */
function timesOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in parentheses, may hold anything; utime, stime, cutime and cstime are the 12th to 15th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
}

/**
 * Time the machine's host has given to other machines so far, in ms of one processor: `steal` of proc_stat(5). Always 0 on a
 * machine of its own.
 */
export function stolenTime(): number {
  const [all] = readFileSync('/proc/stat', 'utf8').split('\n');
  return Number(all!.trim().split(/\s+/)[8]) * TICK_MS;
}
