/**
 * `node bench/redirects.ts`: followed short links beside a bare Fastify that redirects, in turns: the rate, then the delay of each at
 * half of our rate. 100,000 app links, drawn by a Zipf law; people, programs and browsers of apps mixed.
 *
 *   --seconds 40  measured seconds of each, all its slices together
 *   --turns 4     slices of each
 *   --json        one line of JSON, last
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Fastify from 'fastify';
import pg from 'pg';
import { Pool } from 'undici';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { freePort, startScript } from '#server/testing/processes.ts';
import { percentile } from './load.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '40' },
    turns: { type: 'string', default: '4' },
    json: { type: 'boolean', default: false },
    bare: { type: 'string' },
  },
});
const LINKS = 100_000;
const AT_ONCE = 64;
const LEAST_SHARE = 0.5;
const MOST_TIMES_P99 = 3;
const PRODUCT = 'https://www.amazon.com/dp/B08N5WRWNW?tag=anna-20&th=1';
const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22F76 Instagram 424.0.0.31.64 (iPhone17,1; iOS 18_5) Safari/604.1',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
];

if (values.bare !== undefined) await serveBare(Number(values.bare));
else await measure();

async function serveBare(port: number): Promise<void> {
  const app = Fastify();
  app.get('/l/:code', (_, reply) => reply.code(302).header('location', PRODUCT).send());
  await app.listen({ host: '127.0.0.1', port });
  console.log('listening');
}

async function measure(): Promise<void> {
  await using cleanUp = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'creator-hq-bench-'));
  cleanUp.defer(() => rm(dir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir: dir, log: () => {} });
  cleanUp.defer(() => postgres.stop());
  const [port, barePort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const settings = {
    ...{
      BASE_URL: url,
      PORT: String(port),
      DATA_DIR: dir,
      DATABASE_URL: postgres.connectionString,
      LOG_LEVEL: 'error',
    },
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    ...{ SECRET_KEY: randomBytes(32).toString('hex'), SIMULATORS: 'on', SIMULATOR_PORT: String(await freePort()) },
  };
  const ours = await startScript('server/main.ts', [], settings, (line) => line.includes(url));
  cleanUp.defer(() => ours.stop());
  const bare = await startScript(
    'bench/redirects.ts',
    ['--bare', String(barePort)],
    {},
    (line) => line === 'listening',
  );
  cleanUp.defer(() => bare.stop());
  await addLinks(postgres.connectionString);

  const sides = { ours: `http://127.0.0.1:${port}`, bare: `http://127.0.0.1:${barePort}` };
  const [seconds, turns] = [Number(values.seconds), Number(values.turns)];
  const inTurns = async (slice: (side: keyof typeof sides, seconds: number) => Promise<void>) => {
    for (let turn = 0; turn < turns; turn++) {
      const names = Object.keys(sides) as (keyof typeof sides)[];
      for (const name of turn % 2 === 0 ? names : names.toReversed()) await slice(name, seconds / turns);
    }
  };
  for (const origin of Object.values(sides)) await follow(origin, 3);
  const followed = { ours: 0, bare: 0 };
  await inTurns(async (side, ofSlice) => {
    followed[side] += await follow(sides[side], ofSlice);
  });
  const perSecond = followed.ours / seconds;
  const delays: Record<keyof typeof sides, number[]> = { ours: [], bare: [] };
  await inTurns(async (side, ofSlice) => {
    delays[side].push(...(await followAtRate(sides[side], ofSlice, perSecond / 2)));
  });

  const share = followed.ours / followed.bare;
  const [p99, bareP99] = [percentile(delays.ours, 0.99), percentile(delays.bare, 0.99)];
  const isMet = share >= LEAST_SHARE && p99 <= MOST_TIMES_P99 * bareP99;
  console.log(
    `${isMet ? 'met    ' : 'NOT MET'} ${perSecond.toFixed(0)} links/s, ${share.toFixed(2)} of a bare redirect; ` +
      `at half of that p99 ${p99.toFixed(1)} ms, bare ${bareP99.toFixed(1)} ms: ${(p99 / bareP99).toFixed(2)} times`,
  );
  if (values.json) console.log(JSON.stringify({ perSecond, share, p99, bareP99, isMet }));
  if (!isMet) process.exitCode = 1;
}

async function addLinks(connectionString: string): Promise<void> {
  const database = new pg.Client({ connectionString });
  await database.connect();
  await database.query(
    `with numbers as (select n, md5(n::text)::uuid as id from generate_series(1, $1::int) as n),
     owner as (select id from creators limit 1),
     made as (
       insert into app_links (creator_id, id, name, address, opens_app, created_at, updated_at)
       select owner.id, numbers.id, 'Link ' || n, $2, true, now(), now() from numbers, owner
     )
     insert into links (creator_id, id, code, url, app_link_id, created_at)
     select owner.id, numbers.id, 'z' || lpad(n::text, 7, '0'), $2, numbers.id, now() from numbers, owner`,
    [LINKS, PRODUCT],
  );
  await database.query('vacuum analyze links, app_links');
  await database.end();
}

/** The n-th is followed as often as 1/n: the inverse of the law's sum, which is a logarithm. */
function next(): { path: string; agent: string } {
  const rank = Math.floor(LINKS ** Math.random());
  return { path: `/l/z${String(rank).padStart(7, '0')}`, agent: AGENTS[Math.floor(Math.random() * AGENTS.length)]! };
}

async function followOne(pool: Pool): Promise<void> {
  const { path, agent } = next();
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers: { 'user-agent': agent } });
  await body.dump();
  if (statusCode !== 302 && statusCode !== 200) throw new Error(`${path} answered ${statusCode}.`);
}

/** As fast as it answers. @returns how many */
async function follow(origin: string, seconds: number): Promise<number> {
  const pool = new Pool(origin, { connections: AT_ONCE });
  const until = performance.now() + seconds * 1000;
  let count = 0;
  const go = async () => {
    for (; performance.now() < until; count++) await followOne(pool);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, go));
  await pool.close();
  return count;
}

/** Each when it is due, however late the ones before are. @returns ms from when each was due */
async function followAtRate(origin: string, seconds: number, perSecond: number): Promise<number[]> {
  const pool = new Pool(origin, { connections: AT_ONCE });
  const delays: number[] = [];
  const calls: Promise<void>[] = [];
  const from = performance.now();
  const total = Math.floor(seconds * perSecond);
  for (let at = 0; at < total; ) {
    for (const due = ((performance.now() - from) / 1000) * perSecond; at < due && at < total; at++) {
      const dueAt = from + (at / perSecond) * 1000;
      calls.push(followOne(pool).then(() => void delays.push(performance.now() - dueAt)));
    }
    await pause(1);
  }
  await Promise.all(calls);
  await pool.close();
  return delays;
}
