import type { Clock } from '#server/clock.ts';

/** Below the 45 s that deploy/ gives, and the 30 s that Docker and systemd are often set to. */
const STOPPED_WITHIN_MS = 25_000;

/**
 * Stops, but does not wait for ever: whoever asked ends us without asking sooner or later.
 *
 * @returns false when it is not done after 25 seconds
 */
export async function stopInTime(stop: () => Promise<void>, clock: Clock): Promise<boolean> {
  const done = new AbortController();
  const inTime = stop().then(() => true);
  const tooLate = clock.sleep(STOPPED_WITHIN_MS, done.signal).then(() => false);
  return Promise.race([inTime, tooLate]).finally(() => done.abort());
}
