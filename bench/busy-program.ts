/** The real program on a real PostgreSQL and the simulator, with a demo creator who has a long past. */
import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** @param options.plans a file for PostgreSQL's log, with the plan of every statement that took longer than 20 ms */
export async function startBusyProgram(
  size: CreatorSize,
  { plans }: { plans?: string | undefined } = {},
): Promise<BusyProgram> {
  await using cleanUp = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'creator-hq-bench-'));
  cleanUp.defer(() => rm(dir, { recursive: true, force: true }));
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
      ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
      LOG_LEVEL: 'warn',
    },
    (line) => line.includes(`is ready: ${url}`),
  );
  cleanUp.defer(() => program.stop());
  const { cookie, creatorId } = await enterAsDemo(url);
  const client = new pg.Client({ connectionString: postgres.connectionString });
  await client.connect();
  cleanUp.defer(() => client.end());
  const [people, interactions, posts] = [size.people, size.interactions, size.posts].map((count) =>
    count.toLocaleString('en'),
  );
  console.log(`\nWriting ${people} people, ${interactions} interactions, ${posts} posts…`);
  const creator = await fillCreator(client, creatorId, size);
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

const EXPLAINING = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '20ms',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
};

async function enterAsDemo(url: string): Promise<{ cookie: string; creatorId: string }> {
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
