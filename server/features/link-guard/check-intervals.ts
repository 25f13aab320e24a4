/** When an address is looked at next, and when a failure is a break. Pure. */
import type { LinkProblem } from '#contract/link-guard.ts';
import { breaks } from './verdicts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A second failure so long after the first is no hiccup. */
export const SECOND_LOOK_AFTER_MS = 2 * MINUTE_MS;
/** In so many answers an hour a wrong link is sent often. */
export const BUSY = 20;
/** A break that lasts so long is not mended within minutes. */
const FRESH_BREAK_MS = 6 * HOUR_MS;

export type WatchState = {
  state: 'unchecked' | 'fine' | 'failing' | 'broken';
  problem: LinkProblem | null;
  failedSince: Date | null;
  brokenSince: Date | null;
};

/** @param busy how many asked for it in the last hour */
export function lookEveryMs(busy: number): number {
  if (busy >= BUSY) return 5 * MINUTE_MS;
  return busy > 0 ? HOUR_MS : 24 * HOUR_MS;
}

/** The changes after a check. `tells`: the creator is told. */
export function afterLook(
  before: WatchState,
  found: LinkProblem | null,
  { busy, now }: { busy: number; now: Date },
): WatchState & { nextCheckAt: Date; tells: 'broken' | 'works' | null } {
  const later = (ms: number) => new Date(now.getTime() + ms);
  // Being turned away proves neither that it works again nor that it broke.
  if (found === 'no_entry' && (before.state === 'broken' || before.state === 'failing')) {
    return { ...before, nextCheckAt: later(HOUR_MS), tells: null };
  }
  if (!breaks(found)) {
    const fine = { state: 'fine' as const, problem: found, failedSince: null, brokenSince: null };
    return { ...fine, nextCheckAt: later(lookEveryMs(busy)), tells: before.state === 'broken' ? 'works' : null };
  }
  const failedSince = before.failedSince ?? now;
  const isLasting = now.getTime() - failedSince.getTime() >= SECOND_LOOK_AFTER_MS;
  if (before.state !== 'broken' && !isLasting) {
    const again = later(SECOND_LOOK_AFTER_MS - (now.getTime() - failedSince.getTime()));
    return { state: 'failing', problem: found, failedSince, brokenSince: null, nextCheckAt: again, tells: null };
  }
  const brokenSince = before.brokenSince ?? now;
  const fresh = now.getTime() - brokenSince.getTime() < FRESH_BREAK_MS;
  return {
    state: 'broken',
    problem: found,
    failedSince,
    brokenSince,
    nextCheckAt: later(fresh ? 5 * MINUTE_MS : HOUR_MS),
    tells: before.state === 'broken' ? null : 'broken',
  };
}
