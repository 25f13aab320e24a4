/**
 * Does the product still serve everybody else, and is all back that one client took? Asked from outside, by what every
 * install shows: its answers, /readyz, /metrics, pg_stat_activity and the kernel's list of sockets. Each question is asked
 * again until it is answered well or its time is over; what was wrong then is told with its figures.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { API_BASE } from '#contract/endpoint.ts';
import { INTERACTIONS_CSV_PATH } from '#contract/figures.ts';
import { EXPORT_PATH } from '#contract/settings.ts';
import { socketsAt } from '#e2e/chaos/processes/sockets.ts';
import type { MetaSimulatorControl, SeededCreator } from '#simulators/meta/control-client.ts';

/** A process of the product; `url` is null for a worker. */
export type Watched = { name: string; url: string | null; metricsUrl: string };

/** Somebody who is logged in as the owner of a creator. */
export type Caller = { creatorId: string; cookie: string };

/** Memory and handles of a process before anything was broken. */
export type Figures = { residentMb: number; used: Map<string, number>; waiting: number };

/** @returns what is wrong, in words; null when nothing is */
type Question = () => Promise<string | null>;

type Query = <Row extends object>(text: string) => Promise<Row[]>;

const ANSWERED_WITHIN_MS = 5000;
const ASK_AGAIN_AFTER_MS = 250;
/** A table may be asked for so often in an hour: the question must not use it up. */
const ASK_FOR_TABLES_AGAIN_AFTER_MS = 2000;
/** While clients are in the way, and after they have left. */
const MOST_GROWTH_MB = 150;
const MOST_GROWTH_AFTER_MB = 100;
/** A process that has just begun is smaller than one that has worked: V8 collects when it must, not when it is quiet. */
const WARM_MB = 450;
/** Of one person: see server/features/live/routes.ts. */
const STREAMS = 12;
const OPEN_TRANSACTION_SECONDS = 5;

/** Null where the process does not tell. */
export async function readFigures({ metricsUrl }: Watched): Promise<Figures | null> {
  const text = await fetch(metricsUrl, { signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) }).then(
    (response) => (response.ok ? response.text() : ''),
    () => '',
  );
  const memory = /^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1];
  if (memory === undefined) return null;
  const states = [...text.matchAll(/^creator_hq_db_connections\{pool="(\w+)",state="(\w+)"\} (\d+)$/gm)];
  return {
    residentMb: Math.round(Number(memory) / 1024 ** 2),
    used: new Map(states.filter(([, , state]) => state === 'used').map(([, pool, , count]) => [pool!, Number(count)])),
    waiting: states.reduce((total, [, , state, count]) => total + (state === 'waiting' ? Number(count) : 0), 0),
  };
}

/** While bad clients may still be there: everybody else is served, and they cost no more than so much memory. */
export async function othersAreServed(
  servers: Watched[],
  before: ReadonlyMap<string, Figures>,
  other: Caller,
  withinMs: number,
): Promise<string[]> {
  const questions = servers.flatMap((server): Question[] => [
    () => memoryIsWithin(server, before.get(server.name), MOST_GROWTH_MB),
    ...(server.url === null ? [] : [() => callsAreAnswered(server, other)]),
  ]);
  return answersOf(questions, withinMs);
}

/** After everybody has left: nothing of theirs is still taken. */
export async function everythingIsBack(options: {
  servers: Watched[];
  before: ReadonlyMap<string, Figures>;
  query: Query;
  /** Has little. */
  other: Caller;
  /** Each has more than sockets hold; the first of them was the bad client's. */
  large: Caller[];
  /** For each of: calls, downloads, pools. */
  withinMs: number;
}): Promise<string[]> {
  const { servers, before, query, other, large, withinMs } = options;
  const web = servers.filter((server) => server.url !== null);
  const first = await answersOf(
    [
      ...web.map((server) => () => callsAreAnswered(server, other)),
      ...web.map((server) => () => streamsAreFree(server, large[0]!)),
      // Before anything large is read here.
      ...servers.map((server) => () => memoryIsWithin(server, before.get(server.name), MOST_GROWTH_AFTER_MB)),
      ...web.map((server) => () => socketsAreLetGo(server)),
    ],
    withinMs,
  );
  const downloads = await answersOf(
    web.map((server) => () => downloadsAreFree(server, large, other)),
    withinMs,
    ASK_FOR_TABLES_AGAIN_AFTER_MS,
  );
  const rest = await answersOf(
    [...servers.map((server) => () => poolsAreFull(server, before.get(server.name))), () => noTransactionIsOpen(query)],
    withinMs,
  );
  return [...first, ...downloads, ...rest];
}

/** Faults that remain after that time, each asked at least once. */
async function answersOf(
  questions: Question[],
  withinMs: number,
  againAfterMs = ASK_AGAIN_AFTER_MS,
): Promise<string[]> {
  const giveUpAt = Date.now() + withinMs;
  const wrong = await Promise.all(
    questions.map(async (ask) => {
      for (;;) {
        const says = await ask().catch((error: Error) => `${error.message} ${(error.cause as Error)?.message ?? ''}`);
        if (says === null) return [];
        if (Date.now() + againAfterMs > giveUpAt) return [`${says}, ${Math.round(withinMs / 1000)} s later`];
        await pause(againAfterMs);
      }
    }),
  );
  return wrong.flat();
}

async function callsAreAnswered({ name, url }: Watched, { creatorId, cookie }: Caller): Promise<string | null> {
  const creator = `${API_BASE}/creators/${creatorId}`;
  const paths = [
    '/readyz',
    `${API_BASE}/auth/me`,
    `${creator}/interactions`,
    `${creator}/automations`,
    `${creator}/home`,
  ];
  for (const path of paths) {
    const startedAt = Date.now();
    const trouble = await troubleWith(`${url}${path}`, cookie);
    if (trouble === null) continue;
    const what = path.replace(creatorId, '…');
    return `${name}: another creator's call of ${what} ended with ${trouble} after ${Date.now() - startedAt} ms`;
  }
  return null;
}

/** As the simulator of Meta tells: one message, not two. */
export async function commentIsAnswered(
  control: MetaSimulatorControl,
  creator: SeededCreator,
  withinMs: number,
): Promise<string[]> {
  const { commentId } = await control.comment({
    mediaId: creator.posts[0]!.mediaId,
    personId: creator.followers[0]!.personId,
    text: 'recipe please',
  });
  const ask = async () => {
    const [reached] = await control.deliveries([commentId]);
    return reached!.privateReplies === 1 ? null : `another creator's comment got ${reached!.privateReplies} messages`;
  };
  return answersOf([ask], withinMs);
}

/** Null where it is answered as it should be. */
async function troubleWith(url: string, cookie: string): Promise<string | null> {
  try {
    const response = await fetch(url, { headers: { cookie }, signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) });
    const text = await response.text();
    return response.status === 200 ? null : `${response.status} (${text.slice(0, 600)})`;
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'no answer' : `${(error as Error).cause ?? error}`;
  }
}

async function memoryIsWithin(server: Watched, before: Figures | undefined, mostMb: number): Promise<string | null> {
  const now = await readFigures(server);
  if (now === null) return `${server.name} does not tell its measures`;
  if (before === undefined) return null;
  const most = Math.max(before.residentMb + mostMb, WARM_MB);
  if (now.residentMb <= most) return null;
  return `${server.name} has grown from ${before.residentMb} MB to ${now.residentMb} MB; ${most} MB are allowed`;
}

async function poolsAreFull(server: Watched, before: Figures | undefined): Promise<string | null> {
  const now = await readFigures(server);
  if (now === null) return `${server.name} does not tell its measures`;
  if (now.waiting > 0) return `${server.name}: ${now.waiting} callers wait for a database connection`;
  if (before === undefined) return null;
  for (const [pool, used] of now.used) {
    const was = before.used.get(pool) ?? 0;
    if (used > was) return `${server.name}: ${used} connections of the pool ${pool} are used, ${was} before`;
  }
  return null;
}

/** Linux only. */
async function socketsAreLetGo({ name, url }: Watched): Promise<string | null> {
  const left = socketsAt(Number(new URL(url!).port)).filter(({ state }) => state === 'left').length;
  return left === 0 ? null : `${name} holds ${left} sockets whose other side has gone`;
}

/** By the real clock, which PostgreSQL has. */
async function noTransactionIsOpen(query: Query): Promise<string | null> {
  const open = await query<{ application: string; seconds: number; query: string }>(
    `select application_name as application, extract(epoch from clock_timestamp() - xact_start)::int as seconds, left(query, 80) as query
     from pg_stat_activity where application_name like 'creator-hq %' and state like 'idle in transaction%'
       and xact_start < clock_timestamp() - make_interval(secs => ${OPEN_TRANSACTION_SECONDS})`,
  );
  const [first] = open;
  if (first === undefined) return null;
  return `${open.length} transactions are open and idle, one of ${first.application} for ${first.seconds} s: ${first.query}`;
}

/** An export comes whole, and as many downloads as there are places can be under way at once. */
async function downloadsAreFree({ name, url }: Watched, large: Caller[], other: Caller): Promise<string | null> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(2 * ANSWERED_WITHIN_MS)]);
  const get = (path: string, { cookie }: Caller) => fetch(`${url}${path}`, { headers: { cookie }, signal });
  try {
    const whole = await get(EXPORT_PATH(other.creatorId), other);
    const text = await whole.text();
    if (whole.status !== 200) return `${name}: an export is refused with ${whole.status}: ${text.slice(0, 200)}`;
    if (!text.endsWith('"complete":true}\n')) return `${name}: an export breaks off after ${text.length} characters`;
    // Not read: each is under way while the others begin.
    const tables = await Promise.all(large.map((caller) => get(INTERACTIONS_CSV_PATH(caller.creatorId), caller)));
    const refused = tables.find(({ status }) => status !== 200);
    if (refused === undefined) return null;
    return `${name}: one of ${large.length} tables at once is refused with ${refused.status}: ${await refused.text()}`;
  } finally {
    leaving.abort();
  }
}

async function streamsAreFree({ name, url }: Watched, { creatorId, cookie }: Caller): Promise<string | null> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(ANSWERED_WITHIN_MS)]);
  const path = `${url}${API_BASE}/creators/${creatorId}/live`;
  try {
    const streams = Array.from({ length: STREAMS }, () => fetch(path, { headers: { cookie }, signal }));
    const refused = (await Promise.all(streams)).filter(({ status }) => status !== 200);
    if (refused.length === 0) return null;
    return `${name}: ${refused.length} of ${STREAMS} live streams are refused with ${refused[0]!.status}`;
  } finally {
    leaving.abort();
  }
}
