import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { runRecurring } from '#server/jobs/recurring.ts';
import { createTestClock } from '#server/testing/test-clock.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** Lets everything go on that waits for the database and not for the clock. */
async function untilAllSleep(clock: { sleeping(): number }, count: number): Promise<void> {
  while (clock.sleeping() < count) await new Promise((resolve) => setImmediate(resolve));
}

test('a job runs once a turn, however many processes there are', async () => {
  const clock = createTestClock();
  const stopping = new AbortController();
  const PROCESSES = 3;
  const ran: string[] = [];
  const running = Array.from({ length: PROCESSES }, () =>
    runRecurring({
      pool: db.enginePool,
      clock,
      log: pino({ level: 'silent' }),
      signal: stopping.signal,
      jobs: [
        { name: 'every minute', everyMs: 60_000, run: async () => void ran.push('minute') },
        { name: 'every hour', everyMs: 3_600_000, run: async () => void ran.push('hour') },
      ],
    }),
  );
  await untilAllSleep(clock, PROCESSES);
  for (let second = 0; second < 180; second++) {
    await clock.advance(1000);
    await untilAllSleep(clock, PROCESSES);
  }
  stopping.abort();
  await Promise.all(running);
  // At the start and after each of the three minutes.
  expect(ran.filter((what) => what === 'minute')).toHaveLength(4);
  expect(ran.filter((what) => what === 'hour')).toHaveLength(1);
});

test('a job whose process died in the middle runs again at its next turn', async () => {
  const clock = createTestClock();
  const job = { name: 'dies', everyMs: 60_000 };
  let ran = 0;
  const start = (run: () => Promise<void>) => {
    const stopping = new AbortController();
    const ended = runRecurring({
      pool: db.enginePool,
      clock,
      log: pino({ level: 'silent' }),
      signal: stopping.signal,
      jobs: [{ ...job, run }],
    });
    const stop = () => {
      stopping.abort();
      return ended;
    };
    return { stop };
  };
  const first = start(async () => {
    throw new Error('killed');
  });
  await untilAllSleep(clock, 1);
  await first.stop();
  const next = start(async () => void ran++);
  await untilAllSleep(clock, 1);
  expect(ran).toBe(0);
  for (let second = 0; second <= 60; second++) {
    await clock.advance(1000);
    await untilAllSleep(clock, 1);
  }
  await next.stop();
  expect(ran).toBe(1);
});
