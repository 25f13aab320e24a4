/**
 * Lanes: the paced queues of one connection, one for each limit. Only the worker that holds the connection's shard
 * works its lanes, so their counters live in memory; what must outlive the process is read back from the deliveries.
 */

import type { Config } from '#server/config.ts';
import type { Closed, LaneKind, QueueControl } from '#server/engine/outcomes/rows.ts';
import { LaneWindow } from './lane-window.ts';
import { LookUps } from './look-ups.ts';

const FULL_SPEED: QueueControl = { paused: false, slowedToPercent: null, slowedUntilMs: 0 };
/** Lanes a creator can hold back: a conversation that a follower has begun continues. */
export const HELD_BY_CREATOR: LaneKind[] = ['private_replies', 'public_replies'];

const HOUR_MS = 3_600_000;
const SECOND_MS = 1000;

/** Several at once, so that a slow answer of Meta does not hold up the rest. */
const CALLS_AT_ONCE = 64;

const OPEN: Closed = { until: 0, reason: null };
/** Everything else that closes a lane is for the creator to mend. */
export const ASKED_BY_META = ['rate_limited', 'barred'];

export class Lane {
  readonly creatorId: string;
  readonly connectionId: string;
  readonly kind: LaneKind;
  private readonly windows: LaneWindow[];
  /** Those lanes in which something waits or will be due; this one keeps itself in it. */
  private readonly withWork: Set<Lane>;
  /** Something is due now, as far as we know. */
  private ready = false;
  /** Times to look again, each rounded up to a second so that many retries are few entries. */
  private readonly later = new Set<number>();
  private nextLater = Number.POSITIVE_INFINITY;
  /** Meta asked us to wait: nothing opens it earlier. */
  private byMeta = OPEN;
  /** Something that only the creator can mend: it opens when they have. */
  private forCreator = OPEN;
  /** Begun and not recorded yet. */
  private underWay = 0;
  /** Of these, calls without an answer: each counts against every window for as long as it takes. */
  private unanswered = 0;
  /** Calls set aside for what a batch of events is about to bring; see Reservations. */
  reserved = 0;
  /** About how many wait; for telling people when their turn comes. */
  waiting = 0;
  /** Counts `wake` calls: tells whether something came while a claim was under way. */
  wakes = 0;
  retired = false;
  control = FULL_SPEED;

  constructor(
    creatorId: string,
    connectionId: string,
    kind: LaneKind,
    windows: LaneWindow[],
    withWork: Set<Lane> = new Set(),
  ) {
    this.creatorId = creatorId;
    this.connectionId = connectionId;
    this.kind = kind;
    this.windows = windows;
    this.withWork = withWork;
  }

  /** Another worker has it now: whatever still holds on to this lane wakes nobody. */
  retire(): void {
    this.retired = true;
    this.withWork.delete(this);
  }

  /** Something is due at this time. */
  wake(at: number, now: number): void {
    if (this.retired) return;
    this.wakes++;
    this.withWork.add(this);
    if (at <= now) {
      this.ready = true;
      return;
    }
    const rounded = Math.ceil(at / SECOND_MS) * SECOND_MS;
    this.later.add(rounded);
    this.nextLater = Math.min(this.nextLater, rounded);
  }

  /** Everything due was claimed. */
  rest(): void {
    this.ready = false;
    if (this.later.size === 0) this.withWork.delete(this);
  }

  /** Whether a call that ends may let another one begin. */
  get hasWork(): boolean {
    return this.withWork.has(this);
  }

  private isReady(now: number): boolean {
    if (this.nextLater <= now) {
      this.ready = true;
      for (const at of this.later) if (at <= now) this.later.delete(at);
      this.nextLater = Math.min(Number.POSITIVE_INFINITY, ...this.later);
    }
    return this.ready;
  }

  /** @returns false: by Meta, or for the creator, it is closed for longer already */
  close(until: number, reason: string): boolean {
    const isByMeta = ASKED_BY_META.includes(reason);
    if (until < (isByMeta ? this.byMeta : this.forCreator).until) return false;
    if (isByMeta) this.byMeta = { until, reason };
    else this.forCreator = { until, reason };
    return true;
  }

  /** The creator mended what was theirs to mend. Waits Meta asked for stay. */
  open(now: number): void {
    this.forCreator = OPEN;
    this.wake(now, now);
  }

  /** Meta took a message: a bar whose time is up is over. */
  wentThrough(now: number): void {
    if (this.byMeta.reason === 'barred' && this.byMeta.until <= now) this.byMeta = OPEN;
  }

  get closedUntil(): number {
    return this.closed.until;
  }

  get closedReason(): string | null {
    return this.closed.reason;
  }

  get closedByMeta(): Closed {
    return this.byMeta;
  }

  get isClosedForCreator(): boolean {
    return this.forCreator !== OPEN;
  }

  private get closed(): Closed {
    return this.byMeta.until > this.forCreator.until ? this.byMeta : this.forCreator;
  }

  /** How many calls may start now of those that wait. */
  available(now: number): number {
    return this.isReady(now) ? this.free(now) : 0;
  }

  /** How many calls may start now that did not wait: none while others do. */
  availableAtOnce(now: number): number {
    return this.isReady(now) ? 0 : this.free(now);
  }

  /** Nobody knows when a bar ends: until a call went through, each of many would be refused. */
  private get callsAtOnce(): number {
    return this.byMeta.reason === 'barred' ? 1 : CALLS_AT_ONCE;
  }

  private free(now: number): number {
    if (this.closedUntil > now || this.control.paused) return 0;
    let least = this.callsAtOnce - this.underWay;
    for (const window of this.windows) {
      least = Math.min(least, window.available(now, this.mostOf(window, now)) - this.unanswered);
    }
    return Math.max(0, least - this.reserved);
  }

  /** When it is worth looking at this lane again; Infinity when something must wake it first. */
  nextAt(now: number): number {
    const dueAt = this.isReady(now) ? now : this.nextLater;
    const isFull = this.underWay + this.reserved >= this.callsAtOnce;
    if (dueAt === Number.POSITIVE_INFINITY || isFull || this.control.paused) return Number.POSITIVE_INFINITY;
    return Math.max(
      dueAt,
      this.closedUntil,
      ...this.windows.map((window) => this.freeAt(window, now, this.unanswered + this.reserved)),
    );
  }

  /** Only what is counted by the hour is slowed down: a second more or less is felt by nobody. */
  private mostOf(window: LaneWindow, now: number): number {
    const { slowedToPercent, slowedUntilMs } = this.control;
    if (slowedToPercent === null || slowedUntilMs <= now || window.periodMs < HOUR_MS) return window.most;
    return Math.max(1, Math.floor((window.most * slowedToPercent) / 100));
  }

  private freeAt(window: LaneWindow, now: number, ahead: number): number {
    const most = this.mostOf(window, now);
    const at = window.nextAt(now, ahead, most);
    if (most === window.most || at <= this.control.slowedUntilMs) return at;
    return Math.min(at, Math.max(this.control.slowedUntilMs, window.nextAt(now, ahead)));
  }

  /** When one gets its turn that has everything waiting now, and `more`, before it. */
  turnAt(now: number, more = 0): number {
    const ahead = this.unanswered + this.waiting + this.reserved + more;
    return Math.max(this.closedUntil, ...this.windows.map((window) => this.freeAt(window, now, ahead)));
  }

  begin(): void {
    this.underWay++;
    this.unanswered++;
  }

  /**
   * The call counts by this time: Meta counted it at some moment between its beginning and its answer.
   *
   * @param at null when nothing was called
   */
  answer(at: number | null): void {
    this.unanswered--;
    if (at !== null) this.take(at);
  }

  /** Its result is recorded. */
  end(): void {
    this.underWay--;
  }

  get isWorking(): boolean {
    return this.underWay > 0;
  }

  /** Counts a call that somebody else made. */
  take(at: number): void {
    for (const window of this.windows) window.take(at);
  }
}

export class Lanes {
  private readonly limits: Config['limits'];
  private readonly lanes = new Map<string, Lane>();
  private readonly working = new Set<Lane>();
  private readonly controls = new Map<string, QueueControl>();
  private readonly lookUps = new Map<string, LookUps>();

  constructor(limits: Config['limits']) {
    this.limits = limits;
  }

  of(creatorId: string, connectionId: string, kind: LaneKind): Lane {
    const key = `${connectionId} ${kind}`;
    let lane = this.lanes.get(key);
    if (lane === undefined) {
      lane = new Lane(creatorId, connectionId, kind, this.windowsOf(kind), this.working);
      if (HELD_BY_CREATOR.includes(kind)) lane.control = this.controls.get(connectionId) ?? FULL_SPEED;
      this.lanes.set(key, lane);
    }
    return lane;
  }

  /** For messages of this connection that may have arrived. */
  lookUpsOf(connectionId: string): LookUps {
    let lookUps = this.lookUps.get(connectionId);
    if (lookUps === undefined) {
      lookUps = new LookUps();
      this.lookUps.set(connectionId, lookUps);
    }
    return lookUps;
  }

  /** The creator paused, slowed down or let go; null: full speed. */
  setControl(connectionId: string, control: QueueControl | null): void {
    if (control === null) this.controls.delete(connectionId);
    else this.controls.set(connectionId, control);
    for (const kind of HELD_BY_CREATOR) {
      const lane = this.known(connectionId, kind);
      if (lane !== undefined) lane.control = control ?? FULL_SPEED;
    }
  }

  /** Connections whose creators have their hand on the queue. */
  controlled(): string[] {
    return [...this.controls.keys()];
  }

  /** Connections whose lanes are closed until their creators sign in again. */
  waitingForSignIn(): string[] {
    const closed = [...this.lanes.values()].filter(({ closedReason }) => closedReason === 'needs_reconnect');
    return [...new Set(closed.map(({ connectionId }) => connectionId))];
  }

  known(connectionId: string, kind: LaneKind): Lane | undefined {
    return this.lanes.get(`${connectionId} ${kind}`);
  }

  /** Lanes in which something waits or will be due: all that the dispatcher must look at, however many connections there are. */
  withWork(): Iterable<Lane> {
    return this.working;
  }

  /** Those in which something was sent or waits. */
  ofConnection(connectionId: string): Lane[] {
    return LANE_KINDS.map((kind) => this.known(connectionId, kind)).filter((lane) => lane !== undefined);
  }

  /** All of them: what closes a connection closes those too in which nothing was sent yet. */
  everyOf(creatorId: string, connectionId: string): Lane[] {
    return LANE_KINDS.map((kind) => this.of(creatorId, connectionId, kind));
  }

  /** Connections that have lanes here. */
  connectionIds(): string[] {
    return [...new Set(Array.from(this.lanes.values(), (lane) => lane.connectionId))];
  }

  /** Returns the lanes of these connections, which are no longer ours: a new look begins with new lanes. */
  forget(connectionIds: string[]): Lane[] {
    const forgotten = connectionIds.flatMap((id) => this.ofConnection(id));
    for (const id of connectionIds) this.lookUps.delete(id);
    for (const lane of forgotten) {
      lane.retire();
      this.lanes.delete(`${lane.connectionId} ${lane.kind}`);
    }
    return forgotten;
  }

  /** The figures are Meta's: reference 4.1. Which of 100/s and 300/s holds for sends is open [?]; the lower is used. */
  private windowsOf(kind: LaneKind): LaneWindow[] {
    const perSecond = new LaneWindow(this.limits.messagesPerSecond, SECOND_MS);
    if (kind === 'private_replies') return [new LaneWindow(this.limits.privateRepliesPerHour, HOUR_MS), perSecond];
    if (kind === 'public_replies') return [new LaneWindow(this.limits.publicRepliesPerHour, HOUR_MS), perSecond];
    return [perSecond];
  }
}

export const LANE_KINDS: LaneKind[] = ['private_replies', 'live_replies', 'messages', 'public_replies', 'reads'];
/** How far back calls count against a lane. */
export const LONGEST_WINDOW_MS = HOUR_MS;
