/**
 * A whole cluster on one machine: three NATS servers, PostgreSQL, the simulator of Meta, web and worker processes and a
 * balancing proxy before them. `npm run cluster` starts it for a person, tests start it to break it.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commandLine } from '#server/db/embedded/postmaster-file.ts';
import { MetaSimulatorControl } from '#simulators/meta/control-client.ts';
import { DatabaseMember, type Member, type MemberProgram, ProcessMember } from './member.ts';
import { choosePorts } from './ports.ts';
import { natsSettings, natsWritesThrough, proxySettings } from './programs.ts';

export type ClusterOptions = {
  /** Everything is kept here; a start over an old folder goes on with it. */
  dataDir: string;
  /** The database and the event log keep theirs here; default `dataDir`. */
  filesDir?: string;
  /** The proxy's port; the others are its neighbours. 0, the default: any free ones. */
  port?: number;
  /** Default 2. */
  webs?: number;
  /** Default 3. */
  workers?: number;
  /** With the demo creator and their sign-in. Default false. */
  demo?: boolean;
  /** More settings for web and worker processes: docs/configuration.md. */
  settings?: Record<string, string>;
  /** The program of web and worker processes; default server/main.ts. */
  serverScript?: string;
  /** More arguments for simulators/meta/main.ts. */
  simulatorArgs?: string[];
  /** More settings of PostgreSQL. */
  postgresSettings?: Record<string, string>;
  /**
   * Where web and worker processes reach something, instead of its own address: for a proxy that cuts and delays. Asked
   * once for each address: `postgres://…`, `nats://…` (each server), `http://…` (the simulator).
   */
  through?: (to: 'postgres' | 'nats' | 'meta', address: string) => string | Promise<string>;
  /** Processes that end by themselves, or by somebody else's hand, are started again as an orchestrator would. */
  restart?: boolean;
  /** Told of these. */
  onDied?: (member: Member) => void;
  /** Lines for whoever started it. */
  log?: (line: string) => void;
};

export type Cluster = {
  /** The balancing proxy: pages and webhooks. */
  url: string;
  /** The web processes themselves, in order. */
  webUrls: string[];
  simulatorUrl: string;
  control: MetaSimulatorControl;
  /** Of the superuser, straight to PostgreSQL. */
  databaseUrl: string;
  natsUrl: string;
  /** The Meta app's settings, `META_APP_SECRET` among them: signs webhooks. */
  meta: Record<string, string>;
  /** Seals what the processes will open: tokens of seeded connections. */
  encryptionKey: { id: string; key: Buffer };
  /** Signs what the processes will trust: cookies of who is logged in. */
  secretKey: string;
  /** Web and worker processes, with the web's own address and the port where each tells its measures. */
  servers: { name: string; url: string | null; metricsPort: number }[];
  /** nats-1, nats-2, nats-3, postgres, simulator, proxy, web-1, web-2, worker-1, worker-2, worker-3. */
  members: ReadonlyMap<string, Member>;
  /** @throws when there is none of that name */
  member(name: string): Member;
  /** False where the NATS servers acknowledge before they have written to disk: see `natsWritesThrough`. */
  writesThrough: boolean;
  /** Ends everything in order: nothing under way is cut. */
  close(): Promise<void>;
};

const NATS_SERVERS = 3;
const START_AGAIN_AFTER_MS = 2000;
const HEALTH_WITHIN_MS = 3000;
const root = path.join(import.meta.dirname, '../..');

/** Starts everything; resolves when every process does its work. @throws with the reason, and what was started is ended */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  await using cleanUp = new AsyncDisposableStack();
  const { webs = 2, workers = 3, demo = false, log = () => {} } = options;
  const dataDir = path.resolve(options.dataDir);
  const filesDir = path.resolve(options.filesDir ?? dataDir);
  await mkdir(path.join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  const ports = await choosePorts(options.port ?? 0, { webs, workers, nats: NATS_SERVERS });
  const members = new Map<string, Member>();
  const secrets = await keepSecrets(dataDir);
  let closing = false;

  // First: its lock says whether another cluster runs on this folder.
  const database = new DatabaseMember(filesDir, { max_connections: '300', ...options.postgresSettings });
  await database.start();
  cleanUp.defer(() => database.stop());
  const leftBehind = new LeftBehind(dataDir);
  const ended = await leftBehind.end();
  if (ended > 0) log(`Ended ${ended} processes that an earlier run left behind.`);

  const addProcess = (
    name: string,
    what: string,
    program: Pick<MemberProgram, 'command' | 'args' | 'isReady' | 'isAlive'> & { env?: Record<string, string> },
  ) => {
    const member: ProcessMember = new ProcessMember({
      name,
      what,
      logFile: path.join(dataDir, 'logs', `${name}.log`),
      cwd: root,
      ...program,
      env: program.env ?? (process.env as Record<string, string>),
      onStarted: (pid) => leftBehind.remember(name, pid),
      onDied: () => {
        if (closing) return;
        options.onDied?.(member);
        if (!options.restart) return;
        log(`${name} ended. Starting it again…`);
        setTimeout(() => {
          if (closing) return;
          member.start().then(
            () => log(`${name} is back (process ${member.pid()}).`),
            (error: Error) => log(error.message),
          );
        }, START_AGAIN_AFTER_MS).unref();
      },
    });
    members.set(name, member);
    cleanUp.defer(() => member.stop());
    return member;
  };

  const killAll = () => {
    for (const member of members.values()) {
      const pid = member.pid();
      try {
        if (pid !== null) process.kill(pid, 'SIGKILL');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  };
  const writesThrough = natsWritesThrough();
  const natsServers = await Promise.all(
    ports.nats.map(async (port, index) => {
      const name = `nats-${index + 1}`;
      const file = path.join(dataDir, `${name}.conf`);
      await writeFile(
        file,
        natsSettings({
          name,
          port,
          healthPort: ports.natsHealth[index]!,
          routePort: ports.natsRoutes[index]!,
          routePorts: ports.natsRoutes,
          folder: path.join(filesDir, name),
          writesThrough,
        }),
      );
      return addProcess(name, 'event log', {
        command: 'nats-server',
        args: ['-c', file],
        isReady: (lines) => lines.some((line) => line.includes('Server is ready')),
        isAlive: () => answersAtAll(`http://127.0.0.1:${ports.natsHealth[index]}/healthz`),
      });
    }),
  );
  members.set(database.name, database);

  const simulator = addProcess('simulator', 'plays Meta', {
    command: process.execPath,
    args: [
      path.join(root, 'simulators/meta/main.ts'),
      ...['--port', `${ports.simulator}`],
      ...['--state', path.join(dataDir, 'simulators', 'meta.json')],
      ...['--webhook-url', `http://127.0.0.1:${ports.proxy}/webhooks/meta`],
      ...(demo ? ['--demo'] : []),
      ...(options.simulatorArgs ?? []),
    ],
    isReady: (lines) => lines.some(isJson),
  });
  await Promise.all([...natsServers, simulator].map((member) => member.start()));
  const told = JSON.parse(simulator.said.find(isJson)!) as { url: string; environment: Record<string, string> };

  const proxyFile = path.join(dataDir, 'proxy.conf');
  const namedWebs = ports.webs.map((port, index) => ({ name: `web-${index + 1}`, port }));
  await writeFile(proxyFile, proxySettings({ port: ports.proxy, webs: namedWebs }));

  const url = `http://localhost:${ports.proxy}`;
  const natsUrls = ports.nats.map((port) => `nats://127.0.0.1:${port}`);
  const through = options.through ?? ((_to, address) => address);
  const shared = settingsOf({
    ...(await metaThrough(told.environment, told.url, through)),
    ...(demo ? { SIMULATORS: 'on', SIMULATOR_URL: told.url } : { SIMULATORS: 'off' }),
    BASE_URL: url,
    TRUSTED_PROXIES: '1',
    HOST: '127.0.0.1',
    DATA_DIR: filesDir,
    DATABASE_URL: await through('postgres', database.connectionString),
    NATS_URL: (await Promise.all(natsUrls.map((address) => through('nats', address)))).join(','),
    NATS_REPLICAS: `${NATS_SERVERS}`,
    SECRET_KEY: secrets.secretKey,
    ENCRYPTION_KEYS: `cluster:${secrets.encryptionKey.toString('base64')}`,
    ...options.settings,
  });
  const measured: Cluster['servers'] = [];
  const addServer = (name: string, address: string | null, settings: Record<string, string>, readyLine: string) => {
    const metricsPort = ports.metrics[measured.length]!;
    measured.push({ name, url: address, metricsPort });
    return addProcess(name, address ?? 'sends', {
      command: process.execPath,
      // The second argument is for people who look at a list of processes, and for `LeftBehind`.
      args: [options.serverScript ?? path.join(root, 'server/main.ts'), `${name} of ${dataDir}`],
      env: { ...shared, METRICS_PORT: `${metricsPort}`, ...settings },
      isReady: (lines) => lines.some((line) => line.includes(readyLine)),
    });
  };
  const servers = [
    ...ports.workers.map((port, index) =>
      addServer(`worker-${index + 1}`, null, { ROLES: 'worker', PORT: `${port}` }, 'worker is ready'),
    ),
    ...namedWebs.map(({ name, port }) =>
      addServer(name, `http://127.0.0.1:${port}`, { ROLES: 'web', PORT: `${port}` }, `is ready: ${url}`),
    ),
  ];
  // Last in, first out: nobody new comes in while the others end.
  const proxy = addProcess('proxy', url, {
    command: 'haproxy',
    args: ['-db', '-f', proxyFile],
    // It knows a while later than we do that a web process is there.
    isReady: () => answers(`http://127.0.0.1:${ports.proxy}/healthz`),
  });
  await Promise.all([proxy, ...servers].map((member) => member.start()));

  cleanUp.defer(() => {
    closing = true;
  });
  // Whatever ends this process, in order or not: nothing of the cluster stays behind unseen.
  process.prependOnceListener('exit', killAll);
  cleanUp.defer(() => void process.off('exit', killAll));
  const disposal = cleanUp.move();
  return {
    url,
    webUrls: ports.webs.map((port) => `http://127.0.0.1:${port}`),
    simulatorUrl: told.url,
    control: new MetaSimulatorControl(told.url),
    databaseUrl: database.connectionString,
    natsUrl: natsUrls.join(','),
    meta: told.environment,
    encryptionKey: { id: 'cluster', key: secrets.encryptionKey },
    secretKey: secrets.secretKey,
    servers: measured,
    members,
    member(name) {
      const found = members.get(name);
      if (found === undefined) throw new Error(`There is no ${name}, only ${[...members.keys()].join(', ')}.`);
      return found;
    },
    writesThrough,
    async close() {
      await disposal.disposeAsync();
      await leftBehind.forget();
    },
  };
}

function isJson(line: string): boolean {
  return line.startsWith('{');
}

function answers(address: string): Promise<boolean> {
  return fetch(address).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Something, be it that it has no leader. */
function answersAtAll(address: string): Promise<boolean> {
  return fetch(address, { signal: AbortSignal.timeout(HEALTH_WITHIN_MS) }).then(
    () => true,
    () => false,
  );
}

/** The environment of our processes, and nothing else of the same name: settings of the person's own install do not count here. */
function settingsOf(ours: Record<string, string>): Record<string, string> {
  const settings = { ...(process.env as Record<string, string>), ...ours };
  for (const name of Object.keys(ours)) delete settings[`${name}_FILE`];
  return settings;
}

async function metaThrough(
  environment: Record<string, string>,
  simulatorUrl: string,
  through: NonNullable<ClusterOptions['through']>,
): Promise<Record<string, string>> {
  const way = await through('meta', simulatorUrl);
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.startsWith(simulatorUrl) ? way + value.slice(simulatorUrl.length) : value,
    ]),
  );
}

/** Made at the first start: sessions and sealed tokens survive the next. */
async function keepSecrets(dataDir: string): Promise<{ secretKey: string; encryptionKey: Buffer }> {
  const file = path.join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    const made = { secretKey: randomBytes(36).toString('base64'), encryptionKey: randomBytes(32).toString('base64') };
    await writeFile(file, JSON.stringify(made), { mode: 0o600 });
  }
  const kept = JSON.parse(await readFile(file, 'utf8')) as { secretKey: string; encryptionKey: string };
  return { secretKey: kept.secretKey, encryptionKey: Buffer.from(kept.encryptionKey, 'base64') };
}

/** Remembers which processes were started, for the next start after a kill -9 of this one. */
class LeftBehind {
  private readonly dataDir: string;
  private readonly file: string;
  private readonly pids = new Map<string, number>();
  private writing: Promise<void> = Promise.resolve();

  constructor(dataDir: string) {
    this.dataDir = dataDir;
    this.file = path.join(dataDir, 'members.json');
  }

  remember(name: string, pid: number): void {
    this.pids.set(name, pid);
    this.writing = this.writing.then(() => writeFile(this.file, JSON.stringify(Object.fromEntries(this.pids))));
  }

  /** Returns how many there were. */
  async end(): Promise<number> {
    const text = await readFile(this.file, 'utf8').catch(() => '{}');
    let ended = 0;
    for (const pid of Object.values(JSON.parse(text || '{}') as Record<string, number>)) {
      // Ids are given out again: only what names our folder is ours.
      if (!(await commandLine(pid)).join(' ').includes(this.dataDir)) continue;
      process.kill(pid, 'SIGKILL');
      while ((await commandLine(pid)).length > 0) await pause(20);
      ended++;
    }
    return ended;
  }

  async forget(): Promise<void> {
    await this.writing;
    await rm(this.file, { force: true });
  }
}
