import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { rollUpCounts } from '#server/engine/outcomes/counts.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => db.engine.deleteFrom('creators').execute());
afterAll(() => db.drop());

test('takes the turn of those who have waited the longest, until everybody had theirs', async () => {
  const creators = [await creatorWith(3), await creatorWith(2), await creatorWith(1)];
  expect(await rollUpCounts(db, 1 / 3)).toBe(3);
  expect(await waiting()).toEqual(
    new Map([
      [creators[1], 2],
      [creators[2], 1],
    ]),
  );
  expect(await rollUpCounts(db, 1 / 3)).toBe(2);
  expect(await rollUpCounts(db, 1 / 3)).toBe(1);
  expect(await rollUpCounts(db, 1 / 3)).toBe(0);
  for (const [index, creator] of creators.entries()) expect(await counted(creator)).toBe(3 - index);
});

test('leaves nobody waiting who has many', async () => {
  await creatorWith(1);
  const [few, many] = [await creatorWith(99), await creatorWith(100)];
  expect(await rollUpCounts(db, 0.1)).toBe(101);
  expect(await waiting()).toEqual(new Map([[few, 99]]));
  expect(await counted(many)).toBe(100);
});

test('counts each once where two do it at the same time, however many there are', async () => {
  const creators = [await creatorWith(20_500), await creatorWith(300), await creatorWith(19_900)];
  const taken = await Promise.all([rollUpCounts(db), rollUpCounts(db)]);
  expect(taken[0] + taken[1]).toBe(40_700);
  expect(await waiting()).toEqual(new Map());
  expect(await Promise.all(creators.map(counted))).toEqual([20_500, 300, 19_900]);
});

async function creatorWith(comments: number): Promise<string> {
  const id = randomUUID();
  await db.engine
    .insertInto('creators')
    .values({ id, handle: `c${id.slice(0, 8)}` })
    .execute();
  await db.enginePool.query(
    `insert into outcome_deltas (creator_id, post_id, day, counted_on, counted, reason, change)
     select $1, 'post' || n % 7, '2026-11-22', '2026-11-22', 'replied', 'sent', 1 from generate_series(1, $2::int) as n`,
    [id, comments],
  );
  return id;
}

async function waiting(): Promise<Map<string, number>> {
  const { rows } = await db.enginePool.query<{ creator_id: string; count: number }>(
    'select creator_id, count(*)::int as count from outcome_deltas group by 1 order by min(id)',
  );
  return new Map(rows.map((row) => [row.creator_id, row.count]));
}

async function counted(creatorId: string): Promise<number> {
  const { rows } = await db.enginePool.query<{ sum: number }>(
    `select sum(count)::int as sum from outcome_counts where creator_id = $1 and counted_by = 'post'`,
    [creatorId],
  );
  return rows[0]!.sum;
}
