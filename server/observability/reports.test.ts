import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { systemIds } from '#server/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { createEngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import { PostgresEventLog } from '#server/events/postgres-event-log.ts';
import { runJobs } from '#server/jobs/run-jobs.ts';
import { LIMITED, UNREACHABLE } from '#server/testing/followers.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestClock } from '#server/testing/test-clock.ts';
import type { FaultAction } from '#simulators/meta/control/types.ts';
import { readInstallation } from './installation.ts';
import { createMeasures } from './measures.ts';
import { findReports, startReports } from './reports.ts';

const MINUTE_MS = 60_000;
const log = pino({ level: 'silent' });

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

test('messages of others than Meta are counted by sender, and are none of Meta’s', async () => {
  const measures = createMeasures();
  measures.otherWebhookAnswered('stripe', 200);
  measures.otherWebhookAnswered('stripe', 403);
  const text = await measures.registry.metrics();
  expect(text).toContain('creator_hq_other_webhooks_total{sender="stripe",result="acknowledged"} 1');
  expect(text).toContain('creator_hq_other_webhooks_total{sender="stripe",result="wrong_signature"} 1');
  expect(text).not.toMatch(/^creator_hq_webhooks_total\{/m);
});

test('a process tells how it is and how the last minute was, and takes it back when it ends', async () => {
  const clock = createTestClock();
  const measures = createMeasures();
  const stopping = new AbortController();
  const processId = systemIds.uuid(clock.now());
  measures.webhookAnswered(200, 5000);
  const reporting = startReports({
    ...{ db, clock, log, processId, measures, version: '1.2.3', roles: ['web'], startedAt: clock.now() },
    keyIds: ['k2', 'k1'],
    readDisk: async () => ({ freeBytes: 3, totalBytes: 4 }),
    signal: stopping.signal,
  });
  const reports = async () => {
    await expect.poll(() => clock.sleeping()).toBe(1);
    return (await findReports(db, clock.now())).map(({ report }) => report.lastMinute);
  };
  // Events from before it began to look are not of the last minute.
  expect(await reports()).toMatchObject([{ webhooks: 0, ackP99Ms: null }]);
  for (let n = 0; n < 99; n++) measures.webhookAnswered(200, 3);
  measures.webhookAnswered(403, 1);
  measures.called('private_reply', 'done', 120, null);
  measures.appendFailed(performance.now());
  await clock.advance(10_000);
  expect(await reports()).toMatchObject([
    { webhooks: 99, refused: 1, calls: 1, failedAppends: 1, ackP99Ms: expect.any(Number) },
  ]);
  const [first] = await findReports(db, clock.now());
  expect(first?.report).toMatchObject({
    version: '1.2.3',
    roles: ['web'],
    keyIds: ['k2', 'k1'],
    shards: 0,
    leasesLost: 0,
    disk: { freeBytes: 3, totalBytes: 4 },
  });
  for (let n = 0; n < 7; n++) {
    await clock.advance(10_000);
    await reports();
  }
  expect(await reports()).toMatchObject([{ webhooks: 0, refused: 0, calls: 0, ackP99Ms: null }]);
  stopping.abort();
  await reporting;
  expect(await findReports(db, clock.now())).toEqual([]);
});

test('the log tells once when the disk fills up, when it is nearly full and when there is room again', async () => {
  const clock = createTestClock();
  const lines: string[] = [];
  const stopping = new AbortController();
  const GB = 1024 ** 3;
  const free: (number | null)[] = [9 * GB, 1.9 * GB, 1.8 * GB, 0.1 * GB, null, null, 8 * GB];
  const looks = free.length;
  const telling = (level: string) => (_fields: object, text: string) => void lines.push(`${level} ${text}`);
  const reporting = startReports({
    ...{ db, clock, processId: systemIds.uuid(clock.now()), measures: createMeasures(), version: '1', roles: ['web'] },
    ...{ startedAt: clock.now(), keyIds: [], signal: stopping.signal },
    log: { info: telling('info'), warn: telling('warn'), error: telling('error') } as unknown as typeof log,
    readDisk: async () => {
      const freeBytes = free.shift();
      if (freeBytes == null) throw new Error('no disk');
      return { freeBytes, totalBytes: 20 * GB };
    },
  });
  for (let look = 1; look < looks; look++) {
    await expect.poll(() => clock.sleeping()).toBe(1);
    await clock.advance(10_000);
  }
  stopping.abort();
  await reporting;
  expect(lines).toEqual([
    'warn the disk of DATA_DIR is filling up',
    'error the disk of DATA_DIR is nearly full: soon nothing can be written',
    'warn how full the disk of DATA_DIR is cannot be read',
    'info there is room on the disk of DATA_DIR',
  ]);
});

test('a process that was killed is shown for some minutes', async () => {
  const clock = createTestClock();
  const seen_at = new Date(clock.now().getTime() - 5 * MINUTE_MS);
  await db.engine
    .insertInto('process_reports')
    .values({ process_id: systemIds.uuid(seen_at), seen_at, report: JSON.stringify({ host: 'killed' }) })
    .execute();
  expect(await findReports(db, clock.now())).toMatchObject([{ seenAt: seen_at, report: { host: 'killed' } }]);
  expect(await findReports(db, new Date(clock.now().getTime() + 6 * MINUTE_MS))).toEqual([]);
});

test('a job tells when it succeeded, how often it failed in a row, and why, without what people wrote', async () => {
  const clock = createTestClock();
  const stopping = new AbortController();
  const ran: [string, boolean][] = [];
  let works = false;
  const job = {
    name: 'water-plants',
    everyMs: MINUTE_MS,
    run: async () => {
      if (!works) throw new Error('Key (email)=(ada@example.test) is "very secret" to https://a.test/?token=abc');
    },
  };
  const observed = { measures: { jobRan: (name: string, succeeded: boolean) => void ran.push([name, succeeded]) } };
  const running = runJobs([job], { db, clock, ids: systemIds, log, observed }, stopping.signal);
  const noted = async (turn: number) => {
    await expect.poll(() => ran.length).toBe(turn);
    await expect.poll(() => clock.sleeping()).toBe(1);
    const { jobs } = await readInstallation({ db, eventLog: new PostgresEventLog(db.enginePool), clock });
    return jobs[0];
  };
  // The first look after a minute was slept through finds the job due.
  const nextTurn = async () => {
    await clock.advance(MINUTE_MS);
    await expect.poll(() => clock.sleeping()).toBe(1);
    await clock.advance(1000);
  };
  expect(await noted(1)).toMatchObject({ name: 'water-plants', lastSucceededAt: null });
  await expect.poll(async () => (await noted(1))?.failuresInARow).toBe(1);
  const { lastFailure } = (await noted(1))!;
  expect(lastFailure).toContain('email');
  for (const secret of ['ada@example.test', 'very secret', 'abc']) expect(lastFailure).not.toContain(secret);
  await nextTurn();
  await noted(2);
  await expect.poll(async () => (await noted(2))?.failuresInARow).toBe(2);
  works = true;
  await nextTurn();
  await noted(3);
  await expect.poll(async () => (await noted(3))?.failuresInARow).toBe(0);
  expect(await noted(3)).toMatchObject({ lastSucceededAt: clock.now(), lastFailedAt: expect.any(Date) });
  stopping.abort();
  await running;
  expect(ran.map(([, succeeded]) => succeeded)).toEqual([false, false, true]);
});

test('the installation tells what waits, what failed within a day, and how accounts are', async () => {
  const world = await createEngineWorld();
  onTestFinished(() => world.close());
  const engine = await world.startEngine();
  const { clock, eventLog, simulator } = world;
  const now = new Date(clock.now().getTime() + 25 * 60 * MINUTE_MS);
  const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS);
  const goTo = (minutes: number) => world.advance(ago(minutes).getTime() - clock.now().getTime());
  const answering = async () => {
    const creator = await world.addCreator();
    await world.addAutomation(creator);
    return creator;
  };
  const asks = async (creator: WorldCreator, person: number, meets?: FaultAction) => {
    const match = { operation: 'private_reply' as const, accountId: creator.instagramAccountId };
    if (meets !== undefined) await simulator.control.addFault({ match, action: meets });
    await world.deliver(await world.comment(creator, { text: 'recipe', person }));
    await world.settle(engine, 0);
  };
  const [one, other] = [await answering(), await answering()];
  await asks(other, 0, UNREACHABLE);
  await goTo(30);
  await asks(one, 0, LIMITED);
  await goTo(20);
  await asks(other, 1, UNREACHABLE);
  await goTo(10);
  await asks(other, 2, UNREACHABLE);
  await asks(other, 3);
  await goTo(3);
  await asks(one, 1);
  await goTo(0);
  await engine.stop();
  const { creatorId } = one;
  await insertConnection(world.db, creatorId, { requires_auth_at: now });
  await insertConnection(world.db, creatorId, { barred_until: new Date(now.getTime() + MINUTE_MS) });
  await insertConnection(world.db, creatorId, { barred_until: ago(1) });
  await insertConnection(world.db, creatorId, { disconnected_at: now, requires_auth_at: now });

  await eventLog.append([{ shard: 1, receivedAt: ago(2), body: '{}' }]);
  expect(await readInstallation({ db: world.db, eventLog, clock })).toMatchObject({
    eventLog: { waiting: 1, oldest: ago(2), parked: 0 },
    queue: [{ lane: 'private_replies', waiting: 2, oldest: ago(30) }],
    // Every lane of the account.
    closedLanes: [{ reason: 'rate_limited', count: 5 }],
    connections: [
      { state: 'barred', count: 1 },
      { state: 'needs_reconnect', count: 1 },
      { state: 'working', count: 3 },
    ],
    failures: [{ lane: 'private_replies', reason: 'person_unavailable', count: 2 }],
    mails: { waiting: 0, oldest: null, failed: 0 },
    readerMails: { waiting: 0, oldest: null, failed: 0, refusedUs: 0, notUnderstood: 0 },
    outgoingWebhooks: { waiting: 0, failing: 0, switchedOff: 0 },
    shards: { held: 0, free: 16 },
  });
});
