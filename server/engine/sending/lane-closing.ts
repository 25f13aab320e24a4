/** Closes lanes by Meta's answers and usage headers, and reopens those the creator has fixed. */
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { REASONS } from '#contract/outcomes.ts';
import type { Clock } from '#server/clock.ts';
import type { EngineConnections } from '#server/engine/deciding/connections.ts';
import { tellWaiting } from '#server/engine/outcomes/waiting-rows.ts';
import * as queries from '#server/engine/queries.ts';
import type { CallResult, Usage, Verdict } from '#server/platforms/meta/verdict.ts';
import type { Lane, Lanes } from './lanes.ts';
import { barredForMs, PROBE_SETTING_AFTER_MS } from './results.ts';
import { untilDone } from './until-done.ts';

export type LaneClosingDeps = {
  pool: pg.Pool;
  clock: Clock;
  lanes: Lanes;
  connections: EngineConnections;
  log: FastifyBaseLogger;
  /** Meta stopped a connection, for a while or until the creator signs in again. */
  onStopped: (creatorId: string, connectionId: string) => void;
};

export class LaneClosing {
  private readonly deps: LaneClosingDeps;
  private closedForApp = 0;

  constructor(deps: LaneClosingDeps) {
    this.deps = deps;
  }

  /** Every lane is closed until then, in ms since 1970: Meta's limit for the whole app. */
  get appClosedUntil(): number {
    return this.closedForApp;
  }

  /** Closes what an answer of Meta asks to be closed; resolves when that is durable. */
  async applyVerdict({ verdict, usage }: CallResult, lane: Lane, now: Date): Promise<void> {
    switch (verdict.kind) {
      case 'rate_limited':
        return this.rateLimited(verdict, lane, now);
      case 'barred':
        return this.barred(lane, now);
      case 'reauthenticate':
        return this.signInLost(verdict.reason, lane, now);
      case 'misconfigured':
        if (REASONS[verdict.reason].status !== 'waiting') return;
        await this.close([lane], now, PROBE_SETTING_AFTER_MS, verdict.reason);
        return;
      case 'done':
        lane.wentThrough(now.getTime());
        if (usage !== null) slowDown(usage, this.deps.lanes.ofConnection(lane.connectionId), now);
    }
  }

  private async rateLimited(
    { scope, waitMs }: Extract<Verdict, { kind: 'rate_limited' }>,
    lane: Lane,
    now: Date,
  ): Promise<void> {
    const { creatorId, connectionId } = lane;
    if (scope === 'app') {
      this.closedForApp = Math.max(this.closedForApp, now.getTime() + waitMs);
      return;
    }
    const closing = scope === 'lane' ? [lane] : this.deps.lanes.everyOf(creatorId, connectionId);
    if (await this.close(closing, now, waitMs, 'rate_limited')) this.deps.onStopped(creatorId, connectionId);
  }

  private async barred(lane: Lane, now: Date): Promise<void> {
    const { pool, lanes, onStopped } = this.deps;
    const { creatorId, connectionId, closedByMeta } = lane;
    if (closedByMeta.reason === 'barred' && closedByMeta.until > now.getTime()) return;
    const barred = lanes.everyOf(creatorId, connectionId);
    // Nothing more goes out while the database is asked how long it is this time.
    for (const each of barred) each.close(now.getTime() + barredForMs(0), 'barred');
    const times = await untilDone(this.deps, 'the bar', () => queries.findBarredCount(pool, creatorId, connectionId));
    const forMs = barredForMs(times);
    await this.close(barred, now, forMs, 'barred');
    await untilDone(this.deps, 'the bar', () =>
      queries.setBarred(pool, creatorId, connectionId, new Date(now.getTime() + forMs), times + 1),
    );
    onStopped(creatorId, connectionId);
  }

  private async signInLost(reason: string, { creatorId, connectionId }: Lane, now: Date): Promise<void> {
    const { pool, lanes, connections, onStopped } = this.deps;
    for (const each of lanes.everyOf(creatorId, connectionId)) each.close(Number.POSITIVE_INFINITY, 'needs_reconnect');
    connections.forgetCreator(creatorId);
    await untilDone(this.deps, 'the end of the sign-in', async () => {
      await queries.setRequiresAuth(pool, creatorId, connectionId, reason, now);
      await tellWaiting(pool, [connectionId], { from: null, to: 'needs_reconnect' }, now);
    });
    onStopped(creatorId, connectionId);
  }

  /** @returns whether one of them was open */
  private async close(closing: Lane[], now: Date, forMs: number, reason: string): Promise<boolean> {
    const until = now.getTime() + forMs;
    const wasOpen = closing.some((lane) => lane.closedUntil <= now.getTime());
    // All of them before the first is written down: nothing more goes out meanwhile.
    const closed = closing.filter((lane) => lane.close(until, reason));
    for (const lane of closed) {
      await untilDone(this.deps, 'a closed lane', () =>
        queries.saveLaneClosed(this.deps.pool, lane, new Date(until), reason, now),
      );
    }
    return wasOpen;
  }
}

/** Near Meta's limit each call is followed by a pause that grows; at the limit we stop for as long as Meta names. */
function slowDown(usage: Usage, closing: Lane[], now: Date): void {
  const pauseMs = pauseAfter(usage);
  if (pauseMs > 0) for (const lane of closing) lane.close(now.getTime() + pauseMs, 'rate_limited');
}

function pauseAfter({ percent, regainAccessMs }: Usage): number {
  if (regainAccessMs > 0) return regainAccessMs;
  if (percent >= 100) return 60_000;
  return percent >= 80 ? (percent - 80) * 100 : 0;
}

/** Opens what the creator has mended, and says of what waited for it that it is in line again. */
export async function openLanes(
  { pool, lanes }: Pick<LaneClosingDeps, 'pool' | 'lanes'>,
  connectionId: string,
  now: Date,
): Promise<void> {
  const mended = ['needs_reconnect', 'missing_permission', 'message_access_off'] as const;
  await tellWaiting(pool, [connectionId], { from: [...mended], to: 'queued' }, now);
  for (const lane of lanes.ofConnection(connectionId)) {
    if (lane.isClosedForCreator) await queries.saveLaneOpened(pool, lane, now);
    lane.open(now.getTime());
  }
}
