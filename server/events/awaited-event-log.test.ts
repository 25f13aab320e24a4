import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock, systemIds } from '#server/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { awaitEventLog } from '#server/events/awaited-event-log.ts';
import { connectNatsEventLog, isNatsRefusal } from '#server/events/nats-event-log.ts';
import { PostgresEventLog } from '#server/events/postgres-event-log.ts';
import { freePort } from '#server/testing/processes.ts';
import { createTestClock, type TestClock } from '#server/testing/test-clock.ts';

const quiet = pino({ level: 'silent' });
const AWAY = new Error('away');
const event = { shard: 1, receivedAt: new Date(), body: 'a comment' };
const nothing = async () => {};

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** An event log that comes when the test says so. */
function comingLater() {
  const clock = createTestClock();
  const state = { isThere: false };
  const find = async () => {
    if (!state.isThere) throw AWAY;
    return new PostgresEventLog(db.enginePool);
  };
  return { clock, state, options: { find, isRefusal: () => false, clock, log: quiet } };
}

async function untilSleeping(clock: TestClock): Promise<void> {
  while (clock.sleeping() === 0) await turn();
}

test('an event log that is there is handed out itself', async () => {
  const { state, options } = comingLater();
  state.isThere = true;
  const log = await awaitEventLog(options, 10_000);
  expect(log).toBeInstanceOf(PostgresEventLog);
  await log.close();
});

test('one that comes a little later is waited for', async () => {
  const { clock, state, options } = comingLater();
  const found = awaitEventLog(options, 10_000);
  await untilSleeping(clock);
  state.isThere = true;
  await clock.advance(1_000);
  const log = await found;
  expect(log).toBeInstanceOf(PostgresEventLog);
  await log.close();
});

test('one that is away takes nothing and hands out nothing, and does both as soon as it is there', async () => {
  const { clock, state, options } = comingLater();
  const log = await awaitEventLog(options, 0);
  await expect(log.append([event])).rejects.toThrow('not there yet');
  await expect(log.lag()).rejects.toThrow('not there yet');
  expect(await log.consume([1], 10, nothing, nothing)).toBe(0);

  const comes = new Promise<void>((resolve) => log.onAppended(resolve));
  await clock.advance(60_000);
  state.isThere = true;
  await clock.advance(1_000);
  await comes;
  await log.append([event]);
  expect(await log.lag()).toMatchObject({ waiting: 1 });
  const seen: string[] = [];
  const work = async (events: { body: string }[]) => void seen.push(...events.map(({ body }) => body));
  expect(await log.consume([1], 10, work, nothing)).toBe(1);
  expect(seen).toEqual(['a comment']);
  await log.close();
});

test('one that never comes does not keep a process from ending', async () => {
  const { clock, options } = comingLater();
  const log = await awaitEventLog(options, 0);
  await log.close();
  expect(clock.sleeping()).toBe(0);
});

test('one that refuses us is not waited for', async () => {
  const { options } = comingLater();
  await expect(awaitEventLog({ ...options, isRefusal: (error) => error === AWAY }, 10_000)).rejects.toBe(AWAY);
});

test('a NATS server that does not know the password refuses us, one that is away does not', async () => {
  const server = createServer((socket) => {
    socket.write(
      `INFO ${JSON.stringify({ server_id: 'a', version: '2.9.10', auth_required: true, max_payload: 1e6 })}\r\n`,
    );
    socket.once('data', () => socket.end("-ERR 'Authorization Violation'\r\n"));
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    expect(isNatsRefusal(await failureAt(port))).toBe(true);
    expect(isNatsRefusal(await failureAt(await freePort()))).toBe(false);
  } finally {
    server.close();
  }
});

function failureAt(port: number): Promise<unknown> {
  const found = connectNatsEventLog({
    url: `nats://127.0.0.1:${port}`,
    stream: 'refused',
    subject: 'refused',
    replicas: 1,
    maxBytes: 1024 ** 2,
    appendWithinMs: 1_000,
    pool: db.enginePool,
    clock: systemClock,
    ids: systemIds,
    log: quiet,
  });
  return found.then(
    () => new Error('connected'),
    (error: unknown) => error,
  );
}
