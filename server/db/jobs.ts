/** Work outside requests: what a job is, and how one is queued with the change that causes it. server/jobs runs them. */
import { type Kysely, sql } from 'kysely';
import type { ZodMiniType } from 'zod/mini';
import type { Clock } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';

/** Asked for once, tried until it does not throw. It may run twice, when its worker dies, and never at the same time. */
export type QueuedJob<Deps, Payload extends object> = {
  name: string;
  /** Ids, not rows: two jobs with the same payload are one. The queue shares fairly among different `creatorId`s. */
  payload: ZodMiniType<Payload>;
  /** Most at a time in one process; of one creator half of them. */
  atOnce: number;
  run(deps: Deps, payload: Payload): Promise<unknown>;
};

/** Thrown by a queued job for a failure that it expects and has logged itself, as of somebody else's server. */
export class TryLater extends Error {
  override name = 'TryLater';
  /** Some of its work was done: the next pause is the first one again. */
  readonly hasProgressed: boolean;
  /** How long to wait after so many failures in a row. */
  readonly pauseMs: (failures: number) => number;

  constructor(message: string, { hasProgressed = false, pauseMs = (failures: number) => backOffMs(failures) } = {}) {
    super(message);
    this.hasProgressed = hasProgressed;
    this.pauseMs = pauseMs;
  }
}

/** Runs every so often, in one process at a time. A turn that failed is not repeated; the next one comes. */
export type RecurringJob<Deps> = {
  name: string;
  everyMs: number;
  /** Rows deleted by a wrong clock never come back, so it is held where the clock is in doubt. */
  deletesByAge?: boolean;
  run(deps: Deps): Promise<unknown>;
};

export type Job<Deps> = QueuedJob<Deps, object> | RecurringJob<Deps>;

/**
 * Queues a job, in a transaction of the engine or of the payload's creator: it runs when that commits, never when it does not.
 * One that waits already stays as it is; one that runs now runs once more.
 */
export async function later<Payload extends object>(
  db: Kysely<Tables>,
  { clock }: { clock: Pick<Clock, 'now'> },
  job: Pick<QueuedJob<never, Payload>, 'name' | 'payload'>,
  ...payloads: Payload[]
): Promise<void> {
  if (payloads.length === 0) return;
  const now = clock.now();
  await sql`
    insert into jobs (name, payload, creator_id, created_at, due_at)
    select ${job.name}, payload, (payload ->> 'creatorId')::uuid, ${now}, ${now} from jsonb_array_elements(${JSON.stringify(payloads)}::jsonb) as payload
    on conflict (name, payload) do update set again = true where jobs.lease_id is not null and not jobs.again
  `.execute(db);
}

const FIRST_PAUSE_MS = 5_000;
export const LONGEST_PAUSE_MS = 60 * 60_000;

/** How long to wait after so many failures in a row, counted from 1: 5 s, 15 s, 45 s … at most an hour, or `longestMs`. */
export function backOffMs(failures: number, longestMs = LONGEST_PAUSE_MS): number {
  return Math.min(FIRST_PAUSE_MS * 3 ** (failures - 1), longestMs);
}
