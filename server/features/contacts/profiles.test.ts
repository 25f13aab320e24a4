import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemIds } from '#server/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { savePerson } from '#server/engine/people-store.ts';
import { insertConnection, insertInteraction } from '#server/testing/rows.ts';
import { createTestClock, type TestClock } from '#server/testing/test-clock.ts';
import { foldNames, type ProfileDeps, refreshProfiles } from './profiles.ts';

let db: TestDatabase;
let clock: TestClock;
let deps: ProfileDeps;
let creatorId: string;
let connectionId: string;
let asked: string[];
let answer: Awaited<ReturnType<ProfileDeps['meta']['profile']>>;

const anna = { name: 'Änna  Löf', username: 'Anna', pictureUrl: null, followers: 5, follows: true, verified: false };

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());
beforeEach(async () => {
  clock = createTestClock(new Date('2026-11-20T12:00:00Z'));
  asked = [];
  answer = { ok: true, data: anna, usage: null };
  creatorId = systemIds.uuid(new Date());
  await db.engine.deleteFrom('creators').execute();
  await db.engine
    .insertInto('creators')
    .values({ id: creatorId, handle: creatorId.slice(-12) })
    .execute();
  connectionId = await insertConnection(db, creatorId);
  deps = {
    db,
    clock,
    log: pino({ level: 'silent' }),
    speakerOf: async () => ({ platform: 'instagram', via: 'instagram', senderId: 'me', token: 'token' }) as never,
    meta: {
      profile: async ({ personId }) => {
        asked.push(personId);
        return answer;
      },
    },
  };
});

async function seen(id: string, lastWroteAt: Date | null) {
  await insertInteraction(db, creatorId, connectionId, { person_id: id, username: null, received_at: clock.now() });
  await db.engine
    .updateTable('people')
    .set({ last_wrote_at: lastWroteAt })
    .where('id', '=', id)
    .where('creator_id', '=', creatorId)
    .execute();
}

const person = (id: string) =>
  db.engine
    .selectFrom('people')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

test('asks only for who wrote lately, and once a day', async () => {
  await seen('commenter', null);
  await seen('writer', clock.now());
  await refreshProfiles(deps);
  await refreshProfiles(deps);
  expect(asked).toEqual(['writer']);
  expect(await person('writer')).toMatchObject({
    name: 'Änna  Löf',
    name_key: 'anna lof',
    name_last: 'lof',
    username: 'anna',
    follows: true,
    followers: 5,
  });
  await clock.advance(24 * 3_600_000);
  await seen('writer', clock.now()).catch(() => {});
  await refreshProfiles(deps);
  expect(asked).toEqual(['writer', 'writer']);
});

test('keeps the contact when Meta tells nothing of them, and does not ask again that day', async () => {
  await seen('shy', clock.now());
  answer = {
    ok: false,
    verdict: { kind: 'refused', reason: 'person_unavailable', detail: '230' },
    error: null,
    status: 403,
    usage: null,
  };
  await refreshProfiles(deps);
  await refreshProfiles(deps);
  expect(asked).toEqual(['shy']);
  expect(await person('shy')).toMatchObject({ name: null, follows: null });
});

test('leaves a connection alone that Meta slows down', async () => {
  await seen('one', clock.now());
  await seen('two', clock.now());
  answer = {
    ok: false,
    verdict: { kind: 'rate_limited', scope: 'connection', waitMs: 1, detail: '' },
    error: null,
    status: 400,
    usage: null,
  };
  await refreshProfiles(deps);
  expect(asked).toHaveLength(1);
});

test('folds names that others wrote, and again when they change', async () => {
  await seen('writer', null);
  const key = { creator_id: creatorId, connection_id: connectionId, id: 'writer' };
  const rename = (name: string | null) => savePerson(db.enginePool, key, { ...anna, name }, clock.now());
  await rename('Zoë One');
  expect(await foldNames(db)).toBe(1);
  expect((await person('writer')).name_key).toBe('zoe one');
  // The same name, and none that Meta tells, change nothing.
  await rename('Zoë One');
  await rename(null);
  expect(await foldNames(db)).toBe(0);
  await rename('Zoë Two');
  await foldNames(db);
  expect((await person('writer')).name_last).toBe('two');
  expect(await foldNames(db)).toBe(0);
});

test('waits for no one who holds a person, and folds their name the next time', async () => {
  for (const id of ['held', 'free']) {
    const key = { creator_id: creatorId, connection_id: connectionId, id };
    await seen(id, null);
    await savePerson(db.enginePool, key, { ...anna, name: 'Zoë' }, clock.now());
  }
  await db.engine.transaction().execute(async (trx) => {
    await trx.selectFrom('people').select('id').where('id', '=', 'held').forUpdate().execute();
    expect(await foldNames(db)).toBe(1);
    expect((await person('free')).name_key).toBe('zoe');
  });
  expect(await foldNames(db)).toBe(1);
  expect((await person('held')).name_key).toBe('zoe');
});
