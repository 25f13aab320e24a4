/**
 * A creator with a row in every table that can hold one: each column is filled from the database's own description of
 * itself, so that a new table or column is searched without anybody remembering.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelDeletion, requestDeletion } from '#contract/settings.ts';
import { deletionJobs } from '#server/features/settings/deletion.ts';
import { exampleOf, plantRows } from '#server/testing/planted-rows.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { createTestClock } from '#server/testing/test-clock.ts';
import { commentedTables, tablesOf, tracesOf } from './testing/privacy-table.ts';

const DAY_MS = 24 * 3_600_000;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

/** A row in each of these tables, with their word in every text. */
const fill = (tables: string[], creatorId: string, word: string) =>
  plantRows(app.db.connectionString, tables, (one) =>
    one.column === 'creator_id' ? creatorId : exampleOf(one, `${word}-${one.table}-${one.column}`, new Date()),
  );

const runJob = (afterMs: number) =>
  deletionJobs[0]!.run({ ...app.deps, clock: createTestClock(new Date(app.clock.now().getTime() + afterMs)) });

test('nothing of a creator is left in any table once their 14 days are over', async () => {
  const anna = await app.signUpAndIn({ name: 'Anna' });
  const { id: creatorId, handle } = await anna.createCreator('zzkitchen');
  const neighbour = await app.signUpAndIn();
  const neighboursId = (await neighbour.createCreator('neighbour')).id;
  const all = await tablesOf(app.db);
  const ofCreators = all.filter(({ ofCreators }) => ofCreators).map(({ table }) => table);
  // Made by signing up already, one each.
  const toFill = ofCreators.filter((table) => table !== 'subscriptions');
  await fill(toFill, creatorId, 'zzhers');
  await fill(toFill, neighboursId, 'zyneighbours');
  await app.db.enginePool.query(
    `insert into parked_events (shard, received_at, body, error) values (0, now(), $1, ''), (0, now(), $2, '')`,
    ['{"entry":[{"id":"zzhers-connections-account_id"}]}', '{"entry":[{"id":"zyneighbours-connections-account_id"}]}'],
  );
  const params = { params: { creatorId } };
  await anna.call(requestDeletion, { ...params, body: { handle } });
  await anna.call(cancelDeletion, params);
  await anna.call(requestDeletion, { ...params, body: { handle } });

  const words = ['zzhers', handle, creatorId];
  const before = await tracesOf(app.db, words);
  expect(Object.keys(before)).toEqual(expect.arrayContaining([...ofCreators, 'creators', 'parked_events', 'mails']));
  const neighbours = await tracesOf(app.db, ['zyneighbours', neighboursId]);

  // Disconnects, then deletes.
  await runJob(14 * DAY_MS);
  await runJob(14 * DAY_MS);
  expect(await tracesOf(app.db, words)).toEqual({
    // Who of support did what when; the reasons are gone.
    audit_log: [creatorId, 'zzhers'],
    // The one that says so.
    mails: [handle],
  });
  const { rows } = await app.db.enginePool.query('select detail from audit_log where creator_id = $1', [creatorId]);
  expect(rows).toEqual([{ detail: '' }]);
  expect((await app.mails(anna.email)).filter(({ html }) => html.includes(handle)).map(({ kind }) => kind)).toEqual([
    'creator_deleted',
  ]);
  expect(await tracesOf(app.db, ['zyneighbours', neighboursId])).toEqual(neighbours);
  // Their login is their own.
  expect(await app.db.engine.selectFrom('users').select('name').where('id', '=', anna.id).execute()).toEqual([
    { name: 'Anna' },
  ]);
});

test('no table with creators’ rows is said to stay for good', async () => {
  const ofCreators = new Set((await tablesOf(app.db)).filter((one) => one.ofCreators).map(({ table }) => table));
  const described = await commentedTables(app.db);
  expect(described.filter(({ table, kept }) => ofCreators.has(table) && kept.includes('for good'))).toEqual([]);
});
