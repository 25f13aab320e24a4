/**
 * Runs the jobs of the queue (server/db/jobs.ts).
 *
 * A process takes what is due with a lease of half a minute and renews it while the job runs. When the process dies, another
 * takes the job over within that half minute. So a job runs at least once, and twice only when its process died, or
 * lost the database for so long, between the work and our note of it. Jobs that throw are tried again, later each time
 * (`backOffMs`); when to give up is the job's to say. Recurring jobs run in one process at a time, at their next turn after a failure.
 */
import type { FastifyBaseLogger } from 'fastify';
import * as z from 'zod/mini';
import type { Clock, Ids } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { backOffMs, type Job, LONGEST_PAUSE_MS, type RecurringJob, TryLater } from '#server/db/jobs.ts';
import { type Doubt, findDoubt, MOST_APART_MS } from '#server/jobs/clock-check.ts';
import type { Measures } from '#server/observability/measures.ts';
import { scrub } from '#server/observability/scrub.ts';
import * as queries from './queries.ts';

export type RunningDeps = {
  db: Pick<Database, 'engine' | 'enginePool'>;
  clock: Clock;
  ids: Ids;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  observed?: { measures: Pick<Measures, 'jobRan'> };
};

const LOOK_EVERY_MS = 1_000;
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;

/** Runs until `signal` aborts; resolves when the jobs under way are done. Safe to run in any number of processes. */
export async function runJobs<Deps>(jobs: Job<Deps>[], deps: Deps & RunningDeps, signal: AbortSignal): Promise<void> {
  const running = nothingRunning();
  let wake = () => {};
  signal.addEventListener('abort', () => wake(), { once: true });
  while (!signal.aborted) {
    const nap = new AbortController();
    wake = () => nap.abort();
    try {
      const claimed = await claimDue(jobs, deps, running);
      // Held jobs stay due: looking again at once would never end.
      for (const run of claimed) void run.ended.then((ran) => ran && wake());
    } catch (error) {
      deps.log.error({ err: error }, 'the jobs that are due cannot be read; trying again');
    }
    await deps.clock.sleep(LOOK_EVERY_MS, nap.signal);
  }
  await Promise.all([...running.jobs].map(({ ended }) => ended));
}

/** One round, for tests: runs what is due now. @returns how many jobs ran */
export async function runDue<Deps>(jobs: Job<Deps>[], deps: Deps & RunningDeps): Promise<number> {
  const claimed = await claimDue(jobs, deps, nothingRunning());
  await Promise.all(claimed.map(({ ended }) => ended));
  return claimed.length;
}

type Running = {
  jobs: Set<{ name: string; creatorId: string | null; ended: Promise<boolean> }>;
  /** Names of the jobs that are held: the log says so once. */
  held: Set<string>;
  /** Whether all jobs that recur have their rows. */
  begun: boolean;
};

const nothingRunning = (): Running => ({ jobs: new Set(), held: new Set(), begun: false });

async function claimDue<Deps>(jobs: Job<Deps>[], deps: Deps & RunningDeps, running: Running) {
  const { db, clock, ids } = deps;
  const now = clock.now();
  if (!running.begun) {
    const recurring = jobs.filter((job) => 'everyMs' in job);
    await queries.addRecurring(
      db.engine,
      recurring.map(({ name }) => name),
      now,
    );
    running.begun = true;
  }
  const leaseId = ids.uuid(now);
  const claimed = await queries.claim(db.engine, {
    wanted: jobs.map((job) => wantedOf(job, running, now)).filter(({ free }) => free > 0),
    running: [...running.jobs].flatMap(({ name, creatorId }) => (creatorId === null ? [] : [{ name, creatorId }])),
    leaseId,
    now,
    until: new Date(now.getTime() + LEASE_MS),
  });
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const runs = claimed.map((row) => {
    const ended = runOne(byName.get(row.name)!, deps, row, { leaseId, now, held: running.held });
    const run = { name: row.name, creatorId: row.creator_id, ended };
    running.jobs.add(run);
    void ended.finally(() => running.jobs.delete(run));
    return run;
  });
  if (runs.length > 0) void renewWhile(Promise.all(runs.map(({ ended }) => ended)), deps, leaseId);
  return runs;
}

function wantedOf<Deps>(job: Job<Deps>, running: Running, now: Date): queries.Wanted {
  const atOnce = 'everyMs' in job ? 1 : job.atOnce;
  const furthestMs = 'everyMs' in job ? job.everyMs : LONGEST_PAUSE_MS;
  return {
    name: job.name,
    free: atOnce - [...running.jobs].filter(({ name }) => name === job.name).length,
    share: Math.ceil(atOnce / 2),
    latest: new Date(now.getTime() + Math.max(furthestMs, LEASE_MS) + MOST_APART_MS),
  };
}

/** Never throws: what cannot be noted stays leased, and comes again. @returns false when it was held instead */
async function runOne<Deps>(
  job: Job<Deps>,
  deps: Deps & RunningDeps,
  row: queries.ClaimedJob,
  { leaseId, now, held }: { leaseId: string; now: Date; held: Set<string> },
): Promise<boolean> {
  const { db, clock, log } = deps;
  const leased = { name: row.name, payload: row.payload, leaseId };
  try {
    if ('deletesByAge' in job && job.deletesByAge) {
      const doubt = await findDoubt(
        db.enginePool,
        { everyMs: job.everyMs, dueAt: row.was_due_at, heldUntil: row.held_until },
        now,
      );
      if (doubt !== null) {
        await hold(job, doubt, leased, deps, held);
        return false;
      }
      held.delete(job.name);
    }
    const failure = await failureOf(job, deps, row);
    if (failure !== null && !(failure instanceof TryLater))
      log.error({ err: failure, job: job.name }, 'a job failed; it will run again');
    deps.observed?.measures.jobRan(job.name, failure === null);
    if ('everyMs' in job || failure !== null) {
      const expected = failure instanceof TryLater ? failure : null;
      const before = expected?.hasProgressed ? 0 : row.failures_in_a_row;
      const failures = failure === null ? 0 : before + 1;
      const after = clock.now();
      const pauseMs = (expected?.pauseMs ?? backOffMs)(failures);
      await queries.release(db.engine, leased, {
        due_at: 'everyMs' in job ? new Date(now.getTime() + job.everyMs) : new Date(after.getTime() + pauseMs),
        failures_in_a_row: failures,
        held_until: null,
        held_because: null,
        ...(failure === null
          ? { last_succeeded_at: after }
          : { last_failed_at: after, last_failure: scrub(failure.message).slice(0, 300) }),
      });
    } else await queries.remove(db.engine, leased, clock.now());
  } catch (error) {
    log.warn({ err: error, job: job.name }, 'could not note how a job ended');
  }
  return true;
}

async function failureOf<Deps>(
  job: Job<Deps>,
  deps: Deps & RunningDeps,
  { payload }: queries.ClaimedJob,
): Promise<Error | null> {
  try {
    await ('everyMs' in job ? job.run(deps) : job.run(deps, z.parse(job.payload, payload)));
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error ?? 'It failed without a word.'));
  }
}

async function hold<Deps>(
  { name }: RecurringJob<Deps>,
  { because, until, askAt }: Doubt,
  leased: queries.Leased,
  { db, log }: RunningDeps,
  held: Set<string>,
): Promise<void> {
  if (!held.has(name)) log.warn({ job: name, because }, 'a job that deletes is held: the time is in doubt');
  held.add(name);
  await queries.release(db.engine, leased, {
    due_at: askAt,
    held_until: until,
    ...(because !== null && { held_because: because }),
  });
}

async function renewWhile(ended: Promise<unknown>, { db, clock, log }: RunningDeps, leaseId: string): Promise<void> {
  const done = new AbortController();
  void ended.then(() => done.abort());
  for (;;) {
    await clock.sleep(RENEW_EVERY_MS, done.signal);
    if (done.signal.aborted) return;
    try {
      await queries.renew(db.engine, leaseId, new Date(clock.now().getTime() + LEASE_MS));
    } catch (error) {
      log.warn({ err: error }, 'the lease on jobs under way could not be renewed');
    }
  }
}
