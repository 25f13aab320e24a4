import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { commentedTables, privacyTable, tablesOf } from './testing/privacy-table.ts';

const WHO = ['followers', 'creator', 'team', 'support', 'nobody'];
/** They name nobody: applied migrations, and work to do with the ids it is about. */
const WITHOUT_COMMENT = ['jobs', 'schema_migrations'];

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

test('every table of the database says what it keeps', async () => {
  const described = (await commentedTables(db)).map(({ table }) => table);
  const all = (await tablesOf(db)).map(({ table }) => table);
  expect([...described, ...WITHOUT_COMMENT].toSorted()).toEqual(all.toSorted());
});

test('docs/privacy.md tells of every table that names somebody, of each once and of no other', async () => {
  const naming = (await commentedTables(db)).filter(({ names }) => !names.includes('nobody'));
  expect(
    privacyTable()
      .map(({ table }) => table)
      .toSorted(),
  ).toEqual(naming.map(({ table }) => table).toSorted());
});

test('it is said of each who is named there and how long it is kept', async () => {
  for (const { table, names, kept } of await commentedTables(db)) {
    expect(
      names.filter((name) => !WHO.includes(name)),
      table,
    ).toEqual([]);
    expect(kept, table).not.toBe('');
  }
});
