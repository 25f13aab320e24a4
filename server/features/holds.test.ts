/**
 * Features' statements about their tables (server/db/holds.ts), tried on every table: a row is made from the database's own
 * description and looked for afterwards. The table of a new feature is tried without anybody remembering.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemIds } from '#server/clock.ts';
import { readConfig } from '#server/config.ts';
import { isOld, rowsOfAccount } from '#server/db/holds.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { forgetEverythingOf } from '#server/features/connections/leaving-queries.ts';
import { erase, exportPerson } from '#server/features/contacts/erasure.ts';
import { exportCreator } from '#server/features/export/export.ts';
import { HELD } from '#server/features/registered.ts';
import { forgetOld } from '#server/features/retention/forget-old.ts';
import { tracesOf } from '#server/features/retention/testing/privacy-table.ts';
import { type Column, exampleOf, plantRows } from '#server/testing/planted-rows.ts';
import { createTestClock } from '#server/testing/test-clock.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = new Date('2026-11-21T09:30:00Z');
const TABLES = HELD.map(({ table }) => table);
const BY_NAME = new Map<string, (typeof HELD)[number]>(HELD.map((one) => [one.table, one]));
/** Numbers, days and ids alone. */
const HAS_NO_WORD = ['free_opens'];
const clock = createTestClock(NOW);
const KEYS = { ids: systemIds, keys: { encryptionKeys: [{ id: 'k1', key: Buffer.alloc(32, 1) }] } };

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

test('every folder with routes or jobs is in the list of features', () => {
  const folders = new Set(
    globSync('*/{feature,routes,jobs}.ts', { cwd: import.meta.dirname }).map((file) => dirname(file)),
  );
  const listed = readFileSync(join(import.meta.dirname, 'features.ts'), 'utf8').matchAll(/'\.\/(.*)\/feature\.ts'/g);
  expect([...listed].map(([, folder]) => folder)).toEqual([...folders].toSorted());
});

test('every table with a creator, an account or a follower in it is held by one feature or the engine', async () => {
  const { rows: naming } = await db.enginePool.query<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attname in ('creator_id', 'connection_id', 'person_id', 'contact_id')`,
  );
  const unheld = naming.filter(({ table }) => !BY_NAME.has(table));
  expect(
    unheld.map(
      ({ table, column }) =>
        `${table} has a ${column}, and no feature says what becomes of its rows: name it under "holds" in the feature.ts of its folder.`,
    ),
  ).toEqual([]);
  expect(TABLES.filter((table, at) => TABLES.indexOf(table) !== at)).toEqual([]);
});

test('somebody who is erased is in no table any more', async () => {
  const planted = await plant();
  const other = await plant();
  const others = await tracesOf(db, [other.word, other.personId]);
  const naming = HELD.filter(({ person, erasedByEngine }) => erasedByEngine || (person && person.erased !== 'kept'));
  const byContactAlone = naming.filter(
    ({ table, person }) => HAS_NO_WORD.includes(table) || Object.keys(person?.erased ?? {}).join() === 'contact_id',
  );
  expect(Object.keys(await tracesOf(db, [planted.word, planted.personId])).toSorted()).toEqual(
    naming.flatMap((one) => (byContactAlone.includes(one) ? [] : [one.table])).toSorted(),
  );
  const named = byContactAlone.map(({ table }) => table);
  expect(Object.keys(await tracesOf(db, [planted.contactOfTheirs]))).toEqual(expect.arrayContaining(named));
  const contactId = `${planted.connectionId}.${planted.personId}`;
  await erase({ ...KEYS, db, clock, held: HELD }, { creatorId: planted.creatorId, contactId, userId: null as never });
  expect(await tracesOf(db, [planted.word, planted.personId])).toEqual({});
  const left = Object.keys(await tracesOf(db, [planted.contactOfTheirs]));
  expect(left.filter((table) => named.includes(table as never))).toEqual([]);
  expect(await tracesOf(db, [other.word, other.personId])).toEqual(others);
});

test('a follower’s copy has a row of every table that names them, and the creator’s file one of each that is not left out', async () => {
  const planted = await plant();
  const { items } = await db.withCreator(planted.creatorId, (trx) =>
    exportPerson({ clock, held: HELD }, trx, planted.creatorId, `${planted.connectionId}.${planted.personId}`, {}),
  );
  const copied = HELD.flatMap(({ person }) => (person ? [person.copied.as] : []));
  expect(items.map(({ what }) => what).toSorted()).toEqual(copied.toSorted());

  let text = '';
  for await (const part of exportCreator({ db, held: HELD }, planted.creatorId, NOW)) text += part;
  const file = JSON.parse(text);
  for (const { exported } of HELD) {
    if ('as' in exported) expect(file[exported.as], exported.as).toHaveLength(1);
  }
});

test('an account that leaves takes its rows along, and what is counted or the creator’s own stays', async () => {
  const planted = await plant();
  const [member, other] = [await plant(), await plant()];
  await db.engine.deleteFrom('passes').where('creator_id', '=', planted.creatorId).execute();
  const account = { creatorId: planted.creatorId, connectionId: planted.connectionId };
  const going = HELD.filter((one) => rowsOfAccount(one, account) !== null).map(({ table }) => table);
  await forgetEverythingOf(db, HELD, { creator_id: planted.creatorId, id: planted.connectionId }, NOW);
  const left = await tracesOf(db, [planted.creatorId, planted.accountId]);
  expect(going.filter((table) => table in left)).toEqual([]);
  expect(Object.keys(left)).toEqual(
    expect.arrayContaining(['connections', 'automations', 'outcome_counts', 'erased_people', 'lane_states']),
  );
  await forgetEverythingOf(db, HELD, { creator_id: member.creatorId, id: member.connectionId }, NOW);
  expect(Object.keys(await tracesOf(db, [member.contactOfTheirs]))).toEqual(
    expect.arrayContaining(['contacts', 'passes']),
  );
  const others = await tracesOf(db, [other.creatorId, other.accountId]);
  expect(Object.keys(others)).toEqual(expect.arrayContaining(going));
});

test('what is kept for some time only is gone or cleared a day later, and not a day before', async () => {
  const { keep } = readConfig({});
  const agings = HELD.flatMap(({ table, ages = [] }) =>
    ages.map((age) => ({ ...age, table, days: typeof age.keep === 'number' ? age.keep : keep[age.keep] })),
  );
  for (const [days, its] of Map.groupBy(agings, (one) => one.days)) {
    const tables = its.map(({ table }) => table).concat('stories', 'parked_events');
    for (const age of [days + 1, days - 1]) {
      await plant({ tables: [...new Set(tables)], at: new Date(NOW.getTime() - age * DAY_MS), sparse: true });
    }
  }
  const count = async (aging: (typeof agings)[number]) => {
    const old = isOld(aging, new Date(NOW.getTime() - aging.days * DAY_MS));
    const { rows } = await sql<{ old: number; young: number }>`
      select count(*) filter (where ${old}) as old, count(*) filter (where (${old}) is not true) as young
      from ${sql.table(aging.table)}`.execute(db.engine);
    return rows[0]!;
  };
  for (const aging of agings) {
    const { old, young } = await count(aging);
    expect([aging.table, old > 0, young > 0]).toEqual([aging.table, true, true]);
  }
  await forgetOld({ db, clock, held: HELD, config: { keep }, log: pino({ level: 'silent' }) });
  for (const aging of agings) {
    const { old, young } = await count(aging);
    const clearsBySteps = aging.steps !== undefined && aging.clears !== undefined;
    expect([aging.table, clearsBySteps ? 0 : old, young > 0]).toEqual([aging.table, 0, true]);
  }
});

/**
 * A creator with an account and a row in each table, all of one follower: `…_id` names the row of that table. Their word is in
 * each text of their own.
 *
 * @param options.sparse columns that may be empty are, but for times
 */
async function plant({ tables = TABLES as string[], at = NOW, sparse = false } = {}) {
  const ids = new Map<string, string>();
  const idOf = (thing: string): string => ids.get(thing) ?? ids.set(thing, systemIds.uuid(NOW)).get(thing)!;
  const [creatorId, connectionId] = [idOf('creator'), idOf('connection')];
  const tag = creatorId.slice(-12);
  const planted = {
    creatorId,
    connectionId,
    accountId: `account${tag}`,
    personId: `person${tag}`,
    word: `word${tag}`,
    contactOfTheirs: idOf('contact'),
  };
  await db.enginePool.query('insert into creators (id, handle) values ($1, $2)', [creatorId, tag]);
  const everywhere = JSON.stringify({ ...planted, interactionId: idOf('interaction') });

  function example(one: Column): unknown {
    const { table, column, type, isRequired } = one;
    const { person } = BY_NAME.get(table) ?? {};
    if (column !== 'contact_id' && (column === person?.rows || column === 'person_id')) return planted.personId;
    if (column === 'account_id') return planted.accountId;
    if (table === 'audit_log' && column === 'detail') return `${connectionId}.${planted.personId}`;
    if (table === 'parked_events' && column === 'body')
      return `"${planted.accountId}" "${planted.personId}" ${planted.word}`;
    const isTime = type.startsWith('timestamp');
    if (sparse && !isRequired && !isTime) return undefined;
    const thing = column === 'id' ? singular(table) : /^(.*)_id$/.exec(column)?.[1];
    if (thing !== undefined && type === 'uuid') return idOf(thing);
    if (thing !== undefined && type !== 'bigint') return `${thing}-${tag}`;
    const overwritten = person?.erased === undefined || (person.erased !== 'kept' && column in person.erased);
    if (type === 'jsonb' && person) return person.erased ? JSON.stringify({ username: planted.word }) : everywhere;
    const text = person && overwritten ? `${planted.word}-${column}` : `${column}-${tag}`;
    return exampleOf(one, text, at);
  }
  await plantRows(db.connectionString, tables, example);
  return planted;
}

function singular(table: string): string {
  return table.replace(/ies$/, 'y').replace(/s$/, '');
}
