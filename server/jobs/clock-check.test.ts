/** Jobs that delete by age, with a clock that is wrong. */
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemIds } from '#server/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { runDue, runJobs } from '#server/jobs/run-jobs.ts';
import { createTestClock } from '#server/testing/test-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const JOB = { name: 'forget-old', everyMs: HOUR_MS };

let db: TestDatabase;
let now: Date;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());
beforeEach(async () => {
  await db.engine.deleteFrom('jobs').execute();
  now = new Date();
});

const at = (ms: number) => new Date(now.getTime() + ms);
const log = pino({ level: 'silent' });
/** @returns whether the turn was taken, and why not if it is held */
async function turn(ms = 0) {
  const ran: Date[] = [];
  const job = { ...JOB, deletesByAge: true, run: async () => ran.push(at(ms)) };
  await runDue([job], { db, clock: createTestClock(at(ms)), ids: systemIds, log });
  return { taken: ran.length > 0, heldBecause: (await row()).held_because };
}
const row = () => db.engine.selectFrom('jobs').selectAll().executeTakeFirstOrThrow();
/** The last turn was so long before now. */
const lastTurn = (ms: number, more: { held_until?: Date; held_because?: string } = {}) =>
  db.engine
    .insertInto('jobs')
    .values({ name: JOB.name, due_at: at(JOB.everyMs - ms), ...more })
    .execute();

test('a turn is taken once, when it is due and both clocks agree', async () => {
  const turns = await Promise.all([turn(), turn(), turn()]);
  expect(turns.filter(({ taken }) => taken)).toHaveLength(1);
  await db.engine.deleteFrom('jobs').execute();
  await lastTurn(HOUR_MS - 1000);
  expect(await turn()).toEqual({ taken: false, heldBecause: null });
  expect(await turn(2000)).toEqual({ taken: true, heldBecause: null });
});

test.each([
  [400 * DAY_MS, '400 days ahead of'],
  [6 * 60_000, '6 minutes ahead of'],
  [-6 * 60_000, '6 minutes behind'],
])('a clock %i ms off the database’s holds it, says so, and takes no turn', async (off, words) => {
  await lastTurn(2 * HOUR_MS);
  const before = await row();
  expect(await turn(off)).toEqual({ taken: false, heldBecause: expect.stringContaining(words) });
  expect(await row()).toMatchObject({ due_at: before.due_at, last_succeeded_at: null, lease_id: null });
  // Another process, or this one with its clock set right, goes on.
  expect(await turn()).toEqual({ taken: true, heldBecause: null });
  expect((await row()).held_because).toBeNull();
});

test('four minutes of difference hold nothing', async () => {
  await lastTurn(2 * HOUR_MS);
  expect((await turn(4 * 60_000)).taken).toBe(true);
});

test('a jump of both clocks holds it for a day, and no longer', async () => {
  await lastTurn(30 * DAY_MS);
  const held = await turn();
  expect(held).toEqual({ taken: false, heldBecause: expect.stringMatching(/^The time went on by 30 days/) });
  expect(await row()).toMatchObject({ held_until: at(DAY_MS), held_because: held.heldBecause, due_at: at(HOUR_MS) });
  // It is due again, and the day is not over.
  await db.engine.updateTable('jobs').set({ due_at: now }).execute();
  expect(await turn()).toEqual(held);
  await db.engine.updateTable('jobs').set({ due_at: now, held_until: now }).execute();
  expect(await turn()).toEqual({ taken: true, heldBecause: null });
  expect(await row()).toMatchObject({ held_until: null, held_because: null });
});

test('a day without a turn, as after a night off, holds nothing', async () => {
  await lastTurn(DAY_MS);
  expect((await turn()).taken).toBe(true);
});

test('a clock that was set right again ends it at once', async () => {
  // It was a year ahead when the last turn was taken and when the day began.
  await lastTurn(-365 * DAY_MS, { held_until: at(366 * DAY_MS), held_because: 'The time went on.' });
  expect(await turn()).toEqual({ taken: true, heldBecause: null });
  expect(await row()).toMatchObject({ held_until: null, held_because: null, due_at: at(HOUR_MS) });
});

test('only jobs that delete are held, and the log says why once', async () => {
  const clock = createTestClock(at(400 * DAY_MS));
  const stopping = new AbortController();
  const ran: string[] = [];
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const running = runJobs(
    [
      { ...JOB, deletesByAge: true, run: async () => ran.push('deleted') },
      { name: 'refresh-tokens', everyMs: HOUR_MS, run: async () => ran.push('refreshed') },
    ],
    { db, clock, ids: systemIds, log },
    stopping.signal,
  );
  await expect.poll(() => ran).toEqual(['refreshed']);
  for (let second = 0; second < 3; second++) await clock.advance(1000);
  stopping.abort();
  await running;
  expect(ran).toEqual(['refreshed']);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { job: JOB.name, because: expect.stringContaining('400 days ahead of'), msg: expect.stringContaining('is held') },
  ]);
});
