/** The program while PostgreSQL is away: what Meta is told, what readiness says, and that nothing is lost. */
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate } from '#server/db/migrate.ts';
import { type Program, startProgram } from '#server/program.ts';
import { freePort } from '#server/testing/processes.ts';

const natsUrl = inject('natsUrl');
const SECRET = 'meta-secret';

let dir: string;
let postgres: EmbeddedPostgres;
/** A login that can be refused: a superuser always gets in. */
let loginUrl: string;

const startPostgres = () => startEmbeddedPostgres({ dataDir: dir, log: () => {}, settings: { fsync: 'off' } });

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'creator-hq-away-'));
  postgres = await startPostgres();
  await migrate(postgres.connectionString);
  await asSuperuser(`
    create role visitor login;
    grant creator_hq_app, creator_hq_engine to visitor;
    grant create on schema public to visitor;
    grant select on schema_migrations to visitor;`);
  loginUrl = postgres.connectionString.replace('//postgres@', '//visitor@');
});
afterAll(async () => {
  await postgres.stop();
  await rm(dir, { recursive: true, force: true });
});

async function asSuperuser(sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: postgres.connectionString });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The ways in which it goes, and how it comes back. */
const WAYS = {
  stopped: {
    leave: () => postgres.stop(),
    comeBack: async () => {
      postgres = await startPostgres();
    },
  },
  'out of connections': {
    leave: () =>
      asSuperuser(`
        alter role visitor connection limit 0;
        select pg_terminate_backend(pid) from pg_stat_activity where usename = 'visitor';`),
    comeBack: () => asSuperuser('alter role visitor connection limit -1'),
  },
};

type Running = { program: Program; url: string };

async function startRunning(settings: Record<string, string>): Promise<Running> {
  const port = await freePort();
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: dir,
    DATABASE_URL: loginUrl,
    SECRET_KEY: 'a secret key that is long enough for anybody',
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    META_APP_ID: '1',
    META_APP_SECRET: SECRET,
    META_VERIFY_TOKEN: 'verify me',
    SIMULATORS: 'off',
    ...settings,
  });
  const program = await startProgram(config, { log: pino({ level: 'silent' }), say: () => {} });
  return { program, url: `http://127.0.0.1:${port}` };
}

/** Of no account that anybody connected, so that working it off leaves a count and nothing else. */
async function sendWebhook({ url }: Running): Promise<number> {
  const body = JSON.stringify({ object: 'instagram', entry: [{ id: '17841400000000000', time: 1, changes: [] }] });
  const signature = createHmac('sha256', SECRET).update(body).digest('hex');
  const response = await fetch(`${url}/webhooks/meta`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body,
  });
  return response.status;
}

async function readiness({ url }: Running) {
  const response = await fetch(`${url}/readyz`);
  const { parts } = (await response.json()) as { parts: Record<string, { ok: boolean; detail: string }> };
  return { status: response.status, parts };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition().catch(() => false))) await pause(50);
}

const eventLogOn = (stream: string) => ({
  NATS_URL: natsUrl!,
  NATS_STREAM: stream,
  NATS_REPLICAS: '1',
  NATS_MAX_MB: '64',
});

describe.each(Object.entries(WAYS))('while PostgreSQL is %s', (name, { leave, comeBack }) => {
  test('Meta is asked to come again, and everything goes on afterwards', { timeout: 180_000 }, async () => {
    const running = await startRunning({});
    try {
      expect(await sendWebhook(running)).toBe(200);
      await leave();
      try {
        await until(async () => (await sendWebhook(running)) === 503);
        await until(async () => !(await readiness(running)).parts.webhooks!.ok);
        expect(await readiness(running)).toMatchObject({ status: 503, parts: { database: { ok: false } } });
      } finally {
        await comeBack();
      }
      await until(async () => (await sendWebhook(running)) === 200);
      await until(async () => (await readiness(running)).status === 200);
    } finally {
      await running.program.stop();
    }
  });

  test.runIf(natsUrl !== null)(
    'webhooks are taken where the event log is on NATS, and worked off afterwards',
    { timeout: 180_000 },
    async () => {
      const running = await startRunning(eventLogOn(`away-${name.replaceAll(' ', '-')}`));
      try {
        const waiting = async () => {
          const { detail } = (await readiness(running)).parts.eventLog!;
          return Number(/^(\d+) waiting/.exec(detail)?.[1]);
        };
        expect(await sendWebhook(running)).toBe(200);
        await until(async () => (await waiting()) === 0);
        await leave();
        try {
          await until(async () => !(await readiness(running)).parts.database!.ok);
          for (let count = 0; count < 5; count++) expect(await sendWebhook(running)).toBe(200);
          // An answer of readiness is kept for a second.
          await until(async () => (await waiting()) === 5);
          expect(await readiness(running)).toMatchObject({
            status: 503,
            parts: { database: { ok: false }, webhooks: { ok: true } },
          });
        } finally {
          await comeBack();
        }
        await until(async () => (await waiting()) === 0);
        await until(async () => (await readiness(running)).status === 200);
      } finally {
        await running.program.stop();
      }
    },
  );
});

test.runIf(natsUrl !== null)(
  'a web process that starts while PostgreSQL is away takes webhooks, and all else when it is back',
  { timeout: 180_000 },
  async () => {
    await postgres.stop();
    const running = await startRunning({ ...eventLogOn('away-at-the-start'), ROLES: 'web' });
    try {
      expect(await sendWebhook(running)).toBe(200);
      postgres = await startPostgres();
      await until(async () => {
        const { database, migrations, webhooks } = (await readiness(running)).parts;
        return database!.ok && migrations!.ok && webhooks!.ok;
      });
    } finally {
      await running.program.stop();
    }
  },
);
