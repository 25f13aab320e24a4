/**
 * `/healthz`: this process answers. `/readyz`: it can do its work; a proxy sends no visitors and a deployment does not
 * go on while it says 503. Neither asks who calls, and neither tells more than which part or setting is wrong.
 */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { diskState } from '#contract/admin.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { pendingMigrations } from '#server/db/migrate.ts';
import type { EventLog } from '#server/events/event-log.ts';
import type { SetupNote } from '#server/http/setup-notes.ts';
import type { ReadDisk } from '#server/observability/disk.ts';
import type { Observed } from '#server/observability/observability.ts';

export type HealthDeps = {
  db: Database;
  clock: Clock;
  eventLog: EventLog;
  /** Messages go out only while a worker runs, here or elsewhere; false for a process that is started before any. */
  expectWorker: boolean;
  observed: Pick<Observed, 'measures'>;
  readDisk: ReadDisk;
  /** Settings the operator forgot; nothing is less ready because of them. */
  setupNotes(): SetupNote[];
};

type Part = { ok: boolean; detail: string };

/** Several proxies ask every second: the answer is worth that long. */
const KEPT_MS = 1000;
const CHECK_TIMEOUT_MS = 3000;
/** Events live for milliseconds; a minute means that nobody works them off. */
const OLDEST_EVENT_MS = 60_000;
const HEARTBEAT_SECONDS = 30;

export function registerHealth(app: FastifyInstance, deps: HealthDeps): void {
  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok', uptimeSeconds: Math.floor(process.uptime()) };
  });

  let kept: { at: number; answer: ReturnType<typeof checkAll> } | null = null;
  app.get('/readyz', async (_request, reply) => {
    const now = deps.clock.now().getTime();
    if (kept === null || now - kept.at >= KEPT_MS) kept = { at: now, answer: checkAll(deps) };
    const answer = await kept.answer;
    return reply
      .code(answer.status === 'ready' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ...answer, notes: deps.setupNotes().map(({ setting, says }) => `${setting}: ${says}`) });
  });
}

async function checkAll(deps: HealthDeps) {
  const [database, migrations, webhooks, eventLog, worker, disk] = await Promise.all([
    check(() => checkDatabase(deps)),
    check(() => checkMigrations(deps)),
    check(() => checkWebhooks(deps)),
    check(() => checkEventLog(deps)),
    deps.expectWorker ? check(() => checkWorker(deps)) : Promise.resolve({ ok: true, detail: 'not expected here' }),
    check(() => checkDisk(deps)),
  ]);
  const parts = { database, migrations, webhooks, eventLog, worker, disk };
  const ready = Object.values(parts).every((part) => part.ok);
  return { status: ready ? ('ready' as const) : ('not_ready' as const), parts };
}

/** A part that throws or hangs is not ready; why stays in the database's own log. */
async function check(work: () => Promise<Part>): Promise<Part> {
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  const tooLate = new Promise<Part>((resolve) => {
    signal.addEventListener('abort', () => resolve({ ok: false, detail: 'does not answer' }), { once: true });
  });
  const checked = work().catch((error: { code?: string }) => ({
    ok: false,
    detail: `cannot be reached (${error.code ?? 'error'})`,
  }));
  return Promise.race([checked, tooLate]);
}

async function checkDatabase({ db }: HealthDeps): Promise<Part> {
  await Promise.all([sql`select`.execute(db.app), sql`select`.execute(db.engine)]);
  return { ok: true, detail: 'answers' };
}

async function checkMigrations({ db }: HealthDeps): Promise<Part> {
  const pending = await pendingMigrations(db.enginePool);
  return pending.length === 0
    ? { ok: true, detail: 'up to date' }
    : { ok: false, detail: `${pending.length} not applied yet` };
}

/** With an event log of its own they are taken while the database is away. */
async function checkWebhooks({ eventLog, observed }: HealthDeps): Promise<Part> {
  // A database that still answers may take nothing any more: its disk is full.
  if (observed.measures.refusesEvents()) return { ok: false, detail: 'the last one could not be written' };
  await eventLog.lag();
  return { ok: true, detail: 'accepted' };
}

async function checkEventLog({ eventLog, clock }: HealthDeps): Promise<Part> {
  const { waiting, oldest } = await eventLog.lag();
  const ageMs = oldest === null ? 0 : clock.now().getTime() - oldest.getTime();
  return { ok: ageMs <= OLDEST_EVENT_MS, detail: `${waiting} waiting, the oldest for ${Math.round(ageMs / 1000)} s` };
}

/** How much there is exactly nobody outside has to know. */
async function checkDisk({ readDisk }: HealthDeps): Promise<Part> {
  const state = diskState(await readDisk());
  return { ok: state !== 'nearly_full', detail: { enough: 'enough', low: 'low', nearly_full: 'nearly full' }[state] };
}

/** By the database's clock, which the workers' heartbeats are written with or near to. */
async function checkWorker({ db }: HealthDeps): Promise<Part> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from now() - max(seen_at))::integer as seconds from worker_heartbeats
  `.execute(db.engine);
  const seconds = rows[0]?.seconds ?? null;
  if (seconds === null) return { ok: false, detail: 'none has started yet' };
  return { ok: seconds <= HEARTBEAT_SECONDS, detail: `last seen ${Math.max(0, seconds)} s ago` };
}
