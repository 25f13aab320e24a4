/** Work without a signal: expired deliveries, claims whose answer was lost with the database, batches of workers that died. */
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Clock } from '#server/clock.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { endTimedOut } from '#server/engine/conversations/conversation-store.ts';
import { callOff } from '#server/engine/outcomes/calling-off.ts';
import { forgetEndedBatches, requeueInterrupted } from '#server/engine/outcomes/claims.ts';
import type { Dispatcher } from '#server/engine/sending/dispatcher.ts';

/** A claim is answered within moments, or never. */
const FORGOTTEN_AFTER_MS = 60_000;

export type SweepDeps = {
  pool: pg.Pool;
  clock: Clock;
  log: FastifyBaseLogger;
  dispatcher: Dispatcher;
  onChanged: (creatorId: string, postIds: string[]) => void;
};

export async function sweep({ pool, clock, log, dispatcher, onChanged }: SweepDeps, shards: number[]): Promise<void> {
  const now = clock.now();
  const late = await inTransaction(pool, (trx) => callOff(trx, { overdue: 'deadline' }, 'deadline_passed', now));
  const over = await inTransaction(pool, (trx) => callOff(trx, { overdue: 'live' }, 'live_over', now));
  for (const creatorId of [...late.creatorIds, ...over.creatorIds]) onChanged(creatorId, []);
  await endTimedOut(pool, now);
  const forgotten = await requeueInterrupted(pool, shards, now, {
    calledBefore: new Date(now.getTime() - FORGOTTEN_AFTER_MS),
    underWay: dispatcher.deliveriesUnderWay(),
  });
  if (forgotten > 0) log.warn({ forgotten }, 'checking deliveries whose claim broke off');
  await forgetEndedBatches(pool);
}
