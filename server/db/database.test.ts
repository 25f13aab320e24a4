import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

let db: TestDatabase;
const anna = randomUUID();
const bert = randomUUID();

beforeAll(async () => {
  // One connection: whatever a transaction leaves behind, the next one meets.
  db = await createTestDatabase({ poolSizes: { app: 1, engine: 1 } });
  await db.engine
    .insertInto('creators')
    .values([
      { id: anna, handle: 'anna' },
      { id: bert, handle: 'bert' },
    ])
    .execute();
});
afterAll(() => db.drop());

const handles = (database: Pick<TestDatabase['app'], 'selectFrom'>) =>
  database.selectFrom('creators').select('handle').orderBy('handle').execute();

describe('a request', () => {
  test('sees no tenant row before it names its creator', async () => {
    expect(await handles(db.app)).toEqual([]);
  });

  test('sees only the rows of its creator', async () => {
    expect(await db.withCreator(anna, handles)).toEqual([{ handle: 'anna' }]);
    expect(await db.withCreator(bert, handles)).toEqual([{ handle: 'bert' }]);
  });

  test('leaves nothing of its creator on the connection, done or failed', async () => {
    await db.withCreator(anna, handles);
    expect(await handles(db.app)).toEqual([]);
    const failed = db.withCreator(anna, () => Promise.reject(new Error('no')));
    await expect(failed).rejects.toThrow('no');
    expect(await handles(db.app)).toEqual([]);
  });

  test('can neither write nor change rows of another creator', async () => {
    const insert = db.withCreator(anna, (trx) =>
      trx.insertInto('creators').values({ id: randomUUID(), handle: 'x' }).execute(),
    );
    await expect(insert).rejects.toThrow('permission denied for table creators');
    const foreign = db.withCreator(anna, (trx) =>
      trx
        .insertInto('keywords')
        .values({
          creator_id: bert,
          id: randomUUID(),
          name: 'x',
          words: [],
          mode: 'contains',
          created_at: new Date(),
          updated_at: new Date(),
        })
        .execute(),
    );
    await expect(foreign).rejects.toThrow('row-level security');
    const update = await db.withCreator(anna, (trx) =>
      trx.updateTable('creators').set({ handle: 'taken' }).where('id', '=', bert).executeTakeFirst(),
    );
    expect(update.numUpdatedRows).toBe(0n);
  });
});

test('shows the engine the rows of all creators', async () => {
  expect(await handles(db.engine)).toEqual([{ handle: 'anna' }, { handle: 'bert' }]);
});

describe('values', () => {
  test('arrive as numbers, dates and texts', async () => {
    const { rows } = await sql`
      select 9007199254740991::bigint as big, array[1, 2]::bigint[] as list, 1.10::numeric as price,
        '2026-03-01'::date as day, '2026-03-01T12:00:00Z'::timestamptz as at`.execute(db.engine);
    expect(rows).toEqual([
      {
        big: 9007199254740991,
        list: [1, 2],
        price: '1.10',
        day: '2026-03-01',
        at: new Date('2026-03-01T12:00:00Z'),
      },
    ]);
  });

  test('are never rounded in silence', async () => {
    await expect(sql`select 9007199254740993::bigint as id`.execute(db.engine)).rejects.toThrow('does not fit');
  });
});
