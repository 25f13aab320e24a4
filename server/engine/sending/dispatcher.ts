/**
 * Sends what is queued, lane by lane: claim (durably marked `sending`) → call Meta → record the result. Calls run side
 * by side; claims and records are batched over all lanes.
 *
 * The states of a delivery (`deliveries.state`), and who moves it:
 *
 *     ingest ──▶ queued ──claim──▶ sending ──call, record──▶ sent
 *                  ▲                  │
 *                  └── waits, retry ──┴──▶ failed            not to be tried again
 *     queued ── called off ──▶ cancelled                     nobody wants it any more
 *     queued ── called off ──▶ expired                       there is no time left for it
 *
 * | from     | to        | when                                               | moved by                                     |
 * | -------- | --------- | -------------------------------------------------- | -------------------------------------------- |
 * |          | queued    | it was decided, or follows a message that was sent | `outcomes/decisions.ts`, `results-log.ts`      |
 * |          | sending   | it was decided and a call was set aside for it     | `Reservations`, `outcomes/decisions.ts`      |
 * | queued   | sending   | it is due, its lane is open and has a turn         | `Dispatcher.claimAndCall`                    |
 * | sending  | sent      | Meta took it, or it is found to have arrived       | `attempt.ts`, `Recorder`                     |
 * | sending  | queued    | Meta asks to wait, or does not answer (`uncertain`) | the same                                    |
 * | sending  | failed    | Meta refuses it, or all tries are used up          | the same                                     |
 * | sending  | cancelled | its person or conversation went another way        | the same                                     |
 * | sending  | expired   | there is no time left                              | the same                                     |
 * | sending  | queued    | its worker died or lost the shard (`uncertain`)    | `outcomes/claims.ts`, requeueInterrupted   |
 * | queued   | cancelled, expired | STOP, taken over, too late …              | `outcomes/calling-off.ts`                    |
 *
 * `sending` is durable before the call. So whatever a dead worker leaves in it may have arrived: it is `uncertain` from then
 * on, and looked for before it goes out again (`look-ups.ts`). What is called off while it is uncertain stays queued until
 * it was looked for (`called_off`).
 *
 * Who holds what in memory: `Lanes` the turns of each lane, `Reservations` calls set aside, `CallsUnderWay` calls until
 * their result is recorded, `Recorder` results until they are durable, `LaneClosing` the limit of the whole app.
 */
import type pg from 'pg';
import { claim } from '#server/engine/outcomes/claims.ts';
import type { ClaimedDelivery } from '#server/engine/outcomes/rows.ts';
import { LEASE_SECONDS } from '#server/engine/shards/leases.ts';
import { type AttemptDeps, attempt, type Finished } from './attempt.ts';
import { CallsUnderWay, type CallUnderWay } from './calls-under-way.ts';
import { LaneClosing, type LaneClosingDeps } from './lane-closing.ts';
import type { Lane, Lanes } from './lanes.ts';
import { Recorder, type RecorderDeps } from './recorder.ts';
import { type Reservation, Reservations } from './reservations.ts';

/**
 * Claimed and not yet answered, over all connections; how many sockets there are, the client of Meta decides. With its 128,
 * and a Meta that takes a second, the last of them is called after six: sooner than a lease runs out (LEASE_SECONDS).
 */
const CALLS_AT_ONCE = 768;
/** Nothing is set aside beyond this: the rest is left to lanes in which somebody waits. A full batch finds room. */
const RESERVABLE = 640;

/**
 * A worker that slept longer calls no more: another one has its shard by then, and looks after half a minute
 * (CHECK_AFTER_MS) for what this one may have sent.
 */
export const CALL_WITHIN_MS = LEASE_SECONDS * 1000;

export type DispatcherDeps = AttemptDeps &
  RecorderDeps &
  LaneClosingDeps & {
    pool: pg.Pool;
    workerId: string;
    lanes: Lanes;
    /** Something became due or free: the loop should look again. */
    onReady: () => void;
  };

export class Dispatcher {
  private readonly deps: DispatcherDeps;
  private readonly calls = new CallsUnderWay();
  private readonly reservations = new Reservations();
  private readonly recorder: Recorder;
  private readonly closing: LaneClosing;
  /** No call is claimed meanwhile. */
  private claimsWait = false;
  /** The claim that is under way. */
  private claiming: Promise<unknown> = Promise.resolve();

  constructor(deps: DispatcherDeps) {
    this.deps = deps;
    this.recorder = new Recorder(deps);
    this.closing = new LaneClosing(deps);
  }

  /**
   * Claims what may go now and starts its calls without waiting for them.
   *
   * @returns how many were claimed; 0 means nothing may go at this time
   */
  async claimAndCall(): Promise<number> {
    if (this.claimsWait) return 0;
    const claiming = this.claimAndStart();
    this.claiming = claiming.catch(() => {});
    return claiming;
  }

  private async claimAndStart(): Promise<number> {
    const { clock, ids, pool, workerId } = this.deps;
    const now = clock.now();
    const started = this.startBegun();
    const wanted = this.lanesToWork(now.getTime());
    if (wanted.length === 0) return started;
    const limits = wanted.map(({ lane, most }) => ({ connectionId: lane.connectionId, lane: lane.kind, most }));
    const claimed = await claim(pool, workerId, ids.uuid(now), now, limits);
    const counts = this.startClaimed(claimed, now);
    for (const { lane, most, wakes } of wanted) {
      const taken = counts.get(lane) ?? 0;
      lane.waiting = Math.max(0, lane.waiting - taken);
      // Nothing more is due, unless somebody woke the lane while the claim was under way.
      if (taken < most && lane.wakes === wakes) lane.rest();
    }
    return started + claimed.length;
  }

  /** Fairly: every lane with work gets a small share before any gets more. */
  private lanesToWork(now: number): { lane: Lane; most: number; wakes: number }[] {
    let free = this.free(CALLS_AT_ONCE);
    if (free <= 0 || this.closing.appClosedUntil > now) return [];
    const ready = [...this.deps.lanes.withWork()]
      .map((lane) => ({ lane, most: lane.available(now), wakes: lane.wakes }))
      .filter(({ most }) => most > 0);
    const share = Math.max(1, Math.floor(free / Math.max(1, ready.length)));
    const wanted: { lane: Lane; most: number; wakes: number }[] = [];
    for (const entry of ready) {
      if (free <= 0) break;
      const most = Math.min(entry.most, share, free);
      free -= most;
      wanted.push({ ...entry, most });
    }
    return wanted;
  }

  /** @returns how many there are of each lane */
  private startClaimed(claimed: ClaimedDelivery[], now: Date): Map<Lane, number> {
    const counts = new Map<Lane, number>();
    // All of them before the first begins: one that has expired is recorded at once.
    for (const delivery of claimed) this.recorder.expect(delivery);
    for (const delivery of claimed) {
      const lane = this.deps.lanes.of(delivery.creator_id, delivery.connection_id, delivery.lane);
      counts.set(lane, (counts.get(lane) ?? 0) + 1);
      this.start(delivery, lane, now, now);
    }
    return counts;
  }

  /** Does `work` while no call is claimed. When it fails, claims wait until it was done again and succeeded. */
  async withoutClaims<T>(work: () => Promise<T>): Promise<T> {
    this.claimsWait = true;
    await this.claiming;
    const done = await work();
    this.resumeClaims();
    return done;
  }

  resumeClaims(): void {
    if (!this.claimsWait) return;
    this.claimsWait = false;
    this.deps.onReady();
  }

  /** Sets calls aside for deliveries that are about to be inserted as `sending`, in lanes in which nobody waits. */
  reserve(wanted: Reservation): Reservation {
    const now = this.deps.clock.now().getTime();
    if (this.closing.appClosedUntil > now) return new Map();
    return this.reservations.reserve(wanted, this.free(RESERVABLE), now);
  }

  /** Reserved calls that are not needed. */
  giveBack(reservation: Reservation): void {
    this.reservations.giveBack(reservation);
    this.deps.onReady();
  }

  /** Deliveries that are durably `sending` now; they are called with the next claim. The rest is given back. */
  begin(reservation: Reservation, deliveries: ClaimedDelivery[]): void {
    for (const delivery of deliveries) this.recorder.expect(delivery);
    this.reservations.begin(reservation, deliveries, this.deps.lanes);
    this.deps.onReady();
  }

  /** Deliveries not called yet on lanes that belong to others now are left to them: it counts as interrupted. */
  dropForgotten(): void {
    const dropped = this.reservations.takeRetired();
    for (const delivery of dropped) this.recorder.leaveToOthers(delivery);
    if (dropped.length > 0) this.deps.log.warn({ dropped: dropped.length }, 'calls were not made any more');
  }

  /** Calls what is durably `sending`. Answers how many there were. */
  startBegun(): number {
    const begun = this.reservations.takeBegun();
    const now = this.deps.clock.now();
    for (const { delivery, lane } of begun) this.start(delivery, lane, now, delivery.created_at);
    return begun.length;
  }

  /** How many more calls may begin where so many may be unanswered. */
  private free(unanswered: number): number {
    return this.calls.free(unanswered) - this.reservations.count;
  }

  private isFull(): boolean {
    return this.free(CALLS_AT_ONCE) <= 0;
  }

  /** When it is worth calling `claimAndCall` again, in ms since 1970; Infinity when something must happen first. */
  nextAt(): number {
    if (this.claimsWait) return Number.POSITIVE_INFINITY;
    const now = this.deps.clock.now().getTime();
    if (this.reservations.hasBegun) return now;
    if (this.isFull()) return Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (const lane of this.deps.lanes.withWork()) next = Math.min(next, lane.nextAt(now));
    return Math.max(next, this.closing.appClosedUntil);
  }

  /** Ids of what was claimed here and is not recorded yet. */
  deliveriesUnderWay(): string[] {
    return [...this.calls.deliveryIds(), ...this.reservations.begunIds()];
  }

  /** Resolves when no call is under way and every result is recorded. */
  idle(): Promise<void> {
    return this.calls.idle();
  }

  /** Resolves when no call of these lanes is under way. */
  ended(lanes: Lane[]): Promise<void> {
    return this.calls.ended(lanes);
  }

  /** @param claimedAt when it became `sending`: the lease was ours then */
  private start(delivery: ClaimedDelivery, lane: Lane, now: Date, claimedAt: Date): void {
    const { observed, lanes, onReady } = this.deps;
    // One that is to be tried again may be claimed again a moment before this call is forgotten: then there are two.
    const call = this.calls.begin(delivery.id);
    observed?.measures.started(delivery, now.getTime());
    lane.begin();
    void this.deliver(call, delivery, lane, claimedAt).finally(() => {
      const wasFull = this.isFull();
      if (delivery.uncertain) lanes.lookUpsOf(delivery.connection_id).end(delivery);
      this.calls.end(call, lane);
      if (wasFull || lane.hasWork) onReady();
    });
  }

  private async deliver(call: CallUnderWay, delivery: ClaimedDelivery, lane: Lane, claimedAt: Date): Promise<void> {
    const { clock } = this.deps;
    const isCalled = delivery.expires_at > clock.now();
    const callBefore = new Date(claimedAt.getTime() + CALL_WITHIN_MS);
    const finished = await attempt(this.deps, delivery, lane, { callBefore, closing: this.closing });
    const { result, followUp } = finished;
    this.answer(call, lane, finished, isCalled);
    if (result.state === 'queued') lane.waiting++;
    await this.recorder.record(delivery, finished);
    if (result.state === 'queued') lane.wake(result.due_at.getTime(), clock.now().getTime());
    if (followUp !== null) this.wake(followUp);
  }

  private answer(call: CallUnderWay, lane: Lane, { result }: Finished, isCalled: boolean): void {
    const { observed, clock, onReady } = this.deps;
    observed?.measures.delivered(lane.kind, result);
    const wasFull = this.isFull();
    lane.answer(isCalled ? clock.now().getTime() : null);
    this.calls.answer(call);
    if (wasFull) onReady();
  }

  private wake({ creator_id, connection_id, lane, due_at }: NonNullable<Finished['followUp']>): void {
    this.deps.lanes.of(creator_id, connection_id, lane).wake(due_at.getTime(), due_at.getTime());
  }
}
