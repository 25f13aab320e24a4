import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { privacyTable, tablesOf } from './testing/privacy-table.ts';

const WHO = ['followers', 'creator', 'team', 'support', 'nobody'];

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

test('docs/privacy.md tells of every table of the database, of each once and of no other', async () => {
  const described = privacyTable().map(({ table }) => table);
  expect(described.toSorted()).toEqual((await tablesOf(db)).map(({ table }) => table).toSorted());
});

test('it says of each who is named there and how long it is kept', () => {
  for (const { table, names, kept } of privacyTable()) {
    expect(
      names.filter((name) => !WHO.includes(name)),
      table,
    ).toEqual([]);
    expect(kept, table).not.toBe('');
  }
});
