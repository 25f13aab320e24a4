/** The world of a benchmark: database, simulator, the real program, and connected creators with automations. */
import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { systemIds } from '#server/clock.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate } from '#server/db/migrate.ts';
import { seal } from '#server/secrets.ts';
import { freePort, type Started, startScript } from '#server/testing/processes.ts';
import { MetaSimulatorControl } from '#simulators/meta/control-client.ts';
import type { FloorSettings } from './floor.ts';
import { addPast } from './past.ts';

export const POSTS_EACH = 10;

export type BenchAccount = { accountId: string; token: string; words: string[]; postIds: string[] };

export type BenchWorld = {
  program: Started;
  url: string;
  control: MetaSimulatorControl;
  accounts: BenchAccount[];
  sign(body: string): string;
  /** A connection to the database, as its superuser. */
  database: pg.Client;
  postgresPid(): number;
  simulatorPid: number;
  /** Writes everything out: what was measured before is not paid for by what is measured next. */
  settleDisk(): Promise<void>;
  /** Starts the floor beside the program, until all of it is stopped; see floor.ts. */
  startFloor(): Promise<{ url: string; pid: number }>;
  machine: string;
  stop(): Promise<void>;
};

type Size = { connections: number; automationsEach: number };

/**
 * @param past interactions that are there when the program starts (past.ts)
 * @throws when anything of it does not start or cannot be filled; nothing of it is left running then
 */
export async function startWorld(size: Size, past = 0): Promise<BenchWorld> {
  await using started = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'creator-hq-bench-'));
  started.defer(() => rm(dir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir: dir, log: () => {}, reserveWal: Promise.resolve() });
  started.defer(() => postgres.stop());
  await postgres.walReserved;
  await migrate(postgres.connectionString);
  const simulator = await startScript(
    'simulators/meta/main.ts',
    ['--port', '0', '--ledger', 'compact', '--lift-limits', '--accept-unknown-comments'],
    {},
    (line) => line.startsWith('{'),
  );
  started.defer(() => simulator.stop());
  const { url: simulatorUrl, environment } = JSON.parse(simulator.firstLine) as {
    url: string;
    environment: Record<string, string>;
  };
  const control = new MetaSimulatorControl(simulatorUrl);
  const key = randomBytes(32);
  const client = new pg.Client({ connectionString: postgres.connectionString });
  await client.connect();
  started.defer(() => client.end());
  const accounts = await seed(client, control, key, size);
  // Before the program starts: its regular looks at the tables would read them whole while their indexes are away.
  await addPast(client, past);
  await settleDisk(client);

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = await startScript(
    'server/main.ts',
    [],
    {
      ...environment,
      PORT: String(port),
      BASE_URL: url,
      DATA_DIR: dir,
      DATABASE_URL: postgres.connectionString,
      SECRET_KEY: randomBytes(32).toString('hex'),
      ENCRYPTION_KEYS: `bench:${key.toString('base64')}`,
      SIMULATORS: 'off',
      LOG_LEVEL: 'warn',
      PRIVATE_REPLIES_PER_HOUR: '100000000',
      PUBLIC_REPLIES_PER_HOUR: '100000000',
      MESSAGES_PER_SECOND: '100000',
    },
    (line) => line.includes(url),
  );
  started.defer(() => program.stop());

  const everything = started.move();
  return {
    program,
    url,
    control,
    accounts,
    sign: (body) => `sha256=${createHmac('sha256', environment.META_APP_SECRET!).update(body).digest('hex')}`,
    database: client,
    postgresPid: () => postgres.pid(),
    simulatorPid: simulator.pid,
    settleDisk: () => settleDisk(client),
    startFloor: async () => {
      const floorPort = await freePort();
      const settings: FloorSettings = {
        port: floorPort,
        connectionString: postgres.connectionString,
        appSecret: environment.META_APP_SECRET!,
        graphUrl: `${environment.INSTAGRAM_GRAPH_URL}/v27.0`,
        tokens: Object.fromEntries(accounts.map(({ accountId, token }) => [accountId, token])),
      };
      const file = join(dir, 'floor.json');
      await writeFile(file, JSON.stringify(settings));
      const floor = await startScript('bench/floor.ts', [file], {}, (line) => line.includes('listens'));
      everything.defer(() => floor.stop());
      return { url: `http://127.0.0.1:${floorPort}`, pid: floor.pid };
    },
    machine: `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
    stop: () => everything.disposeAsync(),
  };
}

async function seed(
  client: pg.Client,
  control: MetaSimulatorControl,
  key: Buffer,
  { connections, automationsEach }: Size,
): Promise<BenchAccount[]> {
  const accounts: BenchAccount[] = [];
  const now = new Date();
  for (let index = 0; index < connections; index++) {
    const accountId = `1784${String(1_000_000_000_000 + index)}`;
    await control.seedInstagramAccount({ id: accountId, username: `bench${index}` });
    const { token } = await control.issueToken({ kind: 'INSTAGRAM_BUSINESS_USER', subjectId: accountId });
    const creatorId = systemIds.uuid(now);
    const connectionId = systemIds.uuid(now);
    await client.query('insert into creators (id, handle) values ($1, $2)', [creatorId, `bench${index}`]);
    await client.query(
      `insert into connections (creator_id, id, platform, account_id, username, connected_at)
       values ($1, $2, 'instagram', $3, $4, now())`,
      [creatorId, connectionId, accountId, `bench${index}`],
    );
    await client.query(
      `insert into tokens (creator_id, id, kind, subject_id, secret, issued_at, expires_at)
       values ($1, $2, 'INSTAGRAM_BUSINESS_USER', $3, $4, now(), now() + interval '60 days')`,
      [creatorId, systemIds.uuid(now), accountId, seal([{ id: 'bench', key }], token)],
    );
    const postIds = Array.from({ length: POSTS_EACH }, (_, post) => `179${index}0000${post}`);
    const words = Array.from({ length: automationsEach }, (_, word) => `recipe${word}x`);
    for (const [position, word] of words.entries()) {
      await client.query(
        `insert into automations (creator_id, id, connection_id, name, post_id, words, mode, message_text, buttons,
           switched_on_at, created_at, updated_at)
         values ($1, $2, $3, $4, null, $5, 'whole_word', $6, $7, now(), now(), now())`,
        [
          creatorId,
          systemIds.uuid(now),
          connectionId,
          word,
          [word, `${word}s please`],
          'Here is the recipe you asked for. Tap the button, it opens on my site.',
          JSON.stringify([
            { title: 'Get the recipe', url: 'https://example.com/recipe', code: `b${index}w${position}` },
          ]),
        ],
      );
    }
    accounts.push({ accountId, token, words, postIds });
  }
  return accounts;
}

async function settleDisk(client: pg.Client): Promise<void> {
  await client.query('checkpoint');
  // Pages that PostgreSQL made and did not write yet wait in the kernel for half a minute.
  await promisify(execFile)('sync');
}
