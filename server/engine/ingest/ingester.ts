/** Takes batches of events out of the log and hands on what was decided about them. */
import type { FastifyBaseLogger } from 'fastify';
import type { Clock, Ids } from '#server/clock.ts';
import { isPassing } from '#server/db/away.ts';
import type { EngineConnections } from '#server/engine/deciding/connections.ts';
import { Picks } from '#server/engine/deciding/picks.ts';
import * as queries from '#server/engine/queries.ts';
import type { Dispatcher } from '#server/engine/sending/dispatcher.ts';
import type { Lanes } from '#server/engine/sending/lanes.ts';
import type { Reservation } from '#server/engine/sending/reservations.ts';
import { confirmLease, LeaseLostError } from '#server/engine/shards/leases.ts';
import { shardOfEvent } from '#server/engine/shards/shards.ts';
import { mapInSlices } from '#server/engine/slices.ts';
import { eventsOf } from '#server/events/bodies.ts';
import type { EventLog, LoggedEvent } from '#server/events/event-log.ts';
import type { Observed } from '#server/observability/observability.ts';
import { type Ingested, ingest } from './ingest.ts';
import type { ReceivedEvent } from './received.ts';

const EVENTS_PER_BATCH = 500;

export type IngesterDeps = {
  eventLog: EventLog;
  clock: Clock;
  ids: Ids;
  /** In [0, 1). */
  random: () => number;
  baseUrl: string;
  log: FastifyBaseLogger;
  observed?: Observed | undefined;
  workerId: string;
  lanes: Lanes;
  connections: EngineConnections;
  dispatcher: Dispatcher;
  heldShards: () => number[];
  /** Something was queued that may go now. */
  onQueued: () => void;
  /** Told, after the fact, whose lists changed and on which posts. */
  onChanged: (creatorId: string, postIds: string[]) => void;
};

export class Ingester {
  private readonly deps: IngesterDeps;
  private readonly picks: Picks;
  private batch: Promise<unknown> = Promise.resolve();

  constructor(deps: IngesterDeps) {
    this.deps = deps;
    this.picks = new Picks(deps.random);
  }

  /** Resolves when the batch that is under way has ended. */
  batchEnded(): Promise<unknown> {
    return this.batch;
  }

  /** Processes the oldest batch of events. Answers how many there were. */
  async ingestOnce(): Promise<number> {
    try {
      return await this.ingestBatch(EVENTS_PER_BATCH);
    } catch (error) {
      if (error instanceof LeaseLostError || isPassing(error)) throw error;
      this.deps.log.error({ err: error }, 'a batch of events could not be worked off; trying them one by one');
      return this.ingestSingle();
    }
  }

  /** One event that nobody can process must not hold up the others: it is parked for a person to look at. */
  private async ingestSingle(): Promise<number> {
    try {
      return await this.ingestBatch(1);
    } catch (error) {
      if (error instanceof LeaseLostError || isPassing(error)) throw error;
      this.deps.log.error({ err: error }, 'an event was parked');
      return this.consume(1, ([event], trx) => queries.parkEvent(trx, event!, String(error)));
    }
  }

  private ingestBatch(most: number): Promise<number> {
    const reservation: Reservation = new Map();
    const ingested = this.ingestReserving(most, reservation).catch((error) => {
      this.deps.dispatcher.giveBack(reservation);
      throw error;
    });
    this.batch = ingested.catch(() => {});
    return ingested;
  }

  private async ingestReserving(most: number, reservation: Reservation): Promise<number> {
    const { dispatcher } = this.deps;
    const reserve = (wanted: Reservation) => {
      for (const [lane, calls] of dispatcher.reserve(wanted)) reservation.set(lane, calls);
      return reservation;
    };
    const began = performance.now();
    let publish = () => {};
    const count = await this.consume(most, async (events, trx) => {
      const ingested = await ingest({ ...this.deps, picks: this.picks, reserve }, trx, await readLogged(events));
      publish = () => this.publishIngested(ingested, reservation, events, began);
    });
    publish();
    return count;
  }

  private async consume(most: number, work: Parameters<EventLog['consume']>[2]): Promise<number> {
    const { eventLog, workerId, heldShards } = this.deps;
    const shards = heldShards();
    if (shards.length === 0) return 0;
    return eventLog.consume(shards, most, work, (trx) => confirmLease(trx, workerId, shards));
  }

  /** After the commit. */
  private publishIngested(
    { queued, begun, changed, decisions, malformed }: Ingested,
    reservation: Reservation,
    events: LoggedEvent[],
    began: number,
  ): void {
    const { observed, dispatcher, lanes, clock, onQueued, onChanged } = this.deps;
    dispatcher.begin(reservation, begun);
    observed?.measures.decided(decisions);
    observed?.measures.malformed(malformed);
    observed?.tracing?.decided(events, decisions, began);
    const now = clock.now().getTime();
    for (const { creatorId, connectionId, lane: kind } of queued) {
      const lane = lanes.of(creatorId, connectionId, kind);
      lane.waiting++;
      lane.wake(now, now);
    }
    if (queued.length > 0) onQueued();
    for (const [creatorId, postIds] of changed) onChanged(creatorId, [...postIds]);
  }
}

/** A body for several shards is logged once for each: each takes its own part. */
async function readLogged(logged: LoggedEvent[]): Promise<ReceivedEvent[]> {
  const read = await mapInSlices(logged, (one) =>
    eventsOf(one)
      .filter((event) => shardOfEvent(event) === one.shard)
      .map((event) => ({ event, receivedAt: one.receivedAt })),
  );
  return read.flat();
}
