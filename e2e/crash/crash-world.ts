/** The world of a crash test: the real program with its built-in database, beside a simulator that keeps running. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { systemIds } from '#server/clock.ts';
import { readPostmasterFile, servesCluster } from '#server/db/embedded/postmaster-file.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate } from '#server/db/migrate.ts';
import { seal } from '#server/secrets.ts';
import { beginScript, freePort, type Starting, startScript } from '#server/testing/processes.ts';
import { MetaSimulatorControl, type SeededCreator } from '#simulators/meta/control-client.ts';

/** The automations answer this word, and nothing else. */
export const WORD = 'recipe';

const CREATORS = 3;

/** PostgreSQL refuses connections while it reads its log after a kill. */
const RECOVERED_WITHIN_MS = 60_000;

/** One start of the program. */
export type Life = Starting & {
  /** The database died under it, so it had something to complain about. */
  hadDatabaseKilled: boolean;
};

export type CrashWorld = {
  url: string;
  control: MetaSimulatorControl;
  creators: SeededCreator[];
  /** Every start so far, the last one last. */
  lives: Life[];
  /** Starts the program; `ready` resolves when it is. */
  startProgram(): Life;
  /** The database server's process; null when there is none. */
  databasePid(): Promise<number | null>;
  /** Ends the database server without asking it. */
  killDatabase(): Promise<void>;
  connectToDatabase(): Promise<pg.Client>;
  close(): Promise<void>;
};

export async function createCrashWorld(): Promise<CrashWorld> {
  await using cleanUp = new AsyncDisposableStack();
  const dir = await mkdtemp(path.join(tmpdir(), 'creator-hq-crash-'));
  cleanUp.defer(() => rm(dir, { recursive: true, force: true }));
  const simulator = await startScript('simulators/meta/main.ts', ['--ledger', 'compact', '--lift-limits'], {}, isJson);
  cleanUp.defer(() => simulator.stop());
  const { url: simulatorUrl, environment } = JSON.parse(simulator.firstLine) as {
    url: string;
    environment: Record<string, string>;
  };
  const control = new MetaSimulatorControl(simulatorUrl);
  const key = randomBytes(32);
  const { creators, connectionString } = await seed(dir, control, key);
  await slowAnswers(control);

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const clusterDir = path.join(dir, 'postgres');
  const databasePid = async () => {
    const found = await readPostmasterFile(clusterDir);
    // The file of one that was killed stays behind.
    return found !== undefined && (await servesCluster(found.pid, clusterDir)) ? found.pid : null;
  };
  const lives: Life[] = [];
  cleanUp.defer(async () => {
    for (const life of lives) await life.stop();
    // Only when the last program was killed and nobody took its database over.
    const left = await readPostmasterFile(clusterDir);
    if (left === undefined) return;
    const server = await startEmbeddedPostgres({ dataDir: dir, log: () => {} });
    await server.stop();
  });
  const disposal = cleanUp.move();

  return {
    url,
    control,
    creators,
    lives,
    startProgram() {
      const starting = beginScript(
        'server/main.ts',
        [],
        {
          ...environment,
          PORT: String(port),
          BASE_URL: url,
          DATA_DIR: dir,
          ENCRYPTION_KEYS: `crash:${key.toString('base64')}`,
          SIMULATORS: 'off',
          LOG_LEVEL: 'warn',
          PRIVATE_REPLIES_PER_HOUR: '100000000',
          PUBLIC_REPLIES_PER_HOUR: '100000000',
        },
        (line) => line.includes(`is ready: ${url}`),
      );
      const life = { ...starting, hadDatabaseKilled: false };
      lives.push(life);
      return life;
    },
    databasePid,
    async killDatabase() {
      const pid = await databasePid();
      if (pid !== null) process.kill(pid, 'SIGKILL');
    },
    async connectToDatabase() {
      for (const giveUpAt = Date.now() + RECOVERED_WITHIN_MS; ; await pause(100)) {
        const client = new pg.Client({ connectionString });
        try {
          await client.connect();
          return client;
        } catch (error) {
          if (Date.now() > giveUpAt) throw error;
        }
      }
    },
    close: () => disposal.disposeAsync(),
  };
}

function isJson(line: string): boolean {
  return line.startsWith('{');
}

/** Connected creators, each with an automation that answers everybody every time, privately and in public. */
async function seed(
  dataDir: string,
  control: MetaSimulatorControl,
  key: Buffer,
): Promise<{ creators: SeededCreator[]; connectionString: string }> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  try {
    await migrate(postgres.connectionString);
    const client = new pg.Client({ connectionString: postgres.connectionString });
    await client.connect();
    const creators = [];
    for (let number = 0; number < CREATORS; number++) {
      const creator = await control.seedCreator({ followers: 20, posts: 3 });
      await connect(client, creator, key, number);
      creators.push(creator);
    }
    await client.end();
    return { creators, connectionString: postgres.connectionString };
  } finally {
    await postgres.stop();
  }
}

async function connect(client: pg.Client, creator: SeededCreator, key: Buffer, number: number): Promise<void> {
  const now = new Date();
  const [creatorId, connectionId] = [systemIds.uuid(now), systemIds.uuid(now)];
  await client.query('insert into creators (id, handle) values ($1, $2)', [creatorId, `crash${number}`]);
  await client.query(
    `insert into connections (creator_id, id, platform, account_id, username, connected_at)
     values ($1, $2, 'instagram', $3, $4, now())`,
    [creatorId, connectionId, creator.instagramAccountId, creator.username],
  );
  await client.query(
    `insert into tokens (creator_id, id, kind, subject_id, secret, issued_at, expires_at)
     values ($1, $2, 'INSTAGRAM_BUSINESS_USER', $3, $4, now(), now() + interval '60 days')`,
    [
      creatorId,
      systemIds.uuid(now),
      creator.instagramAccountId,
      seal([{ id: 'crash', key }], creator.tokens.instagram.token),
    ],
  );
  await client.query(
    `insert into automations (creator_id, id, connection_id, name, words, mode, message_text, buttons, public_replies,
       repeat_after_minutes, switched_on_at, created_at, updated_at)
     values ($1, $2, $3, 'Recipe', $4, 'whole_word', 'Here is the recipe.', $5, $6, null, now(), now(), now())`,
    [
      creatorId,
      systemIds.uuid(now),
      connectionId,
      [WORD],
      JSON.stringify([{ title: 'Open', url: 'https://example.com/recipe', code: `crash${number}` }]),
      ['Sent, look into your messages.', 'It is on its way to you.'],
    ],
  );
}

/**
 * Meta takes its time, before or after the message is out: so kills fall between the two, where it matters. Now and then it
 * takes longer than our restart: what is still under way at Meta then must not be sent again.
 */
async function slowAnswers(control: MetaSimulatorControl): Promise<void> {
  const slow = [
    { when: 'before', delayMs: 5000, probability: 0.02 },
    { when: 'after', delayMs: 60, probability: 0.4 },
    { when: 'before', delayMs: 60, probability: 0.4 },
  ] as const;
  for (const { when, delayMs, probability } of slow) {
    await control.addFault({
      match: { operation: ['private_reply', 'comment_reply'] },
      action: { kind: 'slow', delayMs, when },
      probability,
      times: 0,
    });
  }
}
