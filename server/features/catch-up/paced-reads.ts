/** Reads of one account, inside our pacing and the platform's. */
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { LaneWindow } from '#server/engine/sending/lane-window.ts';
import { failureDetail, type ReadResult } from '#server/platforms/meta/client.ts';
import type { Verdict } from '#server/platforms/meta/verdict.ts';
import { closeReads } from './reading-queries.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * Meta allows 4,800 calls a day for each impression of an account (reference 4.1); how many it has, nobody tells us. This
 * is what the smallest of accounts may do.
 */
const READS_PER_HOUR = 1200;

/** By connection. */
export type Pacing = Map<string, LaneWindow>;

/** The platform, or our pacing, does not let us read on. */
export class NotNow extends Error {
  readonly afterMs: number | null;
  /** It holds for the whole account. */
  readonly stops: boolean;
  readonly counts: boolean;
  /** The platform does not know what we asked for. */
  readonly lost: boolean;

  constructor(message: string, over: { afterMs?: number; stops?: boolean; counts?: boolean; lost?: boolean } = {}) {
    super(message);
    this.afterMs = over.afterMs ?? null;
    this.stops = over.stops ?? false;
    this.counts = over.counts ?? true;
    this.lost = over.lost ?? false;
  }
}

export type Ask = <T>(call: () => Promise<ReadResult<T>>) => Promise<T>;

/** How to make one call for this account: it throws `NotNow` where none may be made, or none was answered. */
export function pacedReads(
  { db, clock }: { db: Database; clock: Clock },
  pacing: Pacing,
  connection: { creatorId: string; connectionId: string },
): Ask {
  const window = pacing.get(connection.connectionId) ?? new LaneWindow(READS_PER_HOUR, 60 * MINUTE_MS);
  pacing.set(connection.connectionId, window);
  const close = async (forMs: number) => {
    const now = clock.now();
    await closeReads(db, connection, new Date(now.getTime() + forMs), now);
  };
  return async (call) => {
    const now = clock.now().getTime();
    if (window.available(now) === 0) {
      throw new NotNow('Our own pacing of reads.', { afterMs: 5 * MINUTE_MS, stops: true, counts: false });
    }
    window.take(now);
    const answer = await call();
    // It answered, and wants to be left alone from now on.
    const { percent = 0, regainAccessMs = 0 } = answer.usage ?? {};
    if (percent >= 100 && regainAccessMs > 0) await close(regainAccessMs);
    if (answer.ok) return answer.data;
    if (answer.verdict.kind === 'rate_limited') await close(answer.verdict.waitMs);
    throw notNow(answer.verdict, failureDetail(answer));
  };
}

function notNow(verdict: Verdict, detail: string): NotNow {
  switch (verdict.kind) {
    case 'rate_limited':
      return new NotNow(detail, { afterMs: verdict.waitMs, stops: true, counts: false });
    case 'reauthenticate':
    case 'misconfigured':
      // The health check tells the creator.
      return new NotNow(detail, { afterMs: 10 * MINUTE_MS, stops: true });
    case 'refused':
      return new NotNow(detail, { afterMs: DAY_MS, lost: true });
    default:
      return new NotNow(detail);
  }
}
