/** The world that schedules break: the real program with its database beside a simulator, or a whole cluster; each thing by its name. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { Line } from '#e2e/chaos/processes/line.ts';
import { CLOCK_FILE_SETTING, MovingClock } from '#e2e/chaos/processes/moving-clock.ts';
import type { Setting } from '#e2e/chaos/processes/schedule.ts';
import { makeSmallDisk, type SmallDisk } from '#e2e/chaos/processes/small-disk.ts';
import { makeWorldFolder, removeWorldFolder } from '#e2e/chaos/processes/world-folder.ts';
import { startCluster } from '#e2e/cluster/cluster.ts';
import { DatabaseMember, type Member, ProcessMember } from '#e2e/cluster/member.ts';
import { migrate } from '#server/db/migrate.ts';
import { freePort, startScript } from '#server/testing/processes.ts';
import { MetaSimulatorControl } from '#simulators/meta/control-client.ts';

/** Meta's and ours alike; small, so that a busy schedule meets it. */
export const REPLIES_PER_HOUR = 25;

const LOG_LINES = 60;

/** PostgreSQL refuses connections while it reads its log after a kill. */
const ANSWERS_WITHIN_MS = 90_000;
const root = path.join(import.meta.dirname, '../../..');
const SCRIPT = path.join(root, 'e2e/chaos/processes/program.ts');

/** A member that runs the product, and where it can be asked; `url` is null for a worker. */
export type Server = Member & { url: string | null; metricsUrl: string };

export type ProcessWorld = {
  setting: Setting;
  folder: string;
  control: MetaSimulatorControl;
  members: ReadonlyMap<string, Member>;
  /** Those of the members that run the product. */
  servers: Server[];
  /** Where people and Meta go. */
  baseUrl: string;
  lines: ReadonlyMap<string, Line>;
  clock: MovingClock;
  /** Null where nobody may make one. */
  disk: SmallDisk | null;
  encryptionKey: { id: string; key: Buffer };
  /** Signs the cookies of those who are logged in. */
  secretKey: string;
  /** Straight to the database, again and again until it answers. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Members, or this one, that ended although nobody ended them, with what they said; told once. */
  takeDeaths(name?: string): string[];
  isClosed(): boolean;
  close(): Promise<void>;
};

const SETTINGS = {
  LOG_LEVEL: 'warn',
  PRIVATE_REPLIES_PER_HOUR: String(REPLIES_PER_HOUR),
  PUBLIC_REPLIES_PER_HOUR: String(REPLIES_PER_HOUR),
  // glibc keeps what a process frees in small parts, up to 200 MB after a crowd of sockets: that is no growth. Of these sizes
  // it gives them back at once (mallopt(3)).
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

export function startProcessWorld(setting: Setting): Promise<ProcessWorld> {
  return setting === 'cluster' ? startClusterWorld() : startOneMachine(setting);
}

async function startOneMachine(setting: 'embedded' | 'own-database'): Promise<ProcessWorld> {
  await using cleanUp = new AsyncDisposableStack();
  const { dir, dataDir, disk, clock, clockFile } = await makeFolders(cleanUp);

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const simulator = await startScript(
    'simulators/meta/main.ts',
    ['--webhook-url', `${url}/webhooks/meta`],
    { [CLOCK_FILE_SETTING]: clockFile },
    (line) => line.startsWith('{'),
  );
  cleanUp.defer(() => simulator.stop());
  const told = JSON.parse(simulator.firstLine) as { url: string; environment: Record<string, string> };
  const meta = await openLine(cleanUp, portOf(told.url));
  const environment = Object.fromEntries(
    Object.entries(told.environment).map(([name, value]) => [
      name,
      value.replace(told.url, `http://127.0.0.1:${meta.port}`),
    ]),
  );
  const lines = new Map([['meta', meta]]);

  const database = new DatabaseMember(dataDir, {});
  await database.start();
  const { connectionString } = database;
  await migrate(connectionString);
  const key = randomBytes(32);
  const secretKey = randomBytes(32).toString('hex');
  const metricsPort = await freePort();
  const settings: Record<string, string> = {
    ...environment,
    ...SETTINGS,
    [CLOCK_FILE_SETTING]: clockFile,
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: dataDir,
    ENCRYPTION_KEYS: `chaos:${key.toString('base64')}`,
    SECRET_KEY: secretKey,
    METRICS_PORT: String(metricsPort),
    SIMULATORS: 'off',
  };
  if (setting === 'own-database') {
    cleanUp.defer(() => database.stop());
    const line = await openLine(cleanUp, { path: socketOf(connectionString) });
    lines.set('postgres', line);
    settings.DATABASE_URL = `postgresql://postgres@127.0.0.1:${line.port}/creator_hq`;
  } else {
    await database.stop();
  }

  const deaths = new Deaths();
  const program: ProcessMember = new ProcessMember({
    name: 'program',
    what: url,
    // Not on the disk that is filled up: what it says then is wanted.
    logFile: path.join(dir, 'program.log'),
    command: process.execPath,
    args: [SCRIPT, `program of ${dataDir}`],
    cwd: root,
    env: { ...(process.env as Record<string, string>), ...settings },
    isReady: (said) => said.some((line) => line.includes(`is ready: ${url}`)),
    onStarted: () => {},
    onDied: () => deaths.add(program),
  });
  await program.start();
  cleanUp.defer(() => program.stop());
  const control = new MetaSimulatorControl(told.url);
  await prepareMeta(control);
  const queries = cleanUp.use(new PatientQueries(connectionString));
  const members = new Map<string, Member>([
    ['program', program],
    ['postgres', database],
  ]);
  mendBeforeTheEnd(cleanUp, { disk, lines, members });
  return {
    setting,
    folder: dir,
    control,
    lines,
    clock,
    disk,
    members,
    servers: [Object.assign(program, { url, metricsUrl: metricsUrlOf(metricsPort) })],
    baseUrl: url,
    encryptionKey: { id: 'chaos', key },
    secretKey,
    query: (text, values) => queries.query(text, values),
    takeDeaths: (name) => deaths.take(name),
    ...closingAll(cleanUp.move()),
  };
}

async function makeFolders(cleanUp: AsyncDisposableStack) {
  const dir = makeWorldFolder();
  cleanUp.defer(() => removeWorldFolder(dir));
  const dataDir = path.join(dir, 'data');
  await mkdir(dataDir);
  const disk = await makeSmallDisk(dataDir);
  const clockFile = path.join(dir, 'clock');
  const clock = new MovingClock(clockFile);
  await clock.pass(0);
  return { dir, dataDir, disk, clock, clockFile };
}

async function startClusterWorld(): Promise<ProcessWorld> {
  await using cleanUp = new AsyncDisposableStack();
  const { dir, dataDir, disk, clock, clockFile } = await makeFolders(cleanUp);
  const lines = new Map<string, Line>();
  let natsLines = 0;
  const deaths = new Deaths();
  const cluster = await startCluster({
    // Meta and the balancer have disks of their own, and what is said on a full one is wanted.
    dataDir: dir,
    filesDir: dataDir,
    // The disk that is filled up is small.
    settings: { ...SETTINGS, NATS_MAX_MB: '32', [CLOCK_FILE_SETTING]: clockFile },
    serverScript: SCRIPT,
    onDied: (member) => deaths.add(member),
    async through(to, address) {
      if (to === 'postgres') {
        const line = await openLine(cleanUp, { path: socketOf(address) });
        lines.set('postgres', line);
        return `postgresql://postgres@127.0.0.1:${line.port}/creator_hq`;
      }
      const line = await openLine(cleanUp, portOf(address));
      lines.set(to === 'meta' ? 'meta' : `nats-${++natsLines}`, line);
      return to === 'meta' ? `http://127.0.0.1:${line.port}` : `nats://127.0.0.1:${line.port}`;
    },
  });
  cleanUp.defer(() => cluster.close());
  const { control, members, databaseUrl, encryptionKey, secretKey } = cluster;
  await prepareMeta(control);
  const queries = cleanUp.use(new PatientQueries(databaseUrl));
  mendBeforeTheEnd(cleanUp, { disk, lines, members });
  return {
    setting: 'cluster',
    folder: dir,
    control,
    members,
    servers: cluster.servers.map(({ name, url, metricsPort }) =>
      Object.assign(cluster.member(name), { url, metricsUrl: metricsUrlOf(metricsPort) }),
    ),
    baseUrl: cluster.url,
    lines,
    clock,
    disk,
    encryptionKey,
    secretKey,
    query: (text, values) => queries.query(text, values),
    takeDeaths: (name) => deaths.take(name),
    ...closingAll(cleanUp.move()),
  };
}

function metricsUrlOf(port: number): string {
  return `http://127.0.0.1:${port}/metrics`;
}

function closingAll(disposal: AsyncDisposableStack): Pick<ProcessWorld, 'isClosed' | 'close'> {
  let closing = false;
  return {
    isClosed: () => closing,
    close: () => {
      closing = true;
      return disposal.disposeAsync();
    },
  };
}

/** Who is frozen, cut off or without a disk does not end in order. */
function mendBeforeTheEnd(
  cleanUp: AsyncDisposableStack,
  { disk, lines, members }: Pick<ProcessWorld, 'disk' | 'lines' | 'members'>,
): void {
  cleanUp.defer(async () => {
    for (const line of lines.values()) line.heal();
    for (const member of members.values()) member.thaw();
    await disk?.free();
  });
}

class Deaths {
  private readonly told: { name: string; says: string }[] = [];

  add({ name, logFile }: Member): void {
    const end = readFileSync(logFile, 'utf8').split('\n').slice(-LOG_LINES).join('\n');
    this.told.push({ name, says: `${name} ended of itself:\n${end}` });
  }

  take(name?: string): string[] {
    const isMeant = (death: { name: string }) => name === undefined || death.name === name;
    const taken = this.told.filter(isMeant);
    this.told.splice(0, this.told.length, ...this.told.filter((death) => !isMeant(death)));
    return taken.map(({ says }) => says);
  }
}

/** As Meta is, with a shorter hour's allowance and more patience: it tries again at once where Meta waits for minutes. */
async function prepareMeta(control: MetaSimulatorControl): Promise<void> {
  const retryDelaysMs = [...Array<number>(40).fill(250), ...Array<number>(400).fill(1000)];
  await control.updateSettings({
    limits: { privateRepliesPerHour: REPLIES_PER_HOUR },
    webhooks: { timeoutMs: 2000, retryDelaysMs, unsubscribeAfterMs: 24 * 3_600_000, maxBatch: 1 },
  });
}

async function openLine(cleanUp: AsyncDisposableStack, to: Parameters<typeof Line.open>[0]): Promise<Line> {
  const line = await Line.open(to);
  cleanUp.defer(() => line.close());
  return line;
}

function portOf(address: string): { host: string; port: number } {
  return { host: '127.0.0.1', port: Number(new URL(address).port) };
}

function socketOf(connectionString: string): string {
  const host = /[?&]host=([^&]+)/.exec(connectionString)![1]!;
  return path.join(decodeURIComponent(host), '.s.PGSQL.5432');
}

/** One connection, made again when it breaks: a schedule asks hundreds of times. */
class PatientQueries implements AsyncDisposable {
  private readonly connectionString: string;
  private client: pg.Client | null = null;
  private isOver = false;

  constructor(connectionString: string) {
    this.connectionString = connectionString;
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    for (const giveUpAt = Date.now() + ANSWERS_WITHIN_MS; ; await pause(100)) {
      try {
        this.client ??= await this.connect();
        return (await this.client.query<Row>(text, values)).rows;
      } catch (error) {
        await this.disconnect();
        if (this.isOver) throw error;
        // A mistake in the statement (classes 22, 23, 42) gets no better with time.
        if (Date.now() > giveUpAt || /^(22|23|42)/.test((error as { code?: string }).code ?? '')) throw error;
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isOver = true;
    await this.disconnect();
  }

  private async disconnect(): Promise<void> {
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => {});
  }

  private async connect(): Promise<pg.Client> {
    const { connectionString } = this;
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000, query_timeout: 10_000 });
    client.on('error', () => {});
    await client.connect().catch(async (error) => {
      await client.end().catch(() => {});
      throw error;
    });
    return client;
  }
}
