/** The project's programs as processes of their own, for crash tests, journeys and benchmarks: started, waited for, ended by their id. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

export type Started = {
  pid: number;
  firstLine: string;
  /** Its standard error so far, the last MB of it. */
  errors(): string;
  /** Resolves when it has ended, whoever ended it. */
  ended: Promise<void>;
  /** Asks it to end (SIGTERM) and waits until it has. */
  stop(): Promise<void>;
  /** Ends it without asking (SIGKILL). */
  kill(): Promise<void>;
};

export type Starting = Omit<Started, 'firstLine'> & { ready: Promise<Started> };

/**
 * Runs a script of this project with the same Node and waits for its first line on standard output that `isReady`.
 *
 * @throws when it ends before that, with what it wrote
 */
export function startScript(
  script: string,
  args: string[],
  env: Record<string, string>,
  isReady: (line: string) => boolean,
): Promise<Started> {
  return beginScript(script, args, env, isReady).ready;
}

/** Like `startScript`, for those who may want to end it before it is ready: `ready` then rejects. */
export function beginScript(
  script: string,
  args: string[],
  env: Record<string, string>,
  isReady: (line: string) => boolean,
): Starting {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-1_000_000);
  });
  const handle = {
    pid: child.pid!,
    errors: () => errors,
    ended: new Promise<void>((resolve) => child.once('exit', () => resolve())),
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
  const ready = new Promise<Started>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (isReady(line)) resolve({ ...handle, firstLine: line });
    });
    child.once('exit', (code, signal) =>
      reject(new Error(`${script} ended with ${signal ?? code}: ${errors.slice(-4000)}`)),
    );
  });
  // A caller that ends it early need not listen.
  ready.catch(() => {});
  return { ...handle, ready };
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

/**
 * Below those that systems hand out to connections on their way out (Linux from 32768): nobody takes it by chance. Above
 * those that browsers refuse (the last is 10080, see "bad port" in the Fetch standard).
 */
const FREE_PORTS = { first: 11_000, count: 21_000 };

/** A TCP port of 127.0.0.1 that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FREE_PORTS.first + randomInt(FREE_PORTS.count);
    if (await canListen(port)) return port;
  }
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (free) await new Promise((resolve) => server.close(resolve));
  return free;
}

/** Resident memory in MB. */
export function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/**
 * Runs a line of shell when this process has ended, also when it was killed: its end of a pipe closes then.
 *
 * @param args `$1` and so on of the line
 * @returns calls it off
 */
export function whenWeAreGone(line: string, ...args: string[]): () => void {
  const watcher = spawn('sh', ['-c', `cat >/dev/null; ${line}`, 'sh', ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  (watcher.stdin as unknown as { unref(): void }).unref();
  return () => void process.kill(-watcher.pid!, 'SIGKILL');
}
