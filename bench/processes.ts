/** The processes of a benchmark: started, waited for, ended by their id. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export type Started = { pid: number; firstLine: string; stop(): Promise<void>; kill(): Promise<void> };

/**
 * Runs a script of this project with the same Node and waits for its first line on standard output that `isReady`.
 *
 * @throws when it ends before that, with what it wrote
 */
export async function startScript(
  script: string,
  args: string[],
  env: Record<string, string>,
  isReady: (line: string) => boolean,
): Promise<Started> {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors = (errors + chunk).slice(-4000);
  });
  const firstLine = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => isReady(line) && resolve(line));
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}: ${errors}`)));
  });
  return {
    pid: child.pid!,
    firstLine,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

/** Resident memory in MB. */
export function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
