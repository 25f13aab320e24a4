import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as contract from '#contract/newsletters.ts';
import { queueSave } from '#server/features/reader-mails/testing/asked-reader.ts';
import type { Person, TestApp } from '#server/testing/test-app.ts';
import { addReader, type Kitchen, openKitchen, setDomain, startKitchen } from './testing/kitchen.ts';
import { type Day, limitAfter } from './warm-up.ts';

const DAY_MS = 24 * 3_600_000;
const good = (sent: number): Day => ({ sent, bounced: 0, complained: 0 });

test.each<[string, Day[], number | null]>([
  ['the first day', [], 500],
  ['a good one', [good(500)], 1000],
  ['one without any', [good(0)], 1000],
  ['two good ones', [good(500), good(1000)], 2000],
  ['2 % that came back', [{ sent: 500, bounced: 10, complained: 0 }], 1000],
  ['more than 2 %', [{ sent: 500, bounced: 11, complained: 0 }], 500],
  ['0.1 % who complained', [good(500), { sent: 1000, bounced: 0, complained: 1 }], 2000],
  ['more than 0.1 %', [good(500), { sent: 1000, bounced: 0, complained: 2 }], 1000],
  ['a bad one between good ones', [good(500), { sent: 1000, bounced: 50, complained: 0 }, good(1000)], 2000],
  ['seven good ones', Array(7).fill(good(500)), 64_000],
  ['eight good ones', Array(8).fill(good(500)), null],
  ['thirteen bad ones', Array(13).fill({ sent: 500, bounced: 50, complained: 0 }), 500],
  ['two weeks of bad ones', Array(14).fill({ sent: 500, bounced: 50, complained: 0 }), null],
])('how many after %s', (_, days, limit) => expect(limitAfter(days)).toBe(limit));

let kitchen: Kitchen;
let app: TestApp;
let owner: Person;
let creatorId: string;
beforeAll(async () => {
  kitchen = await startKitchen();
  ({ app } = kitchen);
  owner = await app.signUpAndIn();
});
afterAll(() => kitchen?.close());
beforeEach(async () => {
  await app.db.engine.deleteFrom('creators').execute();
  creatorId = await openKitchen(app, owner);
  await setDomain(app, creatorId, 'verified', { verified_at: app.clock.now() });
});

async function begin(): Promise<string> {
  const { body } = await owner.call(contract.createBroadcast, { params: { creatorId } });
  const params = { creatorId, broadcastId: body.id };
  const sent = await owner.call(contract.sendBroadcast, { params, body: { version: body.version, sendAt: null } });
  expect(sent.status).toBe(200);
  await app.clock.advance(contract.HOLD_SECONDS * 1000);
  await kitchen.work();
  return body.id;
}
const read = async (broadcastId: string) =>
  (await owner.call(contract.getBroadcast, { params: { creatorId, broadcastId } })).body;

function addReaders(count: number) {
  return sql`
    insert into contacts (creator_id, id, email, email_key, newsletter, newsletter_of_all, confirmed_at, first_seen_at, last_seen_at, source)
    select ${creatorId}, gen_random_uuid(), 'reader' || n || '@readers.example', 'reader' || n || '@readers.example',
      'confirmed', 'confirmed', now(), now(), now(), 'file' from generate_series(1, ${count}) as n
  `.execute(app.db.engine);
}

/** The states of its mails in the order they were gathered in, `waiting 500, held 200`. */
async function states(broadcastId: string): Promise<string> {
  const mails = await app.db.engine
    .selectFrom('reader_mails')
    .select('state')
    .where('part_of', '=', broadcastId)
    .orderBy('contact_id')
    .execute();
  const runs: [string, number][] = [];
  for (const { state } of mails) {
    if (runs.at(-1)?.[0] === state) runs.at(-1)![1]++;
    else runs.push([state, 1]);
  }
  return runs.map(([state, count]) => `${state} ${count}`).join(', ');
}

/** What waits is taken by the mail server now. @param bounced of them, so many come back */
async function leave(bounced = 0) {
  const at = app.clock.now();
  await app.db.engine
    .updateTable('reader_mails')
    .set({ state: 'accepted', finished_at: at })
    .where('state', '=', 'waiting')
    .execute();
  await sql`
    update reader_mails set state = 'bounced' where id in (
      select id from reader_mails where state = 'accepted' and finished_at = ${at} limit ${bounced})
  `.execute(app.db.engine);
}

test('of a new domain 500 leave the first day, the next ones the day after, and it says so', async () => {
  await addReaders(1700);
  const start = app.clock.now().getTime();
  const id = await begin();
  expect(await states(id)).toBe('waiting 500, held 1200');
  const nextAt = new Date(start + DAY_MS).toISOString();
  expect(await read(id)).toMatchObject({ state: 'sending', slowed: { aDay: 500, nextAt } });
  await leave();
  await kitchen.work();
  expect(await states(id)).toBe('accepted 500, held 1200');

  await app.clock.advance(DAY_MS);
  await kitchen.work();
  expect(await states(id)).toBe('accepted 500, waiting 1000, held 200');
  expect(await read(id)).toMatchObject({ slowed: { aDay: 1000 } });
  await leave();
  await app.clock.advance(DAY_MS);
  await kitchen.work();
  expect(await states(id)).toBe('accepted 1500, waiting 200');
  expect(await read(id)).toMatchObject({ state: 'sending', slowed: null });
  await leave();
  await kitchen.work();
  expect(await read(id)).toMatchObject({ state: 'done', figures: { sent: 1700, waiting: 0 } });
});

test('after a day on which too many came back it does not double', async () => {
  await addReaders(1200);
  const id = await begin();
  await leave(11);
  await app.clock.advance(DAY_MS);
  await kitchen.work();
  expect(await read(id)).toMatchObject({ slowed: { aDay: 500 }, figures: { sent: 500, bounced: 11 } });
});

test('a later newsletter waits for the earlier one, and what readers asked for waits for neither', async () => {
  await addReaders(700);
  const [first, second] = [await begin(), await begin()];
  expect([await states(first), await states(second)]).toEqual(['waiting 500, held 200', 'held 700']);
  const saver = await addReader(app, creatorId, 'saver@example.test', []);
  await queueSave(app, { creatorId, contactId: saver, submissionId: null });
  const save = () => app.db.engine.selectFrom('reader_mails').select('state').where('contact_id', '=', saver).execute();
  await kitchen.work();
  expect(await save()).toEqual([{ state: 'waiting' }]);
  await leave();
  await app.clock.advance(DAY_MS);
  await kitchen.work();
  await kitchen.work();
  expect([await states(first), await states(second)]).toEqual(['accepted 500, waiting 200', 'waiting 700']);
});

test('what waits for its day stays held while it is paused, goes on, and is called off with it', async () => {
  await addReaders(700);
  const id = await begin();
  const params = { creatorId, broadcastId: id };
  await owner.call(contract.pauseBroadcast, { params });
  await kitchen.work();
  expect(await states(id)).toBe('held 700');
  await owner.call(contract.resumeBroadcast, { params });
  await kitchen.work();
  expect(await states(id)).toBe('waiting 500, held 200');
  await owner.call(contract.cancelBroadcast, { params });
  await kitchen.work();
  expect(await states(id)).toBe('cancelled 700');
});

test.each([
  ['two weeks after it was verified', 14],
  ['eight days after, which all went well', 8],
])('all leave at once %s', async (_, days) => {
  await addReaders(700);
  await setDomain(app, creatorId, 'verified', { verified_at: new Date(app.clock.now().getTime() - days * DAY_MS) });
  const id = await begin();
  expect(await states(id)).toBe('waiting 700');
  expect(await read(id)).toMatchObject({ slowed: null });
});
