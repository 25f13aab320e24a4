/** Fills the lanes of a shard from what is written down: calls that count against limits, closed lanes, the queue. */
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Clock } from '#server/clock.ts';
import { findQueued, findRecentCalls, requeueInterrupted } from '#server/engine/outcomes/claims.ts';
import * as queries from '#server/engine/queries.ts';
import { CALL_WITHIN_MS } from './dispatcher.ts';
import { type Lanes, LONGEST_WINDOW_MS } from './lanes.ts';

export type LaneLoadingDeps = { pool: pg.Pool; clock: Clock; lanes: Lanes; log: FastifyBaseLogger };

/** All that a worker must know before it claims on shards that it has just taken. */
export async function loadLanes(deps: LaneLoadingDeps, shards: number[]): Promise<void> {
  const { pool, lanes, log } = deps;
  const now = deps.clock.now();
  const interrupted = await requeueInterrupted(pool, shards, now, { calledBefore: null, underWay: [] });
  if (interrupted > 0) log.warn({ interrupted }, 'checking deliveries that were under way when a worker ended');
  await loadRecentCalls(deps, shards, now);
  for (const closed of await queries.findClosedLanes(pool, shards, now)) {
    lanes.of(closed.creatorId, closed.connectionId, closed.lane).close(closed.closedUntil.getTime(), closed.reason);
  }
  await loadControls(deps, { shards });
  await loadQueued(deps, shards);
}

async function loadRecentCalls({ pool, lanes }: LaneLoadingDeps, shards: number[], now: Date): Promise<void> {
  for (const call of await findRecentCalls(pool, shards, new Date(now.getTime() - LONGEST_WINDOW_MS))) {
    // The call itself may have been made as late as this, by a worker that was busy, ending or asleep.
    const claimedAt = call.calledAt.getTime();
    const calledAt = Math.max(claimedAt, Math.min(claimedAt + CALL_WITHIN_MS, now.getTime()));
    const lane = lanes.of(call.creatorId, call.connectionId, call.lane);
    for (let count = 0; count < call.calls; count++) lane.take(calledAt);
    if (call.lane === 'messages' && calledAt >= now.getTime()) lanes.lookUpsOf(call.connectionId).note(calledAt);
  }
}

/** The hand of creators on their queues. */
export async function loadControls(
  { pool, lanes }: LaneLoadingDeps,
  of: { shards: number[] } | { connectionId: string },
): Promise<void> {
  const controls = new Map(
    (await queries.findQueueControls(pool, of)).map(({ connectionId, ...control }) => [connectionId, control]),
  );
  for (const [connectionId, control] of controls) lanes.setControl(connectionId, control);
  const known = 'connectionId' in of ? [of.connectionId] : lanes.controlled();
  for (const connectionId of known) if (!controls.has(connectionId)) lanes.setControl(connectionId, null);
}

/** How many wait in each lane and when something is due there. */
export async function loadQueued({ pool, clock, lanes }: LaneLoadingDeps, shards: number[]): Promise<void> {
  const now = clock.now();
  const queued = await findQueued(pool, shards, now);
  const laneOf = (row: (typeof queued)[number]) => lanes.of(row.creatorId, row.connectionId, row.lane);
  for (const row of queued) laneOf(row).waiting = 0;
  for (const row of queued) {
    laneOf(row).waiting += row.waiting;
    laneOf(row).wake(row.dueAt.getTime(), now.getTime());
  }
}
