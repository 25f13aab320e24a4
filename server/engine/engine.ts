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
import { EngineConnections } from '#server/engine/deciding/connections.ts';
import { Ingester } from '#server/engine/ingest/ingester.ts';
import * as queries from '#server/engine/queries.ts';
import { Dispatcher } from '#server/engine/sending/dispatcher.ts';
import { openLanes } from '#server/engine/sending/lane-closing.ts';
import { loadControls, loadQueued } from '#server/engine/sending/lane-loading.ts';
import { Lanes } from '#server/engine/sending/lanes.ts';
import { createSender, type SenderDeps } from '#server/engine/sending/sender.ts';
import { RENEW_EVERY_MS } from '#server/engine/shards/leases.ts';
import { ShardKeeper } from '#server/engine/shards/shard-keeper.ts';
import { sweep } from '#server/engine/sweep.ts';
import { Wake } from '#server/engine/wake.ts';
import { gatheringMs } from '#server/events/batch-delay.ts';
import type { EventLog } from '#server/events/event-log.ts';
import type { Observed } from '#server/observability/observability.ts';

/** A batch costs as much as some forty comments before its first one; results of calls gather too. A single event waits for nothing. */
const GATHERING = { worthABatch: 200, atMostMs: 30 };
const POLL_EVERY_MS = 1000;
const SWEEP_EVERY_MS = 30_000;
const AFTER_FAILURE_MS = 500;

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
  /** Told when Meta stopped one of the creator's connections, for a while or until they sign in again. */
  onStopped: (creatorId: string, connectionId: string) => void;
  /** Nobody else can be working this database: leases left behind are taken at once. */
  alone: boolean;
  /** Counts and traces what happens. */
  observed?: Observed;
};

/** Dependencies its parts share: the engine's own, and what it makes for them. */
type Parts = EngineDeps & {
  workerId: string;
  lanes: Lanes;
  connections: EngineConnections;
  observed: Observed | undefined;
};

export class Engine {
  private readonly parts: Parts;
  private readonly dispatcher: Dispatcher;
  private readonly ingester: Ingester;
  private readonly shards: ShardKeeper;
  private readonly stopping = new AbortController();
  private loops: Promise<void>[] = [];
  private stopListening = () => {};
  private readonly newEvents = new Wake();
  private readonly newWork = new Wake();

  constructor(deps: EngineDeps) {
    const workerId = deps.ids.uuid(deps.clock.now());
    const parts = { ...deps, workerId, lanes: new Lanes(deps.limits), connections: new EngineConnections() };
    this.parts = { ...parts, observed: deps.observed };
    this.dispatcher = this.createDispatcher();
    this.ingester = new Ingester({
      ...this.parts,
      dispatcher: this.dispatcher,
      heldShards: () => this.shards.held,
      onQueued: () => this.newWork.ring(),
    });
    this.shards = new ShardKeeper({
      ...this.parts,
      dispatcher: this.dispatcher,
      batchEnded: () => this.ingester.batchEnded(),
      onGained: () => this.newEvents.ring(),
      stopping: this.stopping.signal,
    });
  }

  private createDispatcher(): Dispatcher {
    const { parts } = this;
    return new Dispatcher({
      ...parts,
      sender: createSender(parts),
      onReady: () => this.newWork.ring(),
      batchDelay: (count, began) => this.batchDelay(count, began),
      onChanged: (creatorIds) => {
        for (const creatorId of new Set(creatorIds)) parts.onChanged(creatorId, []);
      },
    });
  }

  /** Takes shards and runs until `stop`. */
  async start(): Promise<void> {
    await this.holdShards(this.parts.alone);
    this.stopListening = this.parts.eventLog.onAppended(() => this.newEvents.ring());
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
    await this.shards.leave();
  }

  private async loop(name: string, everyMs: number, work: () => Promise<void>, wake = new Wake()): Promise<void> {
    const { clock, log } = this.parts;
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

  private async ingestUntilEmpty(): Promise<void> {
    for (let count = 1; count > 0 && !this.stopping.signal.aborted; ) {
      const began = performance.now();
      count = await this.ingestOnce();
      if (count > 0) await this.batchDelay(count, began);
    }
  }

  private async dispatchLoop(): Promise<void> {
    const { clock, log } = this.parts;
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

  /** @param began when the batch before began, by `performance.now()` */
  private async batchDelay(count: number, began: number): Promise<void> {
    // Steps that are called one by one wait for nothing.
    if (this.loops.length === 0) return;
    const ms = gatheringMs(GATHERING, { rows: count, tookMs: performance.now() - began });
    if (ms > 0) await this.parts.clock.sleep(ms, this.stopping.signal);
  }

  /** Takes or renews this worker's share of the shards: see `ShardKeeper.renew`. */
  holdShards(takeOver: boolean): Promise<void> {
    return this.shards.renew(takeOver);
  }

  /** Processes the oldest batch of events. Answers how many there were. */
  ingestOnce(): Promise<number> {
    return this.ingester.ingestOnce();
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

  /** Says what expired, and finds what no signal told of: queued work, creators who signed in again, lost claims. */
  async sweep(): Promise<void> {
    const { parts, shards, dispatcher } = this;
    await sweep({ ...parts, dispatcher }, shards.held);
    for (const back of await queries.findSignedIn(parts.pool, parts.lanes.waitingForSignIn())) {
      await this.connectionChanged(back.creatorId, back.connectionId);
    }
    await loadControls(parts, { shards: shards.held });
    await loadQueued(parts, shards.held);
    this.newWork.ring();
  }

  /** The creator changed an automation: the next comment is matched against it. */
  automationsChanged(creatorId: string): void {
    this.parts.connections.forgetCreator(creatorId);
  }

  /** Connected, reconnected, disconnected, or its pause is over: lanes that waited for it go on. */
  async connectionChanged(creatorId: string, connectionId: string): Promise<void> {
    const { pool, clock, connections, onChanged } = this.parts;
    connections.forgetCreator(creatorId);
    const connection = await connections.withId(connectionId, pool);
    if (connection === null || connection.requiresAuth || connection.paused) return;
    await openLanes(this.parts, connectionId, clock.now());
    this.newWork.ring();
    onChanged(creatorId, []);
  }

  /** The creator paused the queue, slowed it down, gave it another order, or let it go again. */
  async queueChanged(creatorId: string, connectionId: string): Promise<void> {
    const { connections, onChanged } = this.parts;
    connections.forgetCreator(creatorId);
    await loadControls(this.parts, { connectionId });
    this.deliveriesQueued(creatorId, connectionId);
    onChanged(creatorId, []);
  }

  /** Another part of the program queued a delivery. */
  deliveriesQueued(creatorId: string, connectionId: string): void {
    const now = this.parts.clock.now().getTime();
    for (const lane of this.parts.lanes.everyOf(creatorId, connectionId)) lane.wake(now, now);
    this.newWork.ring();
  }

  /** Signals may have been missed (the connection that listens broke): believe nothing remembered. */
  async refreshAll(): Promise<void> {
    this.parts.connections.forgetAll();
    await this.sweep();
  }
}
