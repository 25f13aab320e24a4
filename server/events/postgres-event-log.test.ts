import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import type { LoggedEvent } from './event-log.ts';
import { emptyWorkedOff, PostgresEventLog } from './postgres-event-log.ts';

/** Nobody else works on these shards. */
const NOTHING_TO_CONFIRM = async () => {};

let db: TestDatabase;
let log: PostgresEventLog;
beforeAll(async () => {
  db = await createTestDatabase();
  log = new PostgresEventLog(db.enginePool);
});
afterAll(() => db.drop());
beforeEach(async () => {
  await db.enginePool.query('delete from event_log');
});

const receivedAt = new Date('2026-03-01T10:00:00.000Z');

async function workOff(shards: number[], most = 100): Promise<string[]> {
  const bodies: string[] = [];
  await log.consume(
    shards,
    most,
    async (events) => {
      bodies.push(...events.map(({ body }) => body));
    },
    NOTHING_TO_CONFIRM,
  );
  return bodies;
}

const countRows = async () =>
  (await db.enginePool.query<{ count: number }>('select count(*)::int as count from event_log')).rows[0]!.count;

/** One event in each of the three parts, whichever of them is written to at this minute. */
async function fillEveryPart(): Promise<void> {
  await db.enginePool.query(
    `insert into event_log (slot, shard, received_at, body) select slot, 1, $1, 'part ' || slot from generate_series(0, 2) as slot`,
    [receivedAt],
  );
}

test('a part that is worked off is emptied before its turn comes, the others stay', async () => {
  await fillEveryPart();
  await workOff([1]);
  expect(await emptyWorkedOff(db.enginePool, 0)).toBe(true);
  expect(await countRows()).toBe(2);
  await log.append([{ shard: 1, receivedAt, body: 'after' }]);
  expect(await workOff([1])).toEqual(['after']);
});

test('nothing is emptied while one event in it waits', async () => {
  await fillEveryPart();
  expect(await emptyWorkedOff(db.enginePool, 0)).toBe(false);
  expect(await workOff([1])).toEqual(['part 0', 'part 1', 'part 2']);
});

test('a part that somebody reads for long is left for later, and nobody waits for it', async () => {
  await fillEveryPart();
  await workOff([1]);
  const reader = await db.enginePool.connect();
  try {
    await reader.query('begin');
    await reader.query('select from event_log');
    expect(await emptyWorkedOff(db.enginePool, 0)).toBe(false);
  } finally {
    await reader.query('rollback');
    reader.release();
  }
  expect(await emptyWorkedOff(db.enginePool, 0)).toBe(true);
});

test('an append of another process that is not committed yet is not passed over', async () => {
  const other = await db.enginePool.connect();
  try {
    await other.query('begin');
    const slow = new PostgresEventLog(Object.assign(Object.create(db.enginePool), { query: other.query.bind(other) }));
    await slow.append([{ shard: 2, receivedAt, body: 'first' }]);
    const second = log.append([{ shard: 2, receivedAt, body: 'second' }]);
    expect(await workOff([2])).toEqual([]);
    await other.query('commit');
    await second;
  } finally {
    other.release();
  }
  expect(await workOff([2])).toEqual(['first', 'second']);
});

test('of many shards each gets its share of a batch, in order', async () => {
  const shards = [4, 5, 6, 7];
  for (const shard of [4, 4, 4, 4, 5, 6, 7]) await log.append([{ shard, receivedAt, body: String(shard) }]);
  expect(await workOff(shards, 4)).toEqual(['4', '5', '6', '7']);
  expect(await workOff(shards, 4)).toEqual(['4']);
  expect(await workOff(shards, 8)).toEqual(['4', '4']);
});

test('what others appended, and what a restored database gave the same ids, is read from the table', async () => {
  const other = new PostgresEventLog(db.enginePool);
  await workOff([3]);
  await log.append([{ shard: 3, receivedAt, body: 'ours' }]);
  await other.append([{ shard: 3, receivedAt, body: 'theirs' }]);
  await log.append([{ shard: 3, receivedAt, body: 'ours, lost' }]);
  await db.enginePool.query(
    `update event_log set received_at = received_at + interval '1 ms', body = 'restored' where body = 'ours, lost'`,
  );
  expect(await workOff([3])).toEqual(['ours', 'theirs', 'restored']);
});

test('what was appended here is handed out as it was read then, also when it is handed out again', async () => {
  await workOff([3]);
  const read = [{ kind: 'ignored', accountId: null, what: 'nothing' } as const];
  await log.append([
    { shard: 3, receivedAt, body: 'ours', read },
    { shard: 4, receivedAt, body: 'of another worker', read },
  ]);
  const seen: LoggedEvent[] = [];
  const failing = log.consume([3], 1, async () => Promise.reject(new Error('stop here')), NOTHING_TO_CONFIRM);
  await expect(failing).rejects.toThrow('stop here');
  await log.consume([3], 1, async (events) => void seen.push(...events), NOTHING_TO_CONFIRM);
  await log.consume([4], 1, async (events) => void seen.push(...events), NOTHING_TO_CONFIRM);
  expect(seen).toEqual([
    { id: expect.any(Number), shard: 3, receivedAt, body: 'ours', read },
    { id: expect.any(Number), shard: 4, receivedAt, body: 'of another worker' },
  ]);
});
