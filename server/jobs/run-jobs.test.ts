import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { systemIds } from '#server/clock.ts';
import { backOffMs, type Job, later, type QueuedJob, type RecurringJob } from '#server/db/jobs.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { type RunningDeps, runDue, runJobs } from '#server/jobs/run-jobs.ts';
import { createTestClock, type TestClock } from '#server/testing/test-clock.ts';

const MINUTE_MS = 60_000;

let db: TestDatabase;
let clock: TestClock;
let deps: RunningDeps;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());
beforeEach(async () => {
  await db.engine.deleteFrom('jobs').execute();
  clock = createTestClock();
  deps = { db, clock, ids: systemIds, log: pino({ level: 'silent' }) };
});

type About = { id: number; creatorId?: string };
const payload = z.object({ id: z.number(), creatorId: z.optional(z.uuid()) });
const job = (run: (about: About) => Promise<unknown>, atOnce = 4): QueuedJob<RunningDeps, About> => ({
  ...{ name: 'water-plant', payload, atOnce },
  run: (_deps, about) => run(about),
});
const queue = (...about: About[]) => later(db.engine, deps, { name: 'water-plant', payload }, ...about);
const rows = () => db.engine.selectFrom('jobs').selectAll().orderBy('name').orderBy('payload').execute();
const never = () => new Promise<never>(() => {});

async function creator(): Promise<string> {
  const id = systemIds.uuid(clock.now());
  await db.engine
    .insertInto('creators')
    .values({ id, handle: `k${id}`, created_at: clock.now() })
    .execute();
  return id;
}

/** Waits for what another task is about to do; the test's own time limit ends it when it never does. */
async function until(holds: () => boolean) {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

test('runs what was asked for in a transaction when that commits, and never when it does not', async () => {
  const ran: number[] = [];
  const jobs = [job(async ({ id }) => ran.push(id))];
  const undone = db.engine.transaction().execute(async (trx) => {
    await later(trx, deps, jobs[0]!, { id: 1 });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await db.engine.transaction().execute((trx) => later(trx, deps, jobs[0]!, { id: 2 }, { id: 3 }));
  expect(await runDue(jobs, deps)).toBe(2);
  expect(ran.sort()).toEqual([2, 3]);
  expect(await rows()).toEqual([]);
});

test('a request queues for its own creator and for nobody else', async () => {
  const [mine, other] = [await creator(), await creator()];
  await db.withCreator(mine, (trx) => later(trx, deps, job(never), { id: 1, creatorId: mine }));
  await db.withCreator(mine, (trx) => later(trx, deps, job(never), { id: 1, creatorId: mine }));
  for (const about of [{ id: 2, creatorId: other }, { id: 3 }]) {
    const foreign = db.withCreator(mine, (trx) => later(trx, deps, job(never), about));
    await expect(foreign).rejects.toThrow('row-level security');
  }
  expect(await rows()).toMatchObject([{ creator_id: mine, payload: { id: 1, creatorId: mine } }]);
});

test('the same thing asked for twice is done once, and once more when it was asked for while it ran', async () => {
  let ran = 0;
  const running = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  const jobs = [
    job(async () => {
      ran++;
      going.resolve();
      if (ran === 1) await running.promise;
    }),
  ];
  await queue({ id: 1 });
  await queue({ id: 1 });
  const first = runDue(jobs, deps);
  await going.promise;
  await queue({ id: 1 });
  await queue({ id: 1 });
  running.resolve();
  expect(await first).toBe(1);
  expect(await runDue(jobs, deps)).toBe(1);
  expect(await runDue(jobs, deps)).toBe(0);
  expect(ran).toBe(2);
});

test('what throws is tried again, later each time, and says so', async () => {
  expect([1, 2, 3, 7, 8].map((failures) => backOffMs(failures))).toEqual([5_000, 15_000, 45_000, 3_600_000, 3_600_000]);
  const jobs = [job(() => Promise.reject(new Error('The well of "ada" is dry.')))];
  await queue({ id: 1 });
  for (const pauseMs of [5_000, 15_000, 45_000]) {
    expect(await runDue(jobs, deps)).toBe(1);
    await clock.advance(pauseMs - 1);
    expect(await runDue(jobs, deps)).toBe(0);
    await clock.advance(1);
  }
  expect(await rows()).toMatchObject([{ failures_in_a_row: 3, lease_id: null, last_failed_at: expect.any(Date) }]);
  await runDue([job(async () => {})], deps);
  expect(await rows()).toEqual([]);
});

test('a payload of another release is kept and said, not run', async () => {
  await db.engine
    .insertInto('jobs')
    .values([
      { name: 'water-plant', payload: JSON.stringify({ id: 'seven' }), due_at: clock.now() },
      { name: 'not-of-this-release', payload: '{}', due_at: clock.now() },
    ])
    .execute();
  expect(await runDue([job(() => Promise.reject(new Error('ran')))], deps)).toBe(1);
  expect((await rows()).map(({ last_failure }) => last_failure)).toEqual([null, expect.stringContaining('number')]);
});

test('another worker takes over half a minute after one died, and the dead one changes nothing any more', async () => {
  await queue({ id: 1 });
  const wakes = Promise.withResolvers<void>();
  // Its clock stands still: it renews nothing.
  const died = runDue([job(() => wakes.promise)], { ...deps, clock: createTestClock() });
  await expect.poll(async () => (await rows())[0]?.lease_id).not.toBeNull();
  const jobs = [job(async () => {})];
  await clock.advance(29_999);
  expect(await runDue(jobs, deps)).toBe(0);
  await clock.advance(1);
  const second = Promise.withResolvers<void>();
  const taken = runDue([job(() => second.promise)], deps);
  await expect.poll(async () => (await rows())[0]?.due_at).toEqual(new Date(clock.now().getTime() + 30_000));
  wakes.resolve();
  await died;
  expect(await rows()).toMatchObject([{ name: 'water-plant', lease_id: expect.any(String) }]);
  second.resolve();
  await taken;
  expect(await rows()).toEqual([]);
});

test('keeps its lease over a slow job', async () => {
  await queue({ id: 1 });
  const slow = Promise.withResolvers<void>();
  const running = runDue([job(() => slow.promise)], deps);
  for (let tens = 0; tens < 6; tens++) {
    await until(() => clock.sleeping() === 1);
    await clock.advance(10_000);
  }
  await until(() => clock.sleeping() === 1);
  expect(await runDue([job(() => Promise.reject(new Error('twice')))], deps)).toBe(0);
  slow.resolve();
  expect(await running).toBe(1);
});

test('each job is run once however many workers there are', async () => {
  await queue(...Array.from({ length: 60 }, (_, id) => ({ id })));
  const ran: number[] = [];
  const drain = async () => {
    while ((await runDue([job(async ({ id }) => ran.push(id))], deps)) > 0);
  };
  await Promise.all([drain(), drain(), drain(), drain()]);
  expect(ran.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, id) => id));
});

test('one creator’s ten thousand jobs do not hold up another’s one', async () => {
  const [many, one] = [await creator(), await creator()];
  await queue(...Array.from({ length: 10_000 }, (_, id) => ({ id, creatorId: many })));
  const stopping = new AbortController();
  const ran: string[] = [];
  const running = runJobs<RunningDeps>(
    [
      job(({ creatorId }) => {
        ran.push(creatorId!);
        return never();
      }, 8),
    ],
    deps,
    stopping.signal,
  );
  void running;
  const asleep = () => until(() => clock.sleeping() === 2);
  await until(() => ran.length === 4);
  await asleep();
  await clock.advance(1_000);
  await asleep();
  await queue({ id: 1, creatorId: one });
  await clock.advance(1_000);
  await until(() => ran.includes(one));
  // None of the other's has ended yet, and none was added.
  expect(ran).toEqual([many, many, many, many, one]);
  stopping.abort();
});

test('ends when told to, with the job under way done', async () => {
  await queue({ id: 1 });
  const stopping = new AbortController();
  const [going, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const jobs = [
    job(() => {
      going.resolve();
      return slow.promise;
    }),
  ];
  const running = runJobs<RunningDeps>(jobs, deps, stopping.signal);
  await going.promise;
  stopping.abort();
  slow.resolve();
  await running;
  expect(await rows()).toEqual([]);
});

test('goes on when the database was away for a while', async () => {
  const stopping = new AbortController();
  const ran: number[] = [];
  let away = true;
  const sometimes = {
    enginePool: db.enginePool,
    get engine() {
      if (away) throw new Error('The database is away.');
      return db.engine;
    },
  };
  const running = runJobs<RunningDeps>(
    [job(async ({ id }) => ran.push(id))],
    { ...deps, db: sometimes },
    stopping.signal,
  );
  await queue({ id: 1 });
  await until(() => clock.sleeping() === 1);
  away = false;
  await clock.advance(1_000);
  await expect.poll(() => ran).toEqual([1]);
  stopping.abort();
  await running;
});

test('what recurs runs once a turn, however many processes there are', async () => {
  const ran: string[] = [];
  const jobs: Job<RunningDeps>[] = [
    { name: 'every minute', everyMs: MINUTE_MS, run: async () => ran.push('minute') },
    { name: 'every hour', everyMs: 60 * MINUTE_MS, run: async () => ran.push('hour') },
  ];
  for (let seconds = 0; seconds <= 180; seconds += 10) {
    await Promise.all([runDue(jobs, deps), runDue(jobs, deps), runDue(jobs, deps)]);
    await clock.advance(10_000);
  }
  // At the start and after each of the three minutes.
  expect(ran.filter((what) => what === 'minute')).toHaveLength(4);
  expect(ran.filter((what) => what === 'hour')).toHaveLength(1);
});

test('what recurs never runs in two processes, however long it takes', async () => {
  const slow = Promise.withResolvers<void>();
  const recurring = (run: () => Promise<unknown>): RecurringJob<RunningDeps> => ({ name: 'slow', everyMs: 1000, run });
  const running = runDue([recurring(() => slow.promise)], deps);
  for (let tens = 0; tens < 6; tens++) {
    await until(() => clock.sleeping() === 1);
    await clock.advance(10_000);
    expect(await runDue([recurring(() => Promise.reject(new Error('twice')))], deps)).toBe(0);
  }
  slow.resolve();
  await running;
  expect(await runDue([recurring(async () => {})], deps)).toBe(1);
});

test('what recurs and failed runs again at its next turn; a turn whose process died, half a minute later', async () => {
  let ran = 0;
  const recurring = (run: () => Promise<unknown>): RecurringJob<RunningDeps> => ({
    ...{ name: 'dies', everyMs: 60 * MINUTE_MS },
    run,
  });
  await runDue([recurring(() => Promise.reject(new Error('failed')))], deps);
  await clock.advance(60 * MINUTE_MS - 1);
  expect(await runDue([recurring(async () => ran++)], deps)).toBe(0);
  await clock.advance(1);
  void runDue([recurring(never)], { ...deps, clock: createTestClock(clock.now()) });
  await expect.poll(async () => (await rows())[0]?.lease_id).not.toBeNull();
  await clock.advance(30_000);
  expect(await runDue([recurring(async () => ran++)], deps)).toBe(1);
  expect(ran).toBe(1);
});

test('a time that a wrong clock wrote does not keep anything from running', async () => {
  const jobs: Job<RunningDeps>[] = [
    job(async () => {}),
    { name: 'hourly', everyMs: 60 * MINUTE_MS, run: async () => {} },
  ];
  const wrong = createTestClock(new Date(clock.now().getTime() + 365 * 24 * 60 * MINUTE_MS));
  void runDue([job(never)], { ...deps, clock: wrong });
  await queue({ id: 1 });
  await runDue([job(() => Promise.reject(new Error('failed'))), jobs[1]!], { ...deps, clock: wrong });
  expect(await runDue(jobs, deps)).toBe(2);
});

test('a job that is held is looked at once a second, not without end', async () => {
  // An hour ahead of the database's.
  clock = createTestClock(new Date(Date.now() + 60 * MINUTE_MS));
  let asked = 0;
  const enginePool = new Proxy(db.enginePool, {
    get(pool, name) {
      if (name === 'query') asked++;
      return Reflect.get(pool, name).bind?.(pool) ?? Reflect.get(pool, name);
    },
  });
  const stopping = new AbortController();
  const held: RecurringJob<RunningDeps> = { name: 'forget-old', everyMs: MINUTE_MS, deletesByAge: true, run: never };
  const running = runJobs([held], { ...deps, clock, db: { engine: db.engine, enginePool } }, stopping.signal);
  for (let second = 1; second <= 3; second++) {
    await until(() => asked >= second);
    // Time enough for more, were it to look again at once.
    for (let more = 0; more < 20; more++) await rows();
    expect(asked).toBe(second);
    await clock.advance(1000);
  }
  stopping.abort();
  await running;
});
