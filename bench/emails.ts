/**
 * `npm run bench -- --only email`: mails to readers, by the real program over a real PostgreSQL to a mail server on this machine.
 * A viral hour of saves through the plugin's endpoint, workers that are killed, and how fast beside bare nodemailer. Also what
 * segments and pages of many contacts read.
 *
 *   --part NAME  one of killed, viral, speed, segments
 */

import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTransport } from 'nodemailer';
import pg from 'pg';
import { API_BASE } from '#contract/endpoint.ts';
import { type Form, listForms } from '#contract/forms.ts';
import { registerPlugin, submitForms } from '#contract/plugin.ts';
import { listSites, type Site } from '#contract/sites.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { seal } from '#server/secrets.ts';
import { workOf } from '#server/testing/form-work.ts';
import { freePort, type Started, startScript } from '#server/testing/processes.ts';
import { type ReceivedMail, startMailServer } from '#simulators/mail/mail-server.ts';
import { enterAsDemo } from './busy-program.ts';
import { percentile } from './load.ts';
import { measureReaders } from './readers.ts';

const { part } = parseArgs({ options: { only: { type: 'string' }, part: { type: 'string' } } }).values;
/** 2,000 in the first minute, then the rest as steadily as the usual 50 mails a second allow: the hour of the promise, pressed. */
const VIRAL = { first: 2_000, firstSeconds: 60, rest: 8_000, restPerSecond: 45 };
const KILLS = 20;
const KILLED_MAILS = 2_000;
const SPEED_MAILS = 3_000;
const SPEED_TURNS = 3;
const CONNECTIONS = 10;
/** The plugin's: Hub.php, Outbox.php. */
const PLUGIN = { timeoutMs: 4_000, restMs: 30_000, atOnce: 50 };

await using cleanUp = new AsyncDisposableStack();
const dir = await mkdtemp(join(tmpdir(), 'creator-hq-bench-'));
cleanUp.defer(() => rm(dir, { recursive: true, force: true }));
const postgres = await startEmbeddedPostgres({ dataDir: dir, log: () => {} });
cleanUp.defer(() => postgres.stop());
const sink = await startMailServer();
cleanUp.defer(() => sink.close());
const port = await freePort();
const url = `http://localhost:${port}`;
const sealing = { id: 'bench', key: randomBytes(32) };
const settings = {
  BASE_URL: url,
  DATA_DIR: dir,
  DATABASE_URL: postgres.connectionString,
  SECRET_KEY: randomBytes(32).toString('hex'),
  ENCRYPTION_KEYS: `${sealing.id}:${sealing.key.toString('base64')}`,
  SMTP_URL: sink.url,
  LOG_LEVEL: 'error',
};
const web = await startScript(
  'server/main.ts',
  [],
  { ...settings, PORT: String(port), SIMULATOR_PORT: String(await freePort()), SIMULATORS: 'on', ROLES: 'web' },
  (line) => line.includes(url),
);
cleanUp.defer(() => web.stop());
const database = new pg.Client({ connectionString: postgres.connectionString });
await database.connect();
cleanUp.defer(() => database.end());
const { key, form, blog, creatorId } = await connectBlog();
/** What the blog keeps until the hub takes it, and until when it leaves the hub alone, in ms since 1970. */
const outbox: Press[] = [];
let restsUntil = 0;
let kept = 0;

for (const [name, measure] of Object.entries({
  killed,
  viral: viralHour,
  speed,
  segments: () => measureReaders(say),
})) {
  if (part === undefined || part === name) await measure();
}

async function viralHour(): Promise<void> {
  const worker = await startWorker();
  sink.received.length = 0;
  const calls: Promise<void>[] = [];
  const all = VIRAL.first + VIRAL.rest;
  // Readers' phones work, not the machine that is measured.
  const presses = await makePresses('viral', all);
  const from = performance.now();
  for (let n = 0; n < all; n++) {
    const dueSeconds =
      n < VIRAL.first
        ? (n * VIRAL.firstSeconds) / VIRAL.first
        : VIRAL.firstSeconds + (n - VIRAL.first) / VIRAL.restPerSecond;
    const waitMs = from + dueSeconds * 1000 - performance.now();
    if (waitMs > 1) await pause(waitMs);
    calls.push(handOver(presses[n]!));
  }
  await Promise.all(calls);
  await until(sendOutbox);
  await until(() => arrived('viral').length >= all);
  await worker.stop();
  const mails = arrived('viral');
  const { rows } = await database.query<{ email: string; at: Date }>(
    'select email_key as email, m.created_at as at from reader_mails m join contacts c on c.id = m.contact_id',
  );
  const takenAt = new Map(rows.map(({ email, at }) => [email, at.getTime()]));
  const waits = mails.map(({ to, at }) => at.getTime() - takenAt.get(to)!);
  say(
    `${all} saves, ${VIRAL.first} in the first minute: ${distinct(mails)} mails, ${mails.length - distinct(mails)} double; ` +
      `${kept} waited at the blog; from the hub to the mail server p50 ${seconds(percentile(waits, 0.5))}, longest ${seconds(Math.max(...waits))}`,
    distinct(mails) === all && mails.length === all && Math.max(...waits) <= 30_000,
  );
}

async function killed(): Promise<void> {
  sink.received.length = 0;
  await saveMany('killed', KILLED_MAILS);
  for (let kill = 0; kill < KILLS; kill++) {
    const worker = await startWorker();
    const stopAt = arrived('killed').length + randomInt(1, (1.6 * KILLED_MAILS) / KILLS);
    await until(() => arrived('killed').length >= Math.min(stopAt, KILLED_MAILS));
    await worker.kill();
  }
  const worker = await startWorker();
  await until(async () => (await countMails(`state in ('waiting', 'sending')`)) === 0);
  await worker.stop();
  const mails = arrived('killed');
  const times = Map.groupBy(mails, ({ raw }) => /^Message-ID: <([^@]+)@/im.exec(raw)![1]!);
  const twice = [...times].filter(([, mails]) => mails.length > 1).map(([id]) => id);
  const unnoted = await countMails('unnoted > 0');
  const { rows } = await database.query('select id from reader_mails where unnoted = 0 and id = any($1)', [twice]);
  say(
    `${KILLS} workers killed over ${KILLED_MAILS} mails: ${distinct(mails)} arrived, ${twice.length} of them twice; ` +
      `${unnoted} had an answer that nobody noted, and ${rows.length} doubles are not among these`,
    distinct(mails) === KILLED_MAILS && rows.length === 0,
  );
}

/** The same mails by ours and by nodemailer alone, with as many connections and the same key to sign with, in turns. */
async function speed(): Promise<void> {
  const dkim = await verifyDomain('mail.example.test');
  const rates: { ours: number; bare: number }[] = [];
  for (let turn = 0; turn < SPEED_TURNS; turn++) {
    sink.received.length = 0;
    await saveMany(`speed${turn}`, SPEED_MAILS);
    const worker = await startWorker({ MAILS_PER_SECOND: '1000' });
    await until(() => arrived(`speed${turn}`).length >= SPEED_MAILS);
    const ours = rateOf(arrived(`speed${turn}`));
    await worker.stop();
    const { raw } = arrived(`speed${turn}`)[0]!;
    if (!raw.includes(`d=${dkim.domainName}`)) throw new Error('A mail is not signed.');
    sink.received.length = 0;
    const transport = createTransport({ url: sink.url, pool: true, maxConnections: CONNECTIONS, dkim });
    await Promise.all(
      Array.from({ length: SPEED_MAILS }, (_, n) => {
        const message = { html: raw.slice(raw.length / 2), text: raw.slice(0, raw.length / 2), subject: 'Lemon cake' };
        return transport.sendMail({ ...message, from: 'a@hq.example.test', to: `bare${n}@example.test` });
      }),
    );
    transport.close();
    rates.push({ ours, bare: rateOf(sink.received) });
  }
  const shares = rates.map(({ ours, bare }) => ours / bare).toSorted((a, b) => a - b);
  const share = shares[Math.floor(shares.length / 2)]!;
  const each = rates.map(({ ours, bare }) => `${ours.toFixed(0)} of ${bare.toFixed(0)}`).join(', ');
  say(
    `mails a second beside bare nodemailer with ${CONNECTIONS} connections: ${each}; the middle one ${share.toFixed(2)}`,
    share >= 0.54,
  );
}

/** From now on the creator's mails are from an address at this domain, and signed for it. */
async function verifyDomain(domain: string): Promise<{ domainName: string; keySelector: string; privateKey: string }> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await database.query(
    `insert into senders (creator_id, address, updated_at) values ($1, $2, now())
     on conflict (creator_id) do update set address = excluded.address`,
    [creatorId, `anna@${domain}`],
  );
  await database.query(
    `insert into sending_domains (creator_id, id, domain, selector, private_key, public_key, state, added_at, due_at, verified_at)
     values ($1, gen_random_uuid(), $2, 'bench', $3, '', 'verified', now(), now() + interval '1 day', now())`,
    [creatorId, domain, seal([sealing], privateKey)],
  );
  return { domainName: domain, keySelector: 'bench', privateKey };
}

async function connectBlog() {
  const { cookie, creatorId } = await enterAsDemo(url);
  const ask = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const response = await fetch(url + API_BASE + path.replace(':creatorId', creatorId), {
      method,
      headers: { origin: url, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const made = (await ask('POST', '/creators/:creatorId/api-keys', { cookie })) as { key: string };
  // Another blog with this key would be a copy, whose saves are tests.
  const { items: sites } = (await ask('GET', listSites.path, { cookie })) as { items: Site[] };
  const siteUrl = sites[0]?.url ?? 'https://blog.example.test';
  await ask('POST', registerPlugin.path, { authorization: `Bearer ${made.key}` }, { pluginVersion: '1.0', siteUrl });
  const { items } = (await ask('GET', listForms.path, { cookie })) as { items: Form[] };
  return { key: made.key, form: items.find(({ kind }) => kind === 'save')!.key, blog: siteUrl, creatorId };
}

type Press = { attempt: string; email: string; work: string };

function pressOf(email: string): Press {
  const attempt = crypto.randomUUID();
  return { attempt, email, work: workOf(form, attempt, email) };
}

/** Not all at a stretch: meanwhile connections that the server closed have to be noticed. */
async function makePresses(name: string, count: number): Promise<Press[]> {
  const presses: Press[] = [];
  for (let n = 0; n < count; n++) {
    presses.push(pressOf(`${name}-${n}@mail${n % 40}.test`));
    if (n % 20 === 0) await pause(1);
  }
  return presses;
}

async function handOver(press: Press): Promise<void> {
  if (Date.now() >= restsUntil && (await isTaken([press]))) {
    await sendOutbox();
    return;
  }
  kept++;
  outbox.push(press);
}

/** @returns whether nothing waits any more */
async function sendOutbox(): Promise<boolean> {
  while (outbox.length > 0 && Date.now() >= restsUntil) {
    const some = outbox.splice(0, PLUGIN.atOnce);
    if (!(await isTaken(some))) outbox.unshift(...some);
  }
  return outbox.length === 0;
}

/** A hub that is slow or busy is left alone for a while. What it took without our hearing of it, it takes again for the same. */
async function isTaken(presses: Press[]): Promise<boolean> {
  const submissions = presses.map((press) => ({
    ...{ ...press, formKey: form, formVersion: 1, firstName: null, newsletter: false },
    ...{ language: 'en', submittedAt: new Date().toISOString(), network: randomBytes(16).toString('hex') },
    page: { url: `${blog}/lemon-cake`, title: 'Lemon cake', pictureUrl: null, recipe: null },
  }));
  const answer = await fetch(url + API_BASE + submitForms.path, {
    method: submitForms.method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ submissions }),
    signal: AbortSignal.timeout(PLUGIN.timeoutMs),
  }).then(
    async (response) => ({
      status: response.status,
      ...((await response.json()) as { results?: { result: string }[] }),
    }),
    () => ({ status: 504, results: [] }),
  );
  if (answer.status === 429 || answer.status >= 500) {
    restsUntil = Date.now() + PLUGIN.restMs;
    return false;
  }
  const other = answer.results?.find(({ result }) => result !== 'on_its_way');
  if (answer.status !== 200 || other) throw new Error(`Not saved: ${answer.status} ${JSON.stringify(other)}`);
  return true;
}

async function saveMany(name: string, count: number): Promise<void> {
  outbox.push(...(await makePresses(name, count)));
  await until(sendOutbox);
}

async function startWorker(more: Record<string, string> = {}): Promise<Started> {
  const own = { ...settings, ROLES: 'worker', PORT: '0', ...more };
  const worker = await startScript('server/main.ts', [], own, (line) => line.includes('worker is ready'));
  cleanUp.defer(() => worker.kill());
  return worker;
}

/** Without the program's mails to the team. */
function arrived(name: string): ReceivedMail[] {
  return sink.received.filter(({ to }) => to.startsWith(`${name}-`));
}

function distinct(mails: ReceivedMail[]): number {
  return new Set(mails.map(({ to }) => to)).size;
}

async function countMails(condition: string): Promise<number> {
  const { rows } = await database.query(`select count(*)::int as count from reader_mails where ${condition}`);
  return rows[0].count;
}

/** Without the first, which waits for the others to be started. */
function rateOf(mails: ReceivedMail[]): number {
  return (1000 * (mails.length - 1)) / (mails.at(-1)!.at.getTime() - mails[0]!.at.getTime());
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const giveUpAt = Date.now() + 300_000; !(await isSo()); await pause(20)) {
    if (Date.now() > giveUpAt) throw new Error(`Waited for five minutes; ${sink.received.length} mails arrived.`);
  }
}

function say(line: string, isMet: boolean): void {
  console.log(`${isMet ? 'met    ' : 'NOT MET'} ${line}`);
  if (!isMet) process.exitCode = 1;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
