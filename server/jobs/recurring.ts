/**
 * Jobs that run every so often (token refresh, syncs, health checks), on one worker at a time. Each is safe to repeat:
 * when a worker dies in the middle, the next turn does it again.
 */
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Clock } from '#server/clock.ts';

export type RecurringJob = { name: string; everyMs: number; run(): Promise<void> };

const LOOK_EVERY_MS = 1000;

/** Runs until `signal` aborts; a job under way is finished first. */
export async function runRecurring(deps: {
  pool: pg.Pool;
  clock: Clock;
  log: FastifyBaseLogger;
  jobs: RecurringJob[];
  signal: AbortSignal;
}): Promise<void> {
  const { pool, clock, log, jobs, signal } = deps;
  const underWay = new Map<string, Promise<void>>();
  while (!signal.aborted) {
    for (const job of jobs) {
      if (underWay.has(job.name)) continue;
      try {
        if (!(await takeTurn(pool, job, clock.now()))) continue;
      } catch (error) {
        log.warn({ err: error, job: job.name }, 'could not look whether a job is due');
        continue;
      }
      const run = job
        .run()
        .catch((error) => log.error({ err: error, job: job.name }, 'a job failed; it will run again'))
        .finally(() => underWay.delete(job.name));
      underWay.set(job.name, run);
    }
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
  await Promise.all(underWay.values());
}

/** True for one caller per turn, over all processes. */
async function takeTurn(pool: pg.Pool, job: RecurringJob, now: Date): Promise<boolean> {
  const next = new Date(now.getTime() + job.everyMs);
  const { rowCount } = await pool.query(
    `insert into recurring_jobs as j (name, next_at) values ($1, $3)
     on conflict (name) do update set next_at = excluded.next_at where j.next_at <= $2`,
    [job.name, now, next],
  );
  return rowCount === 1;
}
