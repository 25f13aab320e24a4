import type { Clock } from '#server/clock.ts';

export type TestClock = Clock & {
  /** Moves on and wakes whoever slept until then, in the order of their waking. */
  advance(ms: number): Promise<void>;
  /** How many wait for this clock now. */
  sleeping(): number;
};

/** A clock that stands still until it is moved. */
export function createTestClock(start = new Date('2026-11-20T12:00:00Z')): TestClock {
  let nowMs = start.getTime();
  let sleepers: { atMs: number; wake: () => void }[] = [];
  return {
    now: () => new Date(nowMs),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { atMs: nowMs + ms, wake };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', wake, { once: true });
      }),
    sleeping: () => sleepers.length,
    async advance(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        const next = sleepers.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined) break;
        nowMs = next.atMs;
        next.wake();
        // Lets the awakened run on to its next wait.
        await new Promise((resolve) => setImmediate(resolve));
      }
      nowMs = untilMs;
    },
  };
}
