/** A recipe that many saved in these weeks a year ago is suggested to the creator, as a draft to readers who confirmed. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listForms } from '#contract/forms.ts';
import * as contract from '#contract/newsletters.ts';
import type { NewsletterAct } from '#server/features/contacts/newsletter-status.ts';
import type { Person, TestApp } from '#server/testing/test-app.ts';
import { findSeason } from './seasons.ts';
import { addReader, type Kitchen, openKitchen, startKitchen } from './testing/kitchen.ts';

const DAY_MS = 24 * 3_600_000;
const COOKIES = 'https://anna.example/cookies/';
const STOLLEN = 'https://anna.example/stollen/';

let kitchen: Kitchen;
let app: TestApp;
let owner: Person;
let creatorId: string;
let formId: string;
beforeAll(async () => {
  kitchen = await startKitchen();
  ({ app } = kitchen);
  owner = await app.signUpAndIn();
});
afterAll(() => kitchen?.close());
beforeEach(async () => {
  await app.db.engine.deleteFrom('creators').execute();
  await open();
});

async function open(): Promise<void> {
  creatorId = await openKitchen(app, owner);
  formId = (await owner.call(listForms, { params: { creatorId } })).body.items[0].id;
  await kitchen.inbox();
}

/** @param daysAgo of the same day a year ago; below 0: later in that season */
async function save(
  email: string,
  url: string,
  { daysAgo = -7, acts }: { daysAgo?: number; acts?: NewsletterAct[] } = {},
) {
  const contactId = await addReader(app, creatorId, email, acts);
  const key = url.replace(/^https:\/\/|\/$/g, '');
  const at = sql`${app.clock.now()}::timestamptz - interval '1 year' - make_interval(days => ${daysAgo})`;
  const title = url === COOKIES ? 'Christmas {cookies}' : 'Stollen';
  await sql`
    insert into submissions (creator_id, id, attempt, form_id, form_version, contact_id, result, is_test, wants_newsletter, page_url,
      address_key, submitted_at, received_at)
    values (${creatorId}, gen_random_uuid(), gen_random_uuid(), ${formId}, 1, ${contactId}, 'on_its_way', false, false, ${url}, ${key}, ${at}, ${at})
  `.execute(app.db.engine);
  await sql`
    insert into saved_recipes (creator_id, id, contact_id, address_key, url, title, picture_url, first_saved_at, last_saved_at)
    values (${creatorId}, gen_random_uuid(), ${contactId}, ${key}, ${url}, ${title}, 'https://anna.example/cookies.jpg', ${at}, ${at})
    on conflict do nothing
  `.execute(app.db.engine);
}
async function saveAll(url: string, many: number, more: Parameters<typeof save>[2] = {}, from = 0): Promise<void> {
  for (let n = from; n < from + many; n++) await save(`reader${n}@example.test`, url, more);
}
const params = () => ({ params: { creatorId } });
const suggested = async () => (await owner.call(contract.getSeason, params())).body.season;
const write = (url = COOKIES) => owner.call(contract.writeSeasonDraft, { ...params(), body: { url } });
const decline = (url = COOKIES) => owner.call(contract.declineSeason, { ...params(), body: { url } });

test('names what most confirmed readers saved in the eight weeks that begin now, a year ago', async () => {
  await saveAll(STOLLEN, 9);
  expect(await suggested()).toBeNull();
  await saveAll(STOLLEN, 1, {}, 9);
  expect(await suggested()).toEqual({
    url: STOLLEN,
    title: 'Stollen',
    pictureUrl: 'https://anna.example/cookies.jpg',
    count: 10,
  });
  await saveAll(COOKIES, 11);
  expect(await suggested()).toMatchObject({ url: COOKIES, count: 11 });
  // Saved twice is one reader.
  await saveAll(STOLLEN, 5);
  expect(await suggested()).toMatchObject({ url: COOKIES, count: 11 });
});

test('counts nobody who isn’t confirmed, no other season, and no other creator’s readers', async () => {
  await saveAll(COOKIES, 9);
  await save('never@example.test', COOKIES, { acts: [] });
  await save('asked@example.test', COOKIES, { acts: ['ticks'] });
  await save('left@example.test', COOKIES, { acts: ['ticks', 'taps', 'unsubscribes'] });
  await save('before@example.test', COOKIES, { daysAgo: 1 });
  await save('after@example.test', COOKIES, { daysAgo: -57 });
  expect(await suggested()).toBeNull();
  await save('tenth@example.test', COOKIES, { daysAgo: -55 });
  expect(await suggested()).toMatchObject({ count: 10 });
  await sql`insert into newsletter_settings (creator_id, writer) values (${creatorId}, 'kit')`.execute(app.db.engine);
  expect(await suggested()).toBeNull();
  await open();
  expect(await suggested()).toBeNull();
  expect((await write()).status).toBe(404);
});

test('writes a draft to those who saved it, which reaches who confirmed once the creator sends it', async () => {
  await saveAll(COOKIES, 10);
  await save('left@example.test', COOKIES, { acts: ['ticks', 'taps', 'unsubscribes'] });
  await save('never@example.test', COOKIES, { acts: [] });
  await addReader(app, creatorId, 'other@example.test');
  const { body: draft } = await write();
  expect(draft).toMatchObject({
    ...{ kind: 'broadcast', state: 'draft', subject: 'Christmas cookies, again this year?' },
    segment: `all;all,saved_page:${encodeURIComponent(COOKIES)}`,
  });
  expect(draft.design.blocks.map(({ kind }: { kind: string }) => kind)).toEqual([
    ...['heading', 'text', 'heading', 'picture', 'button', 'footer'],
  ]);
  expect(await suggested()).toBeNull();
  await app.clock.advance(60_000);
  await kitchen.work();
  await kitchen.deliver();
  expect(await kitchen.inbox()).toEqual([]);

  const sent = {
    ...params(),
    params: { creatorId, broadcastId: draft.id },
    body: { version: draft.version, sendAt: null },
  };
  expect((await owner.call(contract.sendBroadcast, sent)).status).toBe(200);
  await app.clock.advance(contract.HOLD_SECONDS * 1000);
  await kitchen.work();
  await kitchen.deliver();
  const mails = await kitchen.inbox();
  expect(mails.map(({ to }) => to)).toEqual(Array.from({ length: 10 }, (_, n) => `reader${n}@example.test`));
  const [link] = await app.db.engine.selectFrom('links').select('code').where('url', '=', COOKIES).execute();
  expect(mails[0]!.html).toContain(`/l/${link!.code}/`);
});

test('“Not now” counts for that recipe and this year', async () => {
  await saveAll(COOKIES, 11);
  await saveAll(STOLLEN, 10);
  expect((await decline()).status).toBe(200);
  expect(await suggested()).toMatchObject({ url: STOLLEN });
  expect((await decline(STOLLEN)).status).toBe(200);
  expect(await suggested()).toBeNull();
  // A sign-in ends after weeks.
  const later = () => app.db.withCreator(creatorId, (trx) => findSeason(trx, creatorId, app.clock.now()));
  await app.clock.advance(50 * DAY_MS);
  await saveAll(COOKIES, 11);
  expect(await later()).toBeNull();
  await app.clock.advance(310 * DAY_MS);
  await saveAll(COOKIES, 11);
  expect(await later()).toMatchObject({ url: COOKIES });
});
