import type { BadgeTone } from '#web/ui/Badge.tsx';

/** As in the health check: a worker tells every few seconds that it lives. */
const SILENT_AFTER_MS = 30_000;

export function workerState(
  worker: { seenAt: string; shards: number },
  nowMs: number,
): { label: string; tone: BadgeTone } {
  if (nowMs - Date.parse(worker.seenAt) <= SILENT_AFTER_MS) return { label: 'Running', tone: 'accent' };
  // What it had to do others have taken over: it was stopped, or its work was taken from it.
  return worker.shards === 0 ? { label: 'Gone', tone: 'neutral' } : { label: 'Silent', tone: 'error' };
}

/** Closed while its time is still to come; a time that is over means nothing any more. */
export function laneWords(
  lane: { closedUntil: string | null; closedReason: string | null },
  nowMs: number,
): { closed: boolean; reason: string | null } {
  const closed = lane.closedUntil !== null && Date.parse(lane.closedUntil) > nowMs;
  return { closed, reason: closed ? (lane.closedReason?.replaceAll('_', ' ') ?? null) : null };
}

/** `refresh-tokens` reads better as "refresh tokens". */
export function jobWords(name: string): string {
  return name.replaceAll(/[-_]/g, ' ');
}
