/**
 * `node bench/statements.ts`: what one answered comment costs the engine and PostgreSQL, statement by statement. Everything
 * but HTTP is real; events come in batches of one size, so that the figures do not depend on how busy the machine is
 * otherwise. Not part of the tests; Linux only, for it reads /proc. See docs/benchmarks.md.
 *
 *   --comments 20000  --batch 250  --connections 100
 *   --warm-up 2000    comments before those that are measured; several for each connection where none should be new
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import pino from 'pino';
import { systemClock, systemIds } from '#server/clock.ts';
import { connectDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { migrate } from '#server/db/migrate.ts';
import { Engine, type EngineDeps } from '#server/engine/engine.ts';
import { rollUpCounts } from '#server/engine/outcomes/counts.ts';
import { RENEW_EVERY_MS } from '#server/engine/shards/leases.ts';
import { shardOf } from '#server/engine/shards/shards.ts';
import { PostgresEventLog } from '#server/events/postgres-event-log.ts';
import { readEnvelope } from '#server/platforms/meta/webhook.ts';
import { processorTimeOf } from './processor-time.ts';

const { values } = parseArgs({
  options: {
    comments: { type: 'string', default: '20000' },
    batch: { type: 'string', default: '250' },
    connections: { type: 'string', default: '100' },
    'warm-up': { type: 'string', default: '2000' },
  },
});
const comments = Number(values.comments);
const batchSize = Number(values.batch);

const dataDir = await mkdtemp(join(tmpdir(), 'creator-hq-statements-'));
const postgres = await startEmbeddedPostgres({
  dataDir,
  log: () => {},
  settings: { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'all' },
});
await migrate(postgres.connectionString);
const db = connectDatabase({ connectionString: postgres.connectionString });
const client = new pg.Client({ connectionString: postgres.connectionString });
await client.connect();
await client.query('create extension pg_stat_statements');
const accounts = await seed(Number(values.connections));
const eventLog = new PostgresEventLog(db.enginePool);
const engine = startEngine();
await engine.holdShards(true);

const spent = { append: 0, decide: 0, send: 0 };
const spentByPostgres = { append: 0, decide: 0, send: 0 };
let renewedAt = performance.now();
let made = 0;
// Compiled code, prepared statements and caches.
await workOff(Number(values['warm-up']));
await rollUpCounts(db);
for (const step of ['append', 'decide', 'send'] as const) {
  spent[step] = 0;
  spentByPostgres[step] = 0;
}
await client.query('select pg_stat_statements_reset(), pg_stat_reset()');
const walBefore = await walPosition();
await workOff(comments);
const walBytes = (await walPosition()) - walBefore;
const before = processorTimeOf(postgres.pid());
await rollUpCounts(db);
const rollUpMs = processorTimeOf(postgres.pid()) - before;
await tell();

await engine.stop();
await eventLog.close();
await db.close();
await client.end();
await postgres.stop();
await rm(dataDir, { recursive: true, force: true });

async function workOff(count: number): Promise<void> {
  for (let done = 0; done < count; done += batchSize) {
    if (performance.now() - renewedAt > RENEW_EVERY_MS) {
      await engine.holdShards(false);
      renewedAt = performance.now();
    }
    const events = Array.from({ length: batchSize }, () => commentEvent(made++));
    await counted('append', () => eventLog.append(events));
    await counted('decide', () => engine.ingestOnce());
    await counted('send', async () => {
      while ((await engine.dispatchOnce()) > 0);
    });
  }
}

async function counted(step: keyof typeof spent, work: () => Promise<unknown>): Promise<void> {
  const postgresBefore = processorTimeOf(postgres.pid());
  const own = process.cpuUsage();
  await work();
  const used = process.cpuUsage(own);
  spent[step] += (used.user + used.system) / 1000;
  spentByPostgres[step] += processorTimeOf(postgres.pid()) - postgresBefore;
}

async function tell(): Promise<void> {
  const us = (ms: number) => `${Math.round((1000 * ms) / comments)} µs`;
  console.log('processor time of one comment   program   PostgreSQL');
  for (const step of ['append', 'decide', 'send'] as const) {
    console.log(`  ${step.padEnd(28)}  ${us(spent[step]).padStart(7)}   ${us(spentByPostgres[step]).padStart(10)}`);
  }
  console.log(`  ${'adding up figures'.padEnd(28)}  ${'–'.padStart(7)}   ${us(rollUpMs).padStart(10)}`);
  console.log(`bytes to PostgreSQL's log: ${Math.round(walBytes / comments)}`);

  const { rows: statements } = await client.query<{
    calls: string;
    share: number;
    wal: string;
    pages: string;
    query: string;
  }>(
    `select calls, (100 * total_exec_time / sum(total_exec_time) over ())::float8 as share,
            round(wal_bytes / $1) as wal, round((shared_blks_hit + shared_blks_read) / $1::numeric, 1) as pages, left(regexp_replace(query, '\\s+', ' ', 'g'), 90) as query
     from pg_stat_statements where toplevel order by total_exec_time desc limit 12`,
    [comments],
  );
  console.log('statements: share of the time, bytes logged and pages for one comment, calls');
  for (const { calls, share, wal, pages, query } of statements) {
    console.log(
      `  ${share.toFixed(1).padStart(5)} %  ${wal.padStart(5)}  ${pages.padStart(5)}  ${calls.padStart(6)}  ${query}`,
    );
  }
  const { rows: tables } = await client.query<{ name: string; inserted: number; updated: number; hot: number }>(
    `select relname as name, (n_tup_ins / $1::float8) as inserted, (n_tup_upd / $1::float8) as updated,
            (n_tup_hot_upd / $1::float8) as hot
     from pg_stat_user_tables where n_tup_ins + n_tup_upd > $1 / 2 order by relname`,
    [comments],
  );
  console.log('rows of one comment: inserted, updated, updated without touching an index');
  for (const { name, inserted, updated, hot } of tables) {
    console.log(`  ${name.padEnd(18)} ${inserted.toFixed(2)}  ${updated.toFixed(2)}  ${hot.toFixed(2)}`);
  }
}

async function walPosition(): Promise<number> {
  const { rows } = await client.query<{ at: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as at`,
  );
  return Number(rows[0]!.at);
}

/** With a Meta that says yes at once. */
function startEngine(): Engine {
  let messages = 1_000_000_000;
  const meta = {
    privateReply: async ({ commentId }: { commentId: string }) => ({
      verdict: {
        kind: 'done',
        messageId: `aWdfZAG1faXRlbToxOklHTWVzc2FnZAUlEOjE3ODQxNDA${++messages}`,
        // As in the simulator: the commenter's id is the one of the conversation.
        personId: commentId.replace(/^18/, '43'),
      },
      usage: null,
    }),
  };
  return new Engine({
    pool: db.enginePool,
    eventLog,
    clock: systemClock,
    ids: systemIds,
    random: Math.random,
    limits: { privateRepliesPerHour: 1e8, publicRepliesPerHour: 1e8, messagesPerSecond: 1e5 } as EngineDeps['limits'],
    baseUrl: 'https://hq.example.com',
    meta: meta as unknown as EngineDeps['meta'],
    speakerOf: async () => ({ platform: 'instagram', via: 'instagram', senderId: '1', token: 'none' }),
    log: pino({ level: 'warn' }),
    onChanged: () => {},
    onStopped: () => {},
    alone: true,
  });
}

async function seed(connections: number): Promise<string[]> {
  const ids: string[] = [];
  const now = systemClock.now();
  for (let index = 0; index < connections; index++) {
    const [creatorId, connectionId] = [systemIds.uuid(now), systemIds.uuid(now)];
    const accountId = `1784${1_000_000_000_000 + index}`;
    await client.query('insert into creators (id, handle) values ($1, $2)', [creatorId, `bench${index}`]);
    await client.query(
      `insert into connections (creator_id, id, platform, account_id, username, connected_at)
       values ($1, $2, 'instagram', $3, $4, now())`,
      [creatorId, connectionId, accountId, `bench${index}`],
    );
    await client.query(
      `insert into automations (creator_id, id, connection_id, name, post_id, words, mode, message_text, buttons,
         switched_on_at, created_at, updated_at)
       select $1, gen_random_uuid(), $2, 'word ' || n, null, array['recipe' || n || 'x', 'recipe' || n || 'xs please'],
         'whole_word', 'Here is the recipe you asked for. Tap the button, it opens on my site.',
         jsonb_build_array(jsonb_build_object('title', 'Get the recipe', 'url', 'https://example.com/recipe/' || n,
           'code', 'b' || $3::int || 'w' || n)), now(), now(), now()
       from generate_series(0, 9) as n`,
      [creatorId, connectionId, index],
    );
    ids.push(accountId);
  }
  await client.query('vacuum analyze');
  return ids;
}

/** About 1.5 KB, as a webhook is; each by another person. */
function commentEvent(number: number) {
  const accountId = accounts[number % accounts.length]!;
  const text = `This looks so good, I want to make it tonight, recipe${number % 10}x and my whole family would love it as well`;
  const value = {
    id: `18${String(number).padStart(13, '0')}`,
    text,
    from: { id: `43${String(number).padStart(13, '0')}`, username: `person.${number}` },
    media: { id: `179${number % accounts.length}0000${(number >> 3) % 10}`, ad_title: text.repeat(9) },
  };
  const time = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({
    object: 'instagram',
    entry: [{ id: accountId, time, changes: [{ field: 'comments', value }] }],
  });
  const receivedAt = systemClock.now();
  return { shard: shardOf(accountId), receivedAt, body, read: readEnvelope(body, receivedAt) };
}
