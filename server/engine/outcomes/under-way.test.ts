/** Calls under way are noted by batch, so that the worker after a crash finds them: `calls_under_way`. */

import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordResults } from '#server/engine/outcomes/results-log.ts';
import type { ClaimedDelivery as Claimed } from '#server/engine/outcomes/rows.ts';
import { resultOf } from '#server/engine/sending/results.ts';
import { createEngineWorld, type EngineWorld } from '#server/engine/testing/engine-world.ts';

let world: EngineWorld;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world.close());
beforeEach(() => rows('delete from calls_under_way'));

const NOW = new Date('2026-11-21T12:00:00Z');
type ClaimedDelivery = Claimed & { recipient_person_id: string | null };

test('a batch is noted before its calls, and forgotten with the last of them', async () => {
  const { creator, engine } = await batchOf(3);
  expect(await noted()).toEqual([3]);
  await engine.dispatchOnce();
  expect(await noted()).toEqual([]);
  expect(
    await rows(
      `select count(*)::int as n from deliveries where creator_id = '${creator.creatorId}' and state = 'sent'`,
    ),
  ).toEqual([{ n: 3 }]);
});

test('a delivery to be tried again is not under way until it is claimed again, in a batch of its own', async () => {
  const { creator, engine } = await batchOf(2);
  await world.simulator.control.addFault({
    match: { accountId: creator.instagramAccountId },
    action: { kind: 'error', code: 2, httpStatus: 503 },
    times: 1,
  });
  await engine.dispatchOnce();
  expect(await noted()).toEqual([]);
  await world.settle(engine);
  expect(await noted()).toEqual([]);
});

test('what a dead worker noted is checked by the next one, and forgotten when it is found to have ended', async () => {
  await batchOf(2);
  expect(await noted()).toEqual([2]);
  // The first engine is never heard of again.
  const next = await world.startEngine();
  expect(await rows(`select count(*)::int as n from deliveries where state = 'queued' and uncertain`)).toEqual([
    { n: 2 },
  ]);
  await world.settle(next);
  await next.sweep();
  expect(await noted()).toEqual([]);
});

test('writing down that messages arrived touches no index', async () => {
  const { creator } = await batchOf(3);
  const sending = await rows<ClaimedDelivery>(`select * from deliveries where creator_id = '${creator.creatorId}'`);
  const results = sending.map((delivery) =>
    resultOf(delivery, { kind: 'done', messageId: 'a'.repeat(100), personId: delivery.recipient_person_id }, NOW),
  );
  const client = await world.db.enginePool.connect();
  try {
    await client.query('begin');
    const before = await updatesOn(client);
    await recordResults(client, results, [], []);
    const after = await updatesOn(client);
    expect(after.updated - before.updated).toBe(6);
    expect(after.withoutIndex - before.withoutIndex).toBe(6);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

/** Of deliveries and interactions, by this connection so far. */
async function updatesOn(client: pg.PoolClient): Promise<{ updated: number; withoutIndex: number }> {
  const { rows: found } = await client.query(
    `select sum(pg_stat_get_xact_tuples_updated(name::regclass))::int as updated,
       sum(pg_stat_get_xact_tuples_hot_updated(name::regclass))::int as "withoutIndex"
     from unnest(array['deliveries', 'interactions']) as name`,
  );
  return found[0];
}

/** Comments of as many followers, decided and not called yet. */
async function batchOf(count: number) {
  const creator = await world.addCreator();
  await world.addAutomation(creator);
  const engine = await world.startEngine();
  const comments = [];
  for (let index = 0; index < count; index++) {
    comments.push(await world.comment(creator, { text: 'recipe', person: index }));
  }
  for (const comment of comments) await world.deliver(comment);
  await engine.ingestOnce();
  return { creator, engine };
}

/** Of each batch that is noted: how many deliveries. */
async function noted(): Promise<number[]> {
  const found = await rows<{ count: number }>('select cardinality(delivery_ids) as count from calls_under_way');
  return found.map(({ count }) => count);
}

async function rows<Row extends object>(sql: string): Promise<Row[]> {
  const found = await world.db.enginePool.query<Row>(sql);
  return found.rows;
}
