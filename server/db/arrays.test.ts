import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { longTextArray, plainArray, textArray, timeArray } from './arrays.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const text = fc.oneof(
  fc.constantFrom('', 'NULL', 'null', '{}', '{a,b}', '"', '\\', '\\"', ' a ', '\n\t', 'ä👩‍👩‍👧', "'; drop table"),
  fc.string({ unit: 'grapheme' }).map((given) => given.replaceAll('\0', '').toWellFormed()),
);

test('texts arrive as they are, whatever is in them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text), { minLength: 1 }), async (given) => {
      const { rows } = await db.enginePool.query('select $1::text[] as texts', [textArray(given)]);
      expect(rows[0].texts).toEqual(given);
    }),
    { numRuns: 60 },
  );
});

test('so do long ones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text), async (given) => {
      const texts = given.map((one, index) => one.repeat(index === 0 ? 3000 : 1));
      const { rows } = await db.enginePool.query('select $1::text[] as texts', [longTextArray(texts)]);
      expect(rows[0].texts).toEqual(texts);
    }),
    { numRuns: 60 },
  );
});

test('half of a character becomes the sign for one that is missing', async () => {
  const { rows } = await db.enginePool.query('select $1::text[] as texts', [longTextArray(['a\ud83d', '\udc4db'])]);
  expect(rows[0].texts).toEqual(['a\ufffd', '\ufffdb']);
});

test('times arrive to the millisecond', async () => {
  const given = [new Date('2026-11-21T08:52:25.123Z'), null, new Date('1999-12-31T23:59:59.999Z'), new Date(0)];
  const { rows } = await db.enginePool.query<{ at: Date | null }>(
    'select to_timestamp(ms / 1000) as at from unnest($1::float8[]) as ms',
    [timeArray(given)],
  );
  expect(rows.map(({ at }) => at)).toEqual(given);
});

test('ids, numbers and nothing arrive as they are', async () => {
  const { rows } = await db.enginePool.query(
    'select $1::int[] as numbers, $2::uuid[] as ids, $3::boolean[] as answers',
    [plainArray([1, null, -3]), plainArray([]), plainArray([true, false, null])],
  );
  expect(rows).toEqual([{ numbers: [1, null, -3], ids: [], answers: [true, false, null] }]);
});
