import { CALL_OFF, type CalledOff } from '#server/engine/outcomes/calling-off.ts';
import { claim } from '#server/engine/outcomes/claiming.ts';
import { recordResults } from '#server/engine/outcomes/recording.ts';
import { tellWaiting } from '#server/engine/outcomes/waiting.ts';
/**
 * Sends what is queued, lane by lane: claim (durably marked `sending`) → call Meta → record the result. Calls run side
 * by side; claims and records are batched over all lanes.
 */

import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { REASONS } from '#contract/outcomes.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { ConversationEvent, Ended } from '#server/engine/conversations/conversation.ts';
import { type MessageNews, moveConversations } from '#server/engine/conversations/conversation-store.ts';
import type { EngineConnections } from '#server/engine/deciding/connections.ts';
import { publicReplyAfter } from '#server/engine/deciding/deciding.ts';
import type { ClaimedDelivery, NewDelivery, Result } from '#server/engine/outcomes/rows.ts';
import * as queries from '#server/engine/queries.ts';
import { LEASE_SECONDS } from '#server/engine/shards/leases.ts';
import type { Observed } from '#server/observability/observing.ts';
import type { Usage, Verdict } from '#server/platforms/meta/verdict.ts';
import type { Lane, Lanes } from './lanes.ts';
import {
  askedAgain,
  barredForMs,
  calledOff,
  canBeLookedFor,
  dropped,
  PROBE_SETTING_AFTER_MS,
  resultOf,
  tooLate,
} from './results.ts';
import type { Sender, Sending } from './sender.ts';

/**
 * Claimed and not yet answered, over all connections; how many sockets there are, the client of Meta decides. With its 128,
 * and a Meta that takes a second, the last of them is called after six: sooner than a lease runs out (LEASE_SECONDS).
 */
const CALLS_AT_ONCE = 768;
/** Nothing is set aside beyond this: the rest is left to lanes in which somebody waits. A full batch finds room. */
const RESERVABLE = 640;
/** Claimed and not yet recorded. More, and the database is behind: nothing new is called until it has caught up. */
const UNRECORDED_AT_MOST = 2048;

/**
 * A worker that slept longer calls no more: another one has its shard by then, and looks after half a minute
 * (CHECK_AFTER_MS) for what this one may have sent.
 */
export const CALL_WITHIN_MS = LEASE_SECONDS * 1000;

/** Calls set aside, by lane. */
export type Reservation = Map<Lane, number>;

/**
 * A delivery on its way, until its result is recorded. One that is to be tried again may be claimed anew a moment before
 * its first call is forgotten here: then there are two.
 */
type Call = { delivery: ClaimedDelivery; lane: Lane; isCalled: boolean; isAnswered: boolean };

export type DispatcherDeps = {
  pool: pg.Pool;
  workerId: string;
  clock: Clock;
  ids: Ids;
  lanes: Lanes;
  connections: EngineConnections;
  sender: Sender;
  baseUrl: string;
  log: FastifyBaseLogger;
  observed: Observed | undefined;
  /** Something became due or free: the loop should look again. */
  onReady: () => void;
  /** Waits until it is worth recording again, after a batch that began then (`performance.now()`). */
  letGather: (count: number, began: number) => Promise<void>;
  /** Lists of these creators changed. */
  onChanged: (creatorIds: string[]) => void;
  /** Meta stopped a connection, for a while or until the creator signs in again. */
  onStopped: (creatorId: string, connectionId: string) => void;
};

export class Dispatcher {
  private readonly deps: DispatcherDeps;
  /** One for each call under way: of one delivery there may be two for a moment. */
  private readonly calling = new Set<{ deliveryId: string }>();
  /** By batch (`calls_under_way`): how many of its calls are not recorded yet. */
  private readonly batches = new Map<string, number>();
  /** How many of these are answered. */
  private answered = 0;
  /** Durably `sending` and not called yet. */
  private begun: { delivery: ClaimedDelivery; lane: Lane }[] = [];
  private reserved = 0;
  /** Every lane is closed until then: Meta's limit for the whole app. */
  private appClosedUntil = 0;
  private finished: (Finished & { batchId: string; done: () => void })[] = [];
  private recording: Promise<void> | null = null;
  private idleWaiters: (() => void)[] = [];
  private readonly endWaiters: (() => void)[] = [];

  constructor(deps: DispatcherDeps) {
    this.deps = deps;
  }

  /**
   * Claims what may go now and starts its calls without waiting for them.
   *
   * @returns how many were claimed; 0 means nothing may go at this time
   */
  async claimAndCall(): Promise<number> {
    const { clock, lanes, pool, workerId } = this.deps;
    const now = clock.now();
    const started = this.startBegun();
    const wanted = this.lanesToWork(now.getTime());
    if (wanted.length === 0) return started;
    const claimed = await claim(
      pool,
      workerId,
      this.deps.ids.uuid(now),
      now,
      wanted.map(({ lane, most }) => ({ connectionId: lane.connectionId, lane: lane.kind, most })),
    );
    const counts = new Map<Lane, number>();
    // All of them before the first begins: one that has expired is recorded at once.
    for (const delivery of claimed) this.countCall(delivery);
    for (const delivery of claimed) {
      const lane = lanes.of(delivery.creator_id, delivery.connection_id, delivery.lane);
      counts.set(lane, (counts.get(lane) ?? 0) + 1);
      this.start(delivery, lane, now, now);
    }
    for (const { lane, most, wakes } of wanted) {
      const taken = counts.get(lane) ?? 0;
      lane.waiting = Math.max(0, lane.waiting - taken);
      // Nothing more is due, unless somebody woke the lane while the claim was under way.
      if (taken < most && lane.wakes === wakes) lane.rest();
    }
    return started + claimed.length;
  }

  /**
   * Sets calls aside for deliveries that are about to be inserted as `sending`: what nobody waits before need not stand in
   * the queue. Each lane gets all that it asks for or nothing, so that the queue decides who goes first where not all can go.
   */
  reserve(wanted: Reservation): Reservation {
    const now = this.deps.clock.now().getTime();
    const granted: Reservation = new Map();
    if (this.appClosedUntil > now) return granted;
    let free = this.free(RESERVABLE);
    for (const [lane, count] of wanted) {
      if (count > free || count > lane.availableAtOnce(now)) continue;
      free -= count;
      lane.reserved += count;
      this.reserved += count;
      granted.set(lane, count);
    }
    return granted;
  }

  /** What was set aside and is not needed. */
  giveBack(reservation: Reservation): void {
    for (const [lane, count] of reservation) {
      lane.reserved -= count;
      this.reserved -= count;
    }
    reservation.clear();
    this.deps.onReady();
  }

  /** Deliveries that are durably `sending` now; they are called with the next claim. The rest is given back. */
  begin(reservation: Reservation, deliveries: ClaimedDelivery[]): void {
    for (const delivery of deliveries) {
      const lane = this.deps.lanes.of(delivery.creator_id, delivery.connection_id, delivery.lane);
      reservation.set(lane, reservation.get(lane)! - 1);
      this.countCall(delivery);
      this.begun.push({ delivery, lane });
    }
    this.giveBack(reservation);
  }

  /** What was not called yet on lanes that are others' now is left to them: it counts as interrupted. */
  dropForgotten(): void {
    const begun = this.takeBegun();
    for (const each of begun) {
      if (each.lane.retired) {
        // Whoever has its shard now looks after it, and needs the batch for that.
        this.batches.delete(each.delivery.batch_id);
        continue;
      }
      this.begun.push(each);
      this.reserved++;
      each.lane.reserved++;
    }
    const dropped = begun.length - this.begun.length;
    if (dropped > 0) this.deps.log.warn({ dropped }, 'calls were not made any more');
  }

  /** Calls what is durably `sending`. Answers how many there were. */
  startBegun(): number {
    const begun = this.takeBegun();
    const now = this.deps.clock.now();
    for (const { delivery, lane } of begun) this.start(delivery, lane, now, delivery.created_at);
    return begun.length;
  }

  private takeBegun(): { delivery: ClaimedDelivery; lane: Lane }[] {
    const begun = this.begun;
    this.begun = [];
    this.reserved -= begun.length;
    for (const { lane } of begun) lane.reserved--;
    return begun;
  }

  /** How many more calls may begin where so many may be unanswered. */
  private free(unanswered: number): number {
    const most = Math.min(unanswered + this.answered, UNRECORDED_AT_MOST);
    return most - this.calling.size - this.reserved;
  }

  private isFull(): boolean {
    return this.free(CALLS_AT_ONCE) <= 0;
  }

  /** Fairly: every lane with work gets a small share before any gets more. */
  private lanesToWork(now: number): { lane: Lane; most: number; wakes: number }[] {
    let free = this.free(CALLS_AT_ONCE);
    if (free <= 0 || this.appClosedUntil > now) return [];
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

  /** When it is worth calling `claimAndCall` again, in ms since 1970; Infinity when something must happen first. */
  nextAt(): number {
    const now = this.deps.clock.now().getTime();
    if (this.begun.length > 0) return now;
    if (this.isFull()) return Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (const lane of this.deps.lanes.withWork()) next = Math.min(next, lane.nextAt(now));
    return Math.max(next, this.appClosedUntil);
  }

  /** Ids of what was claimed here and is not recorded yet. */
  deliveriesUnderWay(): string[] {
    return [...[...this.calling].map(({ deliveryId }) => deliveryId), ...this.begun.map(({ delivery }) => delivery.id)];
  }

  /** Resolves when no call is under way and every result is recorded. */
  idle(): Promise<void> {
    if (this.calling.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.idleWaiters.push(resolve));
  }

  /** Resolves when no call of these lanes is under way. */
  async ended(lanes: Lane[]): Promise<void> {
    while (lanes.some((lane) => lane.isWorking)) {
      await new Promise<void>((resolve) => this.endWaiters.push(resolve));
    }
  }

  /** @param claimedAt when it became `sending`: the lease was ours then */
  private start(delivery: ClaimedDelivery, lane: Lane, now: Date, claimedAt: Date): void {
    const call: Call = { delivery, lane, isCalled: delivery.expires_at > now, isAnswered: false };
    // Without the delivery itself: V8 keeps the tables that a set outgrew, with all in them, until the next full collection.
    const underWay = { deliveryId: delivery.id };
    this.calling.add(underWay);
    this.deps.observed?.measures.started(delivery, now.getTime());
    lane.begin();
    void this.deliver(call, claimedAt).finally(() => {
      const wasFull = this.isFull();
      this.calling.delete(underWay);
      if (call.isAnswered) this.answered--;
      lane.end();
      if (delivery.uncertain) this.deps.lanes.lookUpsOf(delivery.connection_id).end(delivery);
      for (const resolve of this.endWaiters.splice(0)) resolve();
      if (this.calling.size === 0) for (const resolve of this.idleWaiters.splice(0)) resolve();
      if (wasFull || lane.hasWork) this.deps.onReady();
    });
  }

  private async deliver(underWay: Call, claimedAt: Date): Promise<void> {
    const { delivery: queued, lane } = underWay;
    const { clock, ids, log } = this.deps;
    const callOff = (because: CalledOff) => {
      const result = calledOff(queued, because, clock.now());
      const { state, conversation } = CALL_OFF[because];
      const news = newsOf(queued, result, state === 'expired' ? null : conversation);
      return this.record(underWay, { result, followUp: null, news });
    };
    // What may have arrived in time is looked for even then.
    if (queued.expires_at <= clock.now() && !canBeLookedFor(queued)) return callOff(tooLate(queued));
    let sending: Sending;
    const began = performance.now();
    try {
      sending = await this.deps.sender.send(queued, new Date(claimedAt.getTime() + CALL_WITHIN_MS));
    } catch (error) {
      // A defect of ours or the database away: whether the call went out is not known.
      log.error({ err: error, deliveryId: queued.id }, 'a delivery broke off');
      const verdict = { kind: 'unknown' as const, detail: 'The call broke off on our side.' };
      sending = { delivery: queued, call: { verdict, usage: null } };
    }
    const { delivery } = sending;
    if ('calledOff' in sending) return callOff(sending.calledOff);
    if ('dropped' in sending) {
      const result = dropped(delivery, sending.dropped, clock.now());
      const followUp = result.state === 'sent' ? publicReplyAfter(delivery, ids, clock.now()) : null;
      await this.record(underWay, { result, followUp, news: newsOf(delivery, result, sending.dropped) });
      return this.wakeFor(followUp);
    }
    if ('askAgainAt' in sending) {
      const result = askedAgain(delivery, sending.askAgainAt, clock.now(), sending.mayBeOthers);
      lane.waiting++;
      await this.record(underWay, { result, followUp: null, news: null });
      return lane.wake(result.due_at.getTime(), clock.now().getTime());
    }
    const { call } = sending;
    const now = clock.now();
    this.deps.observed?.tracing?.sent(delivery, call.verdict.kind, began);
    await this.heed(call.verdict, call.usage, delivery, lane, now);
    const result = resultOf(delivery, call.verdict, now);
    if (result.state === 'queued') {
      lane.waiting++;
      if (call.verdict.kind === 'barred') result.waiting_until = new Date(lane.closedByMeta.until);
    }
    const followUp = result.state === 'sent' ? publicReplyAfter(delivery, ids, now) : null;
    await this.record(underWay, { result, followUp, news: newsOf(delivery, result, null) });
    if (result.state === 'queued') lane.wake(result.due_at.getTime(), now.getTime());
    this.wakeFor(followUp);
  }

  private wakeFor(followUp: NewDelivery | null): void {
    if (followUp === null) return;
    const { creator_id, connection_id, lane, due_at } = followUp;
    this.deps.lanes.of(creator_id, connection_id, lane).wake(due_at.getTime(), due_at.getTime());
  }

  /** Meta's answers and headers close lanes. */
  private async heed(
    verdict: Verdict,
    usage: Usage | null,
    delivery: ClaimedDelivery,
    lane: Lane,
    now: Date,
  ): Promise<void> {
    const { pool, lanes, connections, onStopped } = this.deps;
    const { creator_id, connection_id } = delivery;
    switch (verdict.kind) {
      case 'rate_limited':
        if (verdict.scope === 'app')
          this.appClosedUntil = Math.max(this.appClosedUntil, now.getTime() + verdict.waitMs);
        else {
          const closing = verdict.scope === 'lane' ? [lane] : lanes.everyOf(creator_id, connection_id);
          if (await this.close(closing, now, verdict.waitMs, 'rate_limited')) onStopped(creator_id, connection_id);
        }
        break;
      case 'barred': {
        const already = lane.closedByMeta.reason === 'barred' && lane.closedByMeta.until > now.getTime();
        if (already) break;
        const barred = lanes.everyOf(creator_id, connection_id);
        // Nothing more goes out while the database is asked how long it is this time.
        for (const each of barred) each.close(now.getTime() + barredForMs(0), 'barred');
        const times = await this.untilDone('the bar', () => queries.findBarredCount(pool, creator_id, connection_id));
        const forMs = barredForMs(times);
        await this.close(barred, now, forMs, 'barred');
        await this.untilDone('the bar', () =>
          queries.setBarred(pool, creator_id, connection_id, new Date(now.getTime() + forMs), times + 1),
        );
        onStopped(creator_id, connection_id);
        break;
      }
      case 'reauthenticate':
        for (const each of lanes.everyOf(creator_id, connection_id))
          each.close(Number.POSITIVE_INFINITY, 'needs_reconnect');
        connections.forgetCreator(creator_id);
        await this.untilDone('the end of the sign-in', async () => {
          await queries.setRequiresAuth(pool, creator_id, connection_id, verdict.reason, now);
          await tellWaiting(pool, [connection_id], { from: null, to: 'needs_reconnect' }, now);
        });
        onStopped(creator_id, connection_id);
        break;
      case 'misconfigured':
        if (REASONS[verdict.reason].status === 'waiting')
          await this.close([lane], now, PROBE_SETTING_AFTER_MS, verdict.reason);
        break;
      case 'done':
        lane.wentThrough(now.getTime());
        if (usage !== null) this.slowDown(usage, lanes.ofConnection(connection_id), now);
        break;
    }
  }

  /** @returns whether one of them was open */
  private async close(closing: Lane[], now: Date, forMs: number, reason: string): Promise<boolean> {
    const until = now.getTime() + forMs;
    const wasOpen = closing.some((lane) => lane.closedUntil <= now.getTime());
    const closed: Lane[] = [];
    // All of them before the first is written down: nothing more goes out meanwhile.
    for (const lane of closing) if (lane.close(until, reason)) closed.push(lane);
    for (const lane of closed) {
      await this.untilDone('a closed lane', () =>
        queries.saveLaneClosed(this.deps.pool, lane, new Date(until), reason, now),
      );
    }
    return wasOpen;
  }

  /** Near Meta's limit each call is followed by a pause that grows; at the limit we stop for as long as Meta names. */
  private slowDown(usage: Usage, closing: Lane[], now: Date): void {
    const pauseMs =
      usage.regainAccessMs > 0
        ? usage.regainAccessMs
        : usage.percent >= 100
          ? 60_000
          : usage.percent >= 80
            ? (usage.percent - 80) * 100
            : 0;
    if (pauseMs > 0) for (const lane of closing) lane.close(now.getTime() + pauseMs, 'rate_limited');
  }

  /** Resolves when the result is durable. Results that finish together share one commit. */
  private record(call: Call, finished: Finished): Promise<void> {
    this.deps.observed?.measures.delivered(call.lane.kind, finished.result);
    const wasFull = this.isFull();
    call.lane.answer(call.isCalled ? this.deps.clock.now().getTime() : null);
    call.isAnswered = true;
    this.answered++;
    if (wasFull) this.deps.onReady();
    return new Promise((done) => {
      this.finished.push({ ...finished, batchId: call.delivery.batch_id, done });
      this.recording ??= this.recordAll();
    });
  }

  private async recordAll(): Promise<void> {
    while (this.finished.length > 0) {
      const began = performance.now();
      const batch = this.finished.splice(0, 500);
      await this.recordBatch(
        batch.map((entry) => entry.result),
        batch.map((entry) => entry.followUp).filter((followUp) => followUp !== null),
        batch.map((entry) => entry.news).filter((news) => news !== null),
        this.endedBatches(batch),
      );
      for (const entry of batch) entry.done();
      if (this.calling.size > 0) await this.deps.letGather(batch.length, began);
    }
    this.recording = null;
  }

  private countCall({ batch_id }: ClaimedDelivery): void {
    this.batches.set(batch_id, (this.batches.get(batch_id) ?? 0) + 1);
  }

  /** Which batches have nothing under way any more once these are recorded. */
  private endedBatches(recorded: { batchId: string }[]): string[] {
    const ended: string[] = [];
    for (const { batchId } of recorded) {
      const left = this.batches.get(batchId);
      if (left === undefined) continue;
      if (left > 1) this.batches.set(batchId, left - 1);
      else {
        this.batches.delete(batchId);
        ended.push(batchId);
      }
    }
    return ended;
  }

  /** Until it is written down: the calls were made, whatever the database does now. */
  private async recordBatch(
    results: Result[],
    followUps: NewDelivery[],
    news: MessageNews[],
    endedBatches: string[],
  ): Promise<void> {
    await this.untilDone(`${results.length} results`, () =>
      news.length === 0
        ? recordResults(this.deps.pool, results, followUps, endedBatches)
        : this.recordWithConversations(results, followUps, news, endedBatches),
    );
    this.deps.onChanged(results.map((result) => result.creator_id));
  }

  /**
   * Again and again until the database has done it. A lane closed only in memory would stay closed with nobody told why,
   * and open again after a restart.
   */
  private async untilDone<T>(what: string, work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        this.deps.log.error({ err: error }, `${what} could not be recorded; trying again`);
        await this.deps.clock.sleep(Math.min(100 * 2 ** attempt, 5000));
      }
    }
  }

  /** Conversations first: the order of locks that `ingest` keeps too. */
  private async recordWithConversations(
    results: Result[],
    followUps: NewDelivery[],
    news: MessageNews[],
    endedBatches: string[],
  ): Promise<void> {
    const { pool, clock, ids, baseUrl, lanes } = this.deps;
    const now = clock.now();
    const client = await pool.connect();
    let broken = true;
    let following: NewDelivery[] = [];
    try {
      await client.query('begin');
      following = await moveConversations(client, news, { baseUrl, now, newId: () => ids.uuid(now) });
      await recordResults(client, results, [...followUps, ...following], endedBatches);
      await client.query('commit');
      broken = false;
    } catch (error) {
      await client.query('rollback').then(
        () => {
          broken = false;
        },
        () => {},
      );
      throw error;
    } finally {
      client.release(broken);
    }
    for (const { creator_id, connection_id, lane, due_at } of following) {
      lanes.of(creator_id, connection_id, lane).wake(due_at.getTime(), now.getTime());
    }
  }
}

type Finished = { result: Result; followUp: NewDelivery | null; news: MessageNews | null };

/** What a conversation hears of its message once there is an end to it; null while it is tried again. */
function newsOf(
  delivery: ClaimedDelivery,
  result: Result,
  droppedBecause: Ended | 'overtaken' | null,
): MessageNews | null {
  const { id, conversation_id, interaction_id, automation_id, creator_id, content, uncertain } = delivery;
  if (conversation_id === null || content.step === undefined || result.state === 'queued') return null;
  if (droppedBecause === 'overtaken') return null;
  const step = content.step;
  let happened: ConversationEvent;
  if (droppedBecause !== null) happened = { kind: 'dropped', message: id, because: droppedBecause };
  else if (result.state === 'sent' && step !== 'next') {
    happened = { kind: 'sent', message: id, step, at: result.outcome_at, windowUntil: null };
  } else happened = { kind: 'failed', message: id, step, uncertain: uncertain || result.uncertain };
  return {
    creatorId: creator_id,
    conversationId: conversation_id,
    personId: result.recipient_person_id,
    interactionId: interaction_id,
    automationId: automation_id,
    deliveryId: id,
    attempts: result.state === 'sent' ? null : result.attempts,
    happened,
  };
}
