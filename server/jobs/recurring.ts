/**
 * Jobs that run every so often (token refresh, syncs, health checks), on one worker at a time. Each is safe to repeat:
 * when a worker dies in the middle, the next turn does it again.
 */
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Clock } from '#server/clock.ts';
import { takeCheckedTurn } from '#server/jobs/clock-check.ts';
import type { Measures } from '#server/observability/measures.ts';
import { scrub } from '#server/observability/scrubbing.ts';

/** `deletesByAge`: what it deletes by a wrong clock never comes back, so it is held where the clock is in doubt. */
export type RecurringJob = { name: string; everyMs: number; deletesByAge?: boolean; run(): Promise<void> };

const LOOK_EVERY_MS = 1000;

/** Runs until `signal` aborts; a job under way is finished first. */
export async function runRecurring(deps: {
  pool: pg.Pool;
  clock: Clock;
  log: FastifyBaseLogger;
  jobs: RecurringJob[];
  signal: AbortSignal;
  measures?: Pick<Measures, 'jobRan'>;
}): Promise<void> {
  const { pool, clock, log, jobs, signal, measures } = deps;
  const underWay = new Map<string, Promise<void>>();
  const held = new Set<string>();
  while (!signal.aborted) {
    for (const job of jobs) {
      if (underWay.has(job.name)) continue;
      try {
        if (!(await takeTurn(job))) continue;
      } catch (error) {
        log.warn({ err: error, job: job.name }, 'could not look whether a job is due');
        continue;
      }
      underWay.set(
        job.name,
        runOne(job).finally(() => underWay.delete(job.name)),
      );
    }
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
  await Promise.all(underWay.values());

  async function takeTurn(job: RecurringJob): Promise<boolean> {
    if (!job.deletesByAge) return takeAnyTurn(pool, job, clock.now());
    const { taken, heldBecause } = await takeCheckedTurn(pool, job, clock.now());
    if (taken) held.delete(job.name);
    if (heldBecause !== null && !held.has(job.name)) {
      held.add(job.name);
      log.warn({ job: job.name, because: heldBecause }, 'a job that deletes is held: the time is in doubt');
    }
    return taken;
  }

  async function runOne(job: RecurringJob): Promise<void> {
    let failure: unknown = null;
    try {
      await job.run();
    } catch (error) {
      failure = error ?? new Error('It failed without a word.');
      log.error({ err: error, job: job.name }, 'a job failed; it will run again');
    }
    measures?.jobRan(job.name, failure === null);
    await noteRun(pool, job, clock.now(), failure).catch((error) =>
      log.warn({ err: error, job: job.name }, 'could not note how a job ended'),
    );
  }
}

/** For the operator's page. */
async function noteRun(pool: pg.Pool, { name }: RecurringJob, now: Date, failure: unknown): Promise<void> {
  if (failure === null) {
    await pool.query('update recurring_jobs set last_succeeded_at = $2, failures_in_a_row = 0 where name = $1', [
      name,
      now,
    ]);
    return;
  }
  await pool.query(
    `update recurring_jobs set last_failed_at = $2, last_failure = $3, failures_in_a_row = failures_in_a_row + 1
     where name = $1`,
    [name, now, scrub(failure instanceof Error ? failure.message : String(failure)).slice(0, 300)],
  );
}

/** True for one caller per turn, over all processes. */
async function takeAnyTurn(pool: pg.Pool, job: RecurringJob, now: Date): Promise<boolean> {
  const next = new Date(now.getTime() + job.everyMs);
  const { rowCount } = await pool.query(
    `insert into recurring_jobs as j (name, next_at) values ($1, $3)
     on conflict (name) do update set next_at = excluded.next_at where j.next_at <= $2`,
    [job.name, now, next],
  );
  return rowCount === 1;
}
