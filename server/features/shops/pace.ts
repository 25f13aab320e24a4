/** How often a key of a shop is used by this process: once a second, and less where the shop asks for it. */
import { createHash } from 'node:crypto';
import type { Clock } from '#server/clock.ts';
import type { Trouble } from '#server/platforms/shops/shop.ts';

const GAP_MS = 1_000;
/** A key that was refused is not tried again at every tap. */
const REFUSED_MS = 10 * 60_000;
const LONGEST_MS = 60 * 60_000;
const MOST_KEYS = 10_000;

type Pace = { nextAt: number; pauseMs: number; because: Trouble | null };

/** By the clock: a process has one. */
const paces = new WeakMap<Clock, Map<string, Pace>>();

/** Waits for this key's turn. @returns why not, where that would take longer than `maxWaitMs` */
export async function takeTurn(clock: Clock, key: string, maxWaitMs: number): Promise<Trouble | null> {
  const pace = paceOf(clock, key);
  const now = clock.now().getTime();
  const waitMs = Math.max(0, pace.nextAt - now);
  if (waitMs > maxWaitMs) return pace.because ?? { kind: 'try_later', says: 'Too many lists at once.' };
  pace.nextAt = now + waitMs + GAP_MS;
  if (waitMs > 0) await clock.sleep(waitMs);
  return null;
}

/** What came of a call: each request to slow down doubles the pause, at most to an hour. */
export function noteTurn(clock: Clock, key: string, trouble: Trouble | null): void {
  const pace = paceOf(clock, key);
  const now = clock.now().getTime();
  if (trouble?.isBusy) {
    pace.pauseMs = Math.min(pace.pauseMs * 2, LONGEST_MS);
    pace.nextAt = Math.max(pace.nextAt, now + pace.pauseMs);
    pace.because = trouble;
  } else if (trouble?.kind === 'our_key') {
    pace.nextAt = Math.max(pace.nextAt, now + REFUSED_MS);
    pace.because = trouble;
  } else if (trouble === null) {
    pace.pauseMs = GAP_MS;
    pace.because = null;
  }
}

/** Somebody tries the key by hand: not later. */
export function forgetPause(clock: Clock, key: string): void {
  const pace = paceOf(clock, key);
  pace.nextAt = Math.min(pace.nextAt, clock.now().getTime());
}

function paceOf(clock: Clock, key: string): Pace {
  const all = paces.get(clock) ?? new Map<string, Pace>();
  paces.set(clock, all);
  const name = createHash('sha256').update(key).digest('base64url');
  const pace = all.get(name) ?? { nextAt: 0, pauseMs: GAP_MS, because: null };
  if (all.size >= MOST_KEYS) all.clear();
  all.set(name, pace);
  return pace;
}
