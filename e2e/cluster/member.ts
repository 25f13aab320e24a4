/** One process of a cluster: started with its log in a file, ended in every way a test can think of, started again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isPassing } from '#server/db/away.ts';
import { readPostmasterFile } from '#server/db/embedded/postmaster-file.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';

export type Member = {
  readonly name: string;
  /** Its kind, in words. */
  readonly what: string;
  readonly logFile: string;
  /** Null while it does not run. */
  pid(): number | null;
  /** Resolves when it does its work. @throws when it ends before that, with the end of its log */
  start(): Promise<void>;
  /** Asks it to end (SIGTERM) and waits until it has. */
  stop(): Promise<void>;
  /**
   * Ends it without asking (SIGKILL). PostgreSQL is started again by its supervisor, and `start` waits for it; the others
   * stay away until `start`.
   */
  kill(): Promise<void>;
  /** Freezes it (SIGSTOP): its connections stay open and nobody answers. */
  freeze(): void;
  /** Lets it go on (SIGCONT). */
  thaw(): void;
  /** False where it runs and answers nothing, not even that it cannot work: what an orchestrator ends and starts again. */
  isAlive(): Promise<boolean>;
};

const READY_WITHIN_MS = 120_000;
/** An orderly end waits for calls to Meta and for the disk. */
export const STOPPED_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 50;
const ALIVE_TRIES = 3;
/** A frozen PostgreSQL takes connections and says nothing. */
const ANSWERED_WITHIN_MS = 2_000;

export type MemberProgram = {
  name: string;
  what: string;
  logFile: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** Does it do its work? Asked again and again with the lines of its log since this start. */
  isReady: (lines: string[]) => boolean | Promise<boolean>;
  /** Does it answer anything? Without, it always does. */
  isAlive?: () => Promise<boolean>;
  /** Told of every start, and of an end that nobody here asked for. */
  onStarted: (pid: number) => void;
  onDied: () => void;
};

export class ProcessMember implements Member {
  readonly name: string;
  readonly what: string;
  readonly logFile: string;
  private readonly program: MemberProgram;
  private child: ChildProcess | null = null;
  private asked = false;
  /** Its output from its last start until it was ready. */
  said: string[] = [];

  constructor(program: MemberProgram) {
    this.program = program;
    this.name = program.name;
    this.what = program.what;
    this.logFile = program.logFile;
  }

  pid(): number | null {
    return this.child?.pid ?? null;
  }

  async start(): Promise<void> {
    if (this.child !== null) return;
    const { command, args, cwd, env, logFile, onStarted, onDied } = this.program;
    // A file, not a pipe: what outlives a killed starter must not die of a pipe nobody reads.
    const output = openSync(logFile, 'a', 0o600);
    const from = fstatSync(output).size;
    // A group of its own: Ctrl+C in the terminal goes to the starter, which ends everything in order.
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', output, output] });
    closeSync(output);
    this.asked = false;
    this.child = child;
    const spawned = new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        // One that never began never exits either.
        if (child.pid === undefined) this.child = null;
        reject(error);
      });
    });
    child.once('exit', () => {
      if (this.child === child) this.child = null;
      if (!this.asked) onDied();
    });
    await spawned;
    onStarted(child.pid!);
    await this.untilReady(from);
  }

  private async untilReady(from: number): Promise<void> {
    for (const giveUpAt = Date.now() + READY_WITHIN_MS; ; await pause(LOOK_EVERY_MS)) {
      const lines = readFrom(this.logFile, from).split('\n').slice(0, -1);
      this.said = lines;
      if (await this.program.isReady(lines)) return;
      const over = this.child === null ? 'ended' : Date.now() > giveUpAt ? 'was not ready in time' : null;
      if (over !== null) {
        this.asked = true;
        throw new Error(`${this.name} ${over}. The end of ${this.logFile}:\n${lines.slice(-40).join('\n')}`);
      }
    }
  }

  async stop(): Promise<void> {
    const late = setTimeout(() => this.child?.kill('SIGKILL'), STOPPED_WITHIN_MS);
    await this.end('SIGTERM');
    clearTimeout(late);
  }

  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  private end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === null) return Promise.resolve();
    this.asked = true;
    return new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill(signal);
      // One that is frozen hears nothing but SIGKILL.
      if (signal === 'SIGTERM') child.kill('SIGCONT');
    });
  }

  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  async isAlive(): Promise<boolean> {
    for (let attempt = 1; attempt <= ALIVE_TRIES; attempt++) {
      if (this.program.isAlive === undefined || (await this.program.isAlive())) return true;
    }
    return false;
  }
}

/** PostgreSQL, with its supervisor in this process. */
export class DatabaseMember implements Member {
  readonly name = 'postgres';
  readonly what = 'PostgreSQL';
  readonly logFile: string;
  private readonly dataDir: string;
  private readonly settings: Record<string, string>;
  private server: EmbeddedPostgres | null = null;

  constructor(dataDir: string, settings: Record<string, string>) {
    this.dataDir = dataDir;
    this.settings = settings;
    this.logFile = `${dataDir}/postgres.log`;
  }

  get connectionString(): string {
    if (this.server === null) throw new Error('PostgreSQL is not running.');
    return this.server.connectionString;
  }

  pid(): number | null {
    return this.server?.pid() ?? null;
  }

  async start(): Promise<void> {
    if (this.server === null) {
      this.server = await startEmbeddedPostgres({ dataDir: this.dataDir, settings: this.settings, log: () => {} });
    } else {
      await untilAnswers(this.server.connectionString);
    }
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    this.thaw();
    this.server = null;
    await server.stop();
  }

  async kill(): Promise<void> {
    // One just killed has another id already, or is on its way up: ask the file, not our memory.
    const found = await readPostmasterFile(`${this.dataDir}/postgres`);
    if (found !== undefined && existsSync(`/proc/${found.pid}`)) process.kill(found.pid, 'SIGKILL');
  }

  freeze(): void {
    this.signalAll('SIGSTOP');
  }

  thaw(): void {
    this.signalAll('SIGCONT');
  }

  /** Its supervisor looks after it. */
  isAlive(): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** The server and the processes it made, one for each connection. Linux only. */
  private signalAll(signal: NodeJS.Signals): void {
    const pid = this.pid();
    if (pid === null || !existsSync(`/proc/${pid}`)) return;
    process.kill(pid, signal);
    const made = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    for (const child of made) {
      try {
        process.kill(Number(child), signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }
}

/** Killed, it is started again by its supervisor, and reads its log before it takes anybody in. */
async function untilAnswers(connectionString: string): Promise<void> {
  for (const giveUpAt = Date.now() + READY_WITHIN_MS; ; await pause(LOOK_EVERY_MS)) {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: ANSWERED_WITHIN_MS,
      query_timeout: ANSWERED_WITHIN_MS,
    });
    // Killed once more while we are connected.
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch (error) {
      if (!isPassing(error) || Date.now() > giveUpAt) throw error;
    } finally {
      await client.end().catch(() => {});
    }
  }
}

function readFrom(file: string, from: number): string {
  const handle = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(Math.max(0, fstatSync(handle).size - from));
    return buffer.toString('utf8', 0, readSync(handle, buffer, 0, buffer.length, from));
  } finally {
    closeSync(handle);
  }
}
