/** The real program on a real PostgreSQL and the simulator, with a demo creator who has a long past. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { API_BASE } from '#contract/endpoint.ts';
import { getMe, loginDemo } from '#contract/session.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { freePort, startScript } from '#server/testing/processes.ts';
import { type BusyCreator, type CreatorSize, fillCreator } from './busy-creator.ts';

export type BusyProgram = AsyncDisposable & {
  url: string;
  simulatorUrl: string;
  /** Of the demo creator, who is signed in. */
  cookie: string;
  creatorId: string;
  creator: BusyCreator;
};

export type BusyOptions = {
  /** A file for PostgreSQL's log, with the plan of every statement that took longer than 20 ms. */
  plans?: string | undefined;
  /** A folder in which everything stays, for the next run of the same size: writing it takes longer than measuring. */
  keep?: string | undefined;
};

export async function startBusyProgram(size: CreatorSize, { plans, keep }: BusyOptions = {}): Promise<BusyProgram> {
  await using cleanUp = new AsyncDisposableStack();
  const dir = keep === undefined ? await mkdtemp(join(tmpdir(), 'creator-hq-bench-')) : resolve(keep);
  if (keep === undefined) cleanUp.defer(() => rm(dir, { recursive: true, force: true }));
  else await mkdir(dir, { recursive: true });
  const postgres = await startEmbeddedPostgres({ dataDir: dir, log: () => {}, settings: plans ? EXPLAINING : {} });
  cleanUp.defer(() => postgres.stop());
  if (plans) cleanUp.defer(() => copyFile(join(dir, 'postgres.log'), plans));
  const [port, simulatorPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const program = await startScript(
    'server/main.ts',
    [],
    {
      PORT: String(port),
      BASE_URL: url,
      SIMULATOR_PORT: String(simulatorPort),
      SIMULATORS: 'on',
      DATA_DIR: dir,
      DATABASE_URL: postgres.connectionString,
      SECRET_KEY: randomBytes(32).toString('hex'),
      ENCRYPTION_KEYS: `bench:${await keyIn(dir)}`,
      LOG_LEVEL: 'warn',
      API_CALLS_PER_SECOND: '100000',
      API_CALLS_AT_ONCE: '1000',
    },
    (line) => line.includes(`is ready: ${url}`),
  );
  cleanUp.defer(() => program.stop());
  const { cookie, creatorId } = await enterAsDemo(url);
  const client = new pg.Client({ connectionString: postgres.connectionString });
  await client.connect();
  cleanUp.defer(() => client.end());
  const creator = await fillOnce(join(dir, 'creator.json'), client, creatorId, size);
  const stopping = cleanUp.move();
  return {
    url,
    simulatorUrl: `http://localhost:${simulatorPort}`,
    cookie,
    creatorId,
    creator,
    [Symbol.asyncDispose]: () => stopping.disposeAsync(),
  };
}

/** `file` says what an earlier run has filled in. */
async function fillOnce(file: string, client: pg.Client, creatorId: string, size: CreatorSize): Promise<BusyCreator> {
  if (existsSync(file)) {
    const filled = JSON.parse(await readFile(file, 'utf8')) as { size: CreatorSize; creator: BusyCreator };
    if (JSON.stringify(filled.size) !== JSON.stringify(size)) {
      throw new Error(`${file} is of another size: ${JSON.stringify(filled.size)}`);
    }
    return filled.creator;
  }
  const [people, interactions, posts] = [size.people, size.interactions, size.posts].map((count) =>
    count.toLocaleString('en'),
  );
  console.log(`\nWriting ${people} people, ${interactions} interactions, ${posts} posts…`);
  const creator = await fillCreator(client, creatorId, size);
  await writeFile(file, JSON.stringify({ size, creator }));
  return creator;
}

/** The next run has to read the tokens of this one. */
async function keyIn(dir: string): Promise<string> {
  const file = join(dir, 'bench-key');
  if (!existsSync(file)) await writeFile(file, randomBytes(32).toString('base64'));
  return readFile(file, 'utf8');
}

const EXPLAINING = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '20ms',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
};

/** Signs in at the demo of `url`. */
export async function enterAsDemo(url: string): Promise<{ cookie: string; creatorId: string }> {
  const entered = await fetch(url + API_BASE + loginDemo.path, { method: loginDemo.method, headers: { origin: url } });
  const cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const me = (await (await fetch(url + API_BASE + getMe.path, { headers: { cookie } })).json()) as {
    creatorAccount: { _id: string };
  };
  return { cookie, creatorId: me.creatorAccount._id };
}
