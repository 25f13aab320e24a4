import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemIds } from '#server/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { confirmLease, endLeases, giveBackShards, LeaseLostError, leave, renewShards, takeShards } from './leases.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(async () => {
  await db.enginePool.query('delete from worker_heartbeats');
  await db.enginePool.query(`update shard_leases set holder = null, expires_at = '-infinity'`);
});
afterAll(() => db.drop());

const newWorker = () => systemIds.uuid(new Date());

/** One turn of a worker, as the engine does it. Answers what it holds then. */
async function turn(worker: string): Promise<number[]> {
  const { held, share } = await renewShards(db.enginePool, worker);
  const taken = held.length < share ? await takeShards(db.enginePool, worker, share - held.length) : [];
  const surplus = held.slice(share);
  if (surplus.length > 0) await giveBackShards(db.enginePool, worker, surplus);
  return [...held.filter((shard) => !surplus.includes(shard)), ...taken];
}

/** The worker was killed, and its lease time is over. */
async function fallSilent(worker: string): Promise<void> {
  await db.enginePool.query(`update worker_heartbeats set seen_at = now() - interval '9 s' where worker_id = $1`, [
    worker,
  ]);
  await db.enginePool.query(`update shard_leases set expires_at = now() - interval '1 s' where holder = $1`, [worker]);
}

const ALL = Array.from({ length: 16 }, (_, shard) => shard);

describe('workers', () => {
  test('share the shards evenly, whoever comes first', async () => {
    for (const count of [1, 2, 3, 5, 16, 20]) {
      const workers = Array.from({ length: count }, newWorker);
      for (const worker of workers) await turn(worker);
      // Once to give back, once to take.
      for (const worker of workers) await turn(worker);
      const held = [];
      for (const worker of workers) held.push(await turn(worker));
      expect(
        held.flat().sort((one, other) => one - other),
        `${count} workers`,
      ).toEqual(ALL);
      const sizes = held.map(({ length }) => length);
      expect(Math.max(...sizes) - Math.min(...sizes), `${count} workers`).toBeLessThanOrEqual(1);
      for (const worker of workers) await leave(db.enginePool, worker);
    }
  });

  test('take what another one held once its lease has run out, and not before', async () => {
    const [first, second] = [newWorker(), newWorker()];
    for (const worker of [first, second, first, second]) await turn(worker);
    expect(await turn(second)).toHaveLength(8);
    await fallSilent(first);
    expect(await turn(second)).toHaveLength(16);
  });

  test('go on at once with what one gave back when it left', async () => {
    const [first, second] = [newWorker(), newWorker()];
    for (const worker of [first, second, first, second]) await turn(worker);
    await leave(db.enginePool, first);
    expect(await turn(second)).toHaveLength(16);
  });

  test('that are alone on the database wait for nobody', async () => {
    const [dead, next] = [newWorker(), newWorker()];
    expect(await turn(dead)).toHaveLength(16);
    await endLeases(db.enginePool, next);
    expect(await turn(next)).toHaveLength(16);
  });
});

describe('a lease', () => {
  test('is renewed while a batch is under way, not lost', async () => {
    const worker = newWorker();
    await turn(worker);
    const renewed = await inTransaction(db.enginePool, async (batch) => {
      await confirmLease(batch, worker, ALL);
      return { later: renewShards(db.enginePool, worker) };
    });
    expect((await renewed.later).held).toEqual(ALL);
  });

  test('that another worker has stops the batch of the one that slept', async () => {
    const [sleeper, next] = [newWorker(), newWorker()];
    await turn(sleeper);
    await fallSilent(sleeper);
    await turn(next);
    await expect(inTransaction(db.enginePool, (trx) => confirmLease(trx, sleeper, [0]))).rejects.toThrow(
      LeaseLostError,
    );
    expect(await turn(sleeper)).toEqual([]);
  });

  test('has a number that grows whenever it changes hands', async () => {
    const fences = async () => (await db.enginePool.query('select fence from shard_leases order by shard')).rows;
    const [first, second] = [newWorker(), newWorker()];
    await turn(first);
    const before = await fences();
    await turn(first);
    expect(await fences()).toEqual(before);
    await leave(db.enginePool, first);
    await turn(second);
    expect(await fences()).toEqual(before.map(({ fence }) => ({ fence: fence + 1 })));
  });
});
