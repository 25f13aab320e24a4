/**
 * The message engine (architecture section 4):
 *
 *     event log → normalise → interaction (unique) → match automations → outcome + delivery     one transaction
 *     lane → claim → call Graph → record result → outcome                                       one dispatcher per lane
 *
 * `start` runs it as loops that wake when there is work. Tests call the steps (`ingestOnce`, `dispatchOnce`) themselves,
 * in simulated time.
 */
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import { isPassing } from '#server/db/away.ts';
import { endTimedOut } from '#server/engine/conversations/conversation-store.ts';
import { EngineConnections } from '#server/engine/deciding/connections.ts';
import { Picks } from '#server/engine/deciding/picks.ts';
import { type IngestDeps, type Ingested, ingest } from '#server/engine/ingest.ts';
import { callOff } from '#server/engine/outcomes/calling-off.ts';
import {
  findQueued,
  findRecentCalls,
  forgetEndedBatches,
  requeueInterrupted,
} from '#server/engine/outcomes/claiming.ts';
import * as queries from '#server/engine/queries.ts';
import { CALL_WITHIN_MS, Dispatcher } from '#server/engine/sending/dispatcher.ts';
import { openLanes } from '#server/engine/sending/lane-closing.ts';
import { LANE_KINDS, type Lane, Lanes, LONGEST_WINDOW_MS } from '#server/engine/sending/lanes.ts';
import type { Reservation } from '#server/engine/sending/reservations.ts';
import { createSender, type SenderDeps } from '#server/engine/sending/sender.ts';
import {
  confirmLease,
  endLeases,
  giveBackShards,
  LeaseLostError,
  leave,
  RENEW_EVERY_MS,
  renewShards,
  takeShards,
} from '#server/engine/shards/leases.ts';
import type { EventLog, LoggedEvent } from '#server/events/event-log.ts';
import { gatheringMs } from '#server/events/gathering.ts';
import type { Observed } from '#server/observability/observing.ts';

const EVENTS_PER_BATCH = 500;
/** A batch costs as much as some forty comments before its first one; results of calls gather too. What comes alone waits for nothing. */
const GATHERING = { worthABatch: 200, atMostMs: 30 };
const POLL_EVERY_MS = 1000;
const SWEEP_EVERY_MS = 30_000;
const AFTER_FAILURE_MS = 500;
/** A claim is answered within moments, or never. */
const FORGOTTEN_AFTER_MS = 60_000;

export type EngineDeps = {
  pool: pg.Pool;
  eventLog: EventLog;
  clock: Clock;
  ids: Ids;
  /** In [0, 1). */
  random: () => number;
  limits: Config['limits'];
  baseUrl: string;
  meta: SenderDeps['meta'];
  speakerOf: SenderDeps['speakerOf'];
  log: FastifyBaseLogger;
  /** Told, after the fact, whose lists changed and on which posts. */
  onChanged: (creatorId: string, postIds: string[]) => void;
  /** Told when Meta stopped one of the creator's connections, for a while or until she signs in again. */
  onStopped: (creatorId: string, connectionId: string) => void;
  /** Nobody else can be working this database: leases left behind are taken at once. */
  alone: boolean;
  /** Counts and traces what happens. */
  observed?: Observed;
};

export class Engine {
  private readonly deps: EngineDeps;
  private readonly workerId: string;
  private readonly lanes: Lanes;
  private readonly connections = new EngineConnections();
  private readonly dispatcher: Dispatcher;
  private readonly picks: Picks;
  private held: number[] = [];
  /** The batch of events that is being worked off. */
  private batch: Promise<unknown> = Promise.resolve();
  private stopping = new AbortController();
  private loops: Promise<void>[] = [];
  private stopListening = () => {};
  private readonly newEvents = new Wake();
  private readonly newWork = new Wake();

  constructor(deps: EngineDeps) {
    this.deps = deps;
    this.workerId = deps.ids.uuid(deps.clock.now());
    this.lanes = new Lanes(deps.limits);
    this.picks = new Picks(deps.random);
    this.dispatcher = new Dispatcher({
      pool: deps.pool,
      workerId: this.workerId,
      clock: deps.clock,
      ids: deps.ids,
      lanes: this.lanes,
      connections: this.connections,
      baseUrl: deps.baseUrl,
      sender: createSender({
        pool: deps.pool,
        clock: deps.clock,
        connections: this.connections,
        lanes: this.lanes,
        meta: deps.meta,
        speakerOf: deps.speakerOf,
      }),
      log: deps.log,
      observed: deps.observed,
      onReady: () => this.newWork.ring(),
      batchDelay: (count, began) => this.batchDelay(count, began),
      onChanged: (creatorIds) => {
        for (const creatorId of new Set(creatorIds)) deps.onChanged(creatorId, []);
      },
      onStopped: deps.onStopped,
    });
  }

  /** Takes shards and runs until `stop`. */
  async start(): Promise<void> {
    await this.holdShards(this.deps.alone);
    this.stopListening = this.deps.eventLog.onAppended(() => this.newEvents.ring());
    this.loops = [
      this.loop('leases', RENEW_EVERY_MS, () => this.holdShards(false)),
      this.loop('ingest', POLL_EVERY_MS, () => this.ingestUntilEmpty(), this.newEvents),
      this.dispatchLoop(),
      this.loop('sweep', SWEEP_EVERY_MS, () => this.sweep()),
    ];
  }

  /** Finishes what is under way, so that no delivery is cut in half, then gives the shards back. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.stopListening();
    this.newEvents.ring();
    this.newWork.ring();
    await Promise.all(this.loops);
    this.dispatcher.startBegun();
    await this.dispatcher.idle();
    await leave(this.deps.pool, this.workerId).catch((error) =>
      this.deps.log.warn({ err: error }, 'the shards could not be given back: their leases run out by themselves'),
    );
  }

  /**
   * Renews the shards held, takes free ones and gives back what is too much: every worker has its share.
   *
   * @param takeOver takes all of them, whoever holds them: see `endLeases`
   */
  async holdShards(takeOver: boolean): Promise<void> {
    const { pool, log, observed } = this.deps;
    if (takeOver) await endLeases(pool, this.workerId);
    const { held, share } = await renewShards(pool, this.workerId);
    const gone = this.held.filter((shard) => !held.includes(shard));
    if (gone.length > 0) {
      log.warn({ gone }, 'lost shards; another worker took over');
      this.held = this.held.filter((shard) => held.includes(shard));
      await this.forgetLanes(gone);
    }
    const unread = held.filter((shard) => !this.held.includes(shard));
    const gained = await this.takeShards(unread, share - held.length);
    if (this.held.length > share) await this.giveBack(this.held.slice(share));
    observed?.measures.shardsHeld(this.held.length, gained, gone.length);
  }

  /** Answers how many changed hands. No call is claimed before their lanes know of the calls of the last hour. */
  private async takeShards(unread: number[], missing: number): Promise<number> {
    if (unread.length > 0 || missing > 0) {
      const gained = await this.dispatcher.withoutClaims(async () => {
        const taken = missing > 0 ? await takeShards(this.deps.pool, this.workerId, missing) : [];
        const fresh = [...unread, ...taken];
        if (fresh.length > 0) {
          await this.forgetLanes(fresh);
          await this.recover(fresh);
          this.held = [...this.held, ...fresh].sort((one, other) => one - other);
          this.newEvents.ring();
        }
        return taken.length;
      });
      return gained;
    }
    this.dispatcher.resumeClaims();
    return 0;
  }

  /** Another worker has joined: it goes on where nothing is under way any more, or as good as nothing. */
  private async giveBack(shards: number[]): Promise<void> {
    const { clock, log, pool } = this.deps;
    const leaving = await this.dispatcher.withoutClaims(async () => {
      this.held = this.held.filter((shard) => !shards.includes(shard));
      await this.batch;
      this.dispatcher.startBegun();
      return this.forgetLanes(shards);
    });
    const waited = new AbortController();
    const longEnough = clock.sleep(RENEW_EVERY_MS, AbortSignal.any([waited.signal, this.stopping.signal]));
    await Promise.race([this.dispatcher.ended(leaving), longEnough]);
    waited.abort();
    await giveBackShards(pool, this.workerId, shards);
    log.info({ shards }, 'gave shards back: another worker takes its share');
  }

  /** Counters of lanes that others work, or worked meanwhile, would be wrong: they are read again when we have them back. */
  private async forgetLanes(shards: number[]): Promise<Lane[]> {
    await this.batch;
    const connections = await queries.findConnectionsOn(this.deps.pool, shards, this.lanes.connectionIds());
    const forgotten = this.lanes.forget(connections);
    this.dispatcher.dropForgotten();
    return forgotten;
  }

  private async recover(shards: number[]): Promise<void> {
    const { pool, clock, log } = this.deps;
    const now = clock.now();
    const interrupted = await requeueInterrupted(pool, shards, now, { calledBefore: null, underWay: [] });
    if (interrupted > 0) log.warn({ interrupted }, 'checking deliveries that were under way when a worker ended');
    for (const call of await findRecentCalls(pool, shards, new Date(now.getTime() - LONGEST_WINDOW_MS))) {
      // The call itself may have been made as late as this, by a worker that was busy, ending or asleep.
      const claimedAt = call.calledAt.getTime();
      const calledAt = Math.max(claimedAt, Math.min(claimedAt + CALL_WITHIN_MS, now.getTime()));
      const lane = this.lanes.of(call.creatorId, call.connectionId, call.lane);
      for (let count = 0; count < call.calls; count++) lane.take(calledAt);
      if (call.lane === 'messages' && calledAt >= now.getTime()) this.lanes.lookUpsOf(call.connectionId).note(calledAt);
    }
    for (const closed of await queries.findClosedLanes(pool, shards, now)) {
      this.lanes
        .of(closed.creatorId, closed.connectionId, closed.lane)
        .close(closed.closedUntil.getTime(), closed.reason);
    }
    await this.readControls({ shards });
    await this.countQueued(shards, now);
  }

  private async readControls(of: { shards: number[] } | { connectionId: string }): Promise<void> {
    const controls = new Map(
      (await queries.findQueueControls(this.deps.pool, of)).map(({ connectionId, ...control }) => [
        connectionId,
        control,
      ]),
    );
    for (const [connectionId, control] of controls) this.lanes.setControl(connectionId, control);
    const known = 'connectionId' in of ? [of.connectionId] : this.lanes.controlled();
    for (const connectionId of known) if (!controls.has(connectionId)) this.lanes.setControl(connectionId, null);
  }

  private async ingestUntilEmpty(): Promise<void> {
    for (let count = 1; count > 0 && !this.stopping.signal.aborted; ) {
      const began = performance.now();
      count = await this.ingestOnce();
      if (count > 0) await this.batchDelay(count, began);
    }
  }

  /** @param began when the batch before began, by `performance.now()` */
  private async batchDelay(count: number, began: number): Promise<void> {
    // Steps that are called one by one wait for nothing.
    if (this.loops.length === 0) return;
    const ms = gatheringMs(GATHERING, { rows: count, tookMs: performance.now() - began });
    if (ms > 0) await this.deps.clock.sleep(ms, this.stopping.signal);
  }

  /** Works off the oldest batch of events. Answers how many there were. */
  async ingestOnce(): Promise<number> {
    const { log } = this.deps;
    try {
      return await this.ingestBatch(EVENTS_PER_BATCH);
    } catch (error) {
      if (error instanceof LeaseLostError || isPassing(error)) throw error;
      log.error({ err: error }, 'a batch of events could not be worked off; trying them one by one');
      return this.ingestSingle();
    }
  }

  private ingestBatch(most: number): Promise<number> {
    const reservation: Reservation = new Map();
    const worked = this.workOff(most, reservation).catch((error) => {
      this.dispatcher.giveBack(reservation);
      throw error;
    });
    this.batch = worked.catch(() => {});
    return worked;
  }

  private async workOff(most: number, reservation: Reservation): Promise<number> {
    const { eventLog, ids, clock, baseUrl, log } = this.deps;
    const shards = this.held;
    if (shards.length === 0) return 0;
    let ingested: Ingested | null = null;
    let batch: LoggedEvent[] = [];
    const deps: IngestDeps = {
      clock,
      ids,
      lanes: this.lanes,
      connections: this.connections,
      baseUrl,
      log,
      pickPublicReply: (automation, language) => this.picks.publicReply(automation, language),
      pickVariant: (automation) => this.picks.variant(automation),
      reserve: (wanted) => {
        for (const [lane, calls] of this.dispatcher.reserve(wanted)) reservation.set(lane, calls);
        return reservation;
      },
    };
    const began = performance.now();
    const count = await eventLog.consume(
      shards,
      most,
      async (events, trx) => {
        batch = events;
        ingested = await ingest(deps, trx, events);
      },
      (trx) => confirmLease(trx, this.workerId, shards),
    );
    if (ingested !== null) this.announce(ingested, reservation, batch, began);
    return count;
  }

  /** One event that nobody can work off must not hold up the others: it is parked for a person to look at. */
  private async ingestSingle(): Promise<number> {
    try {
      return await this.ingestBatch(1);
    } catch (error) {
      if (error instanceof LeaseLostError || isPassing(error)) throw error;
      this.deps.log.error({ err: error }, 'an event was parked');
      const shards = this.held;
      return this.deps.eventLog.consume(
        shards,
        1,
        ([event], trx) => queries.parkEvent(trx, event!, String(error)),
        (trx) => confirmLease(trx, this.workerId, shards),
      );
    }
  }

  private announce(
    { queued, begun, changed, decisions, malformed }: Ingested,
    reservation: Reservation,
    batch: LoggedEvent[],
    began: number,
  ): void {
    const { observed } = this.deps;
    this.dispatcher.begin(reservation, begun);
    observed?.measures.decided(decisions);
    observed?.measures.malformed(malformed);
    observed?.tracing?.decided(batch, decisions, began);
    const now = this.deps.clock.now().getTime();
    for (const { creatorId, connectionId, lane: kind } of queued) {
      const lane = this.lanes.of(creatorId, connectionId, kind);
      lane.waiting++;
      lane.wake(now, now);
    }
    if (queued.length > 0) this.newWork.ring();
    for (const [creatorId, postIds] of changed) this.deps.onChanged(creatorId, [...postIds]);
  }

  private async dispatchLoop(): Promise<void> {
    const { clock, log } = this.deps;
    while (!this.stopping.signal.aborted) {
      try {
        if ((await this.dispatcher.claimAndCall()) > 0) continue;
        const waitMs = Math.min(POLL_EVERY_MS, Math.max(0, this.dispatcher.nextAt() - clock.now().getTime()));
        await this.newWork.wait(clock, Math.max(1, waitMs), this.stopping.signal);
      } catch (error) {
        log.error({ err: error }, 'dispatching failed; going on');
        await clock.sleep(AFTER_FAILURE_MS, this.stopping.signal);
      }
    }
  }

  /** Starts sending what may go now. Answers how many were claimed. */
  claimAndCall(): Promise<number> {
    return this.dispatcher.claimAndCall();
  }

  /** Sends what may go now and waits for the answers. Answers how many were claimed. */
  async dispatchOnce(): Promise<number> {
    const claimed = await this.claimAndCall();
    await this.dispatcher.idle();
    return claimed;
  }

  /** When the dispatcher has something to do next, in ms since 1970; Infinity when it knows of nothing. */
  nextDispatchAt(): number {
    return this.dispatcher.nextAt();
  }

  /**
   * Says what expired, and finds what no signal told of: queued work, creators who signed in again, claims whose answer
   * was lost with the database.
   */
  async sweep(): Promise<void> {
    const { pool, clock, log } = this.deps;
    const now = clock.now();
    const late = await callOff(pool, { overdue: 'deadline' }, 'deadline_passed', now);
    const over = await callOff(pool, { overdue: 'live' }, 'live_over', now);
    for (const creatorId of [...late.creatorIds, ...over.creatorIds]) this.deps.onChanged(creatorId, []);
    await endTimedOut(pool, now);
    const forgotten = await requeueInterrupted(pool, this.held, now, {
      calledBefore: new Date(now.getTime() - FORGOTTEN_AFTER_MS),
      underWay: this.dispatcher.deliveriesUnderWay(),
    });
    if (forgotten > 0) log.warn({ forgotten }, 'checking deliveries whose claim broke off');
    await forgetEndedBatches(pool);
    for (const back of await queries.findSignedIn(pool, this.lanes.waitingForSignIn())) {
      await this.connectionChanged(back.creatorId, back.connectionId);
    }
    await this.readControls({ shards: this.held });
    await this.countQueued(this.held, now);
    this.newWork.ring();
  }

  private async countQueued(shards: number[], now: Date): Promise<void> {
    const queued = await findQueued(this.deps.pool, shards, now);
    const laneOf = (row: (typeof queued)[number]) => this.lanes.of(row.creatorId, row.connectionId, row.lane);
    for (const row of queued) laneOf(row).waiting = 0;
    for (const row of queued) {
      laneOf(row).waiting += row.waiting;
      laneOf(row).wake(row.dueAt.getTime(), now.getTime());
    }
  }

  /** The creator changed an automation: the next comment is matched against it. */
  automationsChanged(creatorId: string): void {
    this.connections.forgetCreator(creatorId);
  }

  /** Connected, reconnected, disconnected, or its pause is over: lanes that waited for it go on. */
  async connectionChanged(creatorId: string, connectionId: string): Promise<void> {
    const { pool, clock } = this.deps;
    this.connections.forgetCreator(creatorId);
    const connection = await this.connections.withId(connectionId, pool);
    if (connection === null || connection.requiresAuth || connection.paused) return;
    const now = clock.now();
    await openLanes({ pool, lanes: this.lanes }, connectionId, now);
    this.newWork.ring();
    this.deps.onChanged(creatorId, []);
  }

  /** The creator paused the queue, slowed it down, gave it another order, or let it go again. */
  async queueChanged(creatorId: string, connectionId: string): Promise<void> {
    this.connections.forgetCreator(creatorId);
    await this.readControls({ connectionId });
    this.deliveriesQueued(creatorId, connectionId);
    this.deps.onChanged(creatorId, []);
  }

  /** Another part of the program queued a delivery. */
  deliveriesQueued(creatorId: string, connectionId: string): void {
    const now = this.deps.clock.now().getTime();
    for (const kind of LANE_KINDS) this.lanes.of(creatorId, connectionId, kind).wake(now, now);
    this.newWork.ring();
  }

  /** Signals may have been missed (the connection that listens broke): believe nothing remembered. */
  async refreshAll(): Promise<void> {
    this.connections.forgetAll();
    await this.sweep();
  }

  private async loop(name: string, everyMs: number, work: () => Promise<void>, wake = new Wake()): Promise<void> {
    const { clock, log } = this.deps;
    while (!this.stopping.signal.aborted) {
      try {
        await work();
        await wake.wait(clock, everyMs, this.stopping.signal);
      } catch (error) {
        log.error({ err: error, loop: name }, 'the engine stumbled; going on');
        await clock.sleep(AFTER_FAILURE_MS, this.stopping.signal);
      }
    }
  }
}

/** Lets a loop sleep until there is work; ringing while it is awake is not lost. */
class Wake {
  private rung = false;
  private waiting: (() => void) | null = null;

  ring(): void {
    this.rung = true;
    this.waiting?.();
  }

  async wait(clock: Clock, atMostMs: number, signal: AbortSignal): Promise<void> {
    if (!this.rung && !signal.aborted) {
      const woken = new AbortController();
      const rung = new Promise<void>((resolve) => {
        this.waiting = resolve;
      });
      await Promise.race([rung, clock.sleep(atMostMs, AbortSignal.any([woken.signal, signal]))]);
      woken.abort();
      this.waiting = null;
    }
    this.rung = false;
  }
}
