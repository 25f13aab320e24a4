import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as contract from '#contract/contacts.ts';
import { systemIds } from '#server/clock.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { applyNewsletterAct, findOrMakeContact } from './address-contacts.ts';
import { followPeople, linkGivenAddresses } from './given-addresses.ts';
import { join, part } from './joining.ts';
import { ACTS, type NewsletterAct } from './newsletter-status.ts';

const DAY_MS = 24 * 3_600_000;

let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;
beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
});
afterAll(() => app?.close());
beforeEach(async () => {
  creatorId = (await anna.createCreator()).id;
  connectionId = await insertConnection(app.db, creatorId);
});

const now = () => app.clock.now();
const fromBlog = (email: string, name: string | null = null, at = now()) =>
  app.db.withCreator(creatorId, (trx) =>
    findOrMakeContact(trx, app.deps, { creatorId, email, name, language: null, source: 'blog', at }),
  );
const act = (contactId: string, what: NewsletterAct) =>
  app.db.withCreator(creatorId, (trx) =>
    applyNewsletterAct(trx, app.deps, { creatorId, contactId, act: what, at: now(), how: null }),
  );
async function follower(id: string, seenAt = now()): Promise<string> {
  await sql`
    insert into people (creator_id, connection_id, id, username, first_seen_at, last_seen_at)
    values (${creatorId}, ${connectionId}, ${id}, ${`${id}.cooks`}, ${seenAt}, ${seenAt})`.execute(app.db.engine);
  return `${connectionId}.${id}`;
}
/** As the engine writes it. */
async function gives(id: string, email: string): Promise<void> {
  await sql`update people set email = ${email} where creator_id = ${creatorId} and id = ${id}`.execute(app.db.engine);
  await sql`
    insert into consents (creator_id, id, connection_id, person_id, email, wording, place, agreed_at)
    values (${creatorId}, ${systemIds.uuid(now())}, ${connectionId}, ${id}, ${email}, 'You get my letter.', 'instagram_message', ${now()})
  `.execute(app.db.engine);
  await linkGivenAddresses(app.deps);
}
const get = async (contactId: string) =>
  (await anna.call(contract.getContact, { params: { creatorId, contactId } })).body;
const list = async (query: object = {}) =>
  (await anna.call(contract.listContacts, { params: { creatorId }, query })).body.items as contract.Contact[];
const post = (
  endpoint: typeof contract.joinContacts | typeof contract.dismissSuggestion,
  contactId: string,
  other: string,
) => anna.call(endpoint, { params: { creatorId, contactId }, body: { with: other } });

test('an address given in a DM is the contact of whoever gave it; the old id goes on to work', async () => {
  const id = await follower('ana');
  await gives('ana', 'Ana@Example.com');
  const [only] = await list();
  expect(await list()).toHaveLength(1);
  expect(only).toMatchObject({
    email: 'Ana@example.com',
    newsletter: 'unconfirmed',
    username: 'ana.cooks',
    platform: 'instagram',
  });
  expect(only!.identities.map(({ kind }) => kind)).toEqual(['account', 'email']);
  expect(only!.id).toMatch(/^[\da-f-]{36}$/);
  expect((await get(id)).id).toBe(only!.id);
  expect((await get(id)).consents).toMatchObject([
    { wording: 'You get my letter.', act: 'given', purpose: 'newsletter' },
  ]);
  expect(await linkGivenAddresses(app.deps)).toBe(0);
  // Another address of the same person: one contact with both.
  await gives('ana', 'ana@work.example');
  expect((await list()).map(({ identities }) => identities.length)).toEqual([3]);
});

test('where the blog knows the address already it is a suggestion, which "not the same" ends and Join follows', async () => {
  const { id: contactId } = await fromBlog('ana@example.com', 'Ana');
  await act(contactId, 'ticks');
  await act(contactId, 'taps');
  const personId = await follower('stranger');
  await gives('stranger', 'ANA@example.com');
  expect(await list()).toHaveLength(2);
  const suggestions = async (id: string) => (await get(id)).suggestions;
  expect(await suggestions(personId)).toMatchObject([{ id: contactId, why: 'same_address' }]);
  expect((await get(contactId)).consents.map(({ wording }: contract.Consent) => wording)).not.toContain(
    'You get my letter.',
  );

  expect(await post(contract.joinContacts, contactId, personId)).toMatchObject({
    status: 200,
    body: { id: contactId },
  });
  expect(await list()).toMatchObject([{ id: contactId, username: 'stranger.cooks', newsletter: 'confirmed' }]);
  const { joined } = await get(personId);
  expect(joined).toMatchObject([{ username: 'stranger.cooks' }]);
  // Whom the blog knows confirmed is not asked in a DM.
  const { rows } = await sql<{ asked: boolean }>`
    select email_asked_at is not null as asked from people where creator_id = ${creatorId}`.execute(app.db.engine);
  expect(rows).toEqual([{ asked: true }]);

  const parting = { params: { creatorId, contactId }, body: { joinId: joined[0].id } };
  expect((await anna.call(contract.partContacts, parting)).status).toBe(200);
  expect(await list()).toHaveLength(2);
  expect((await anna.call(contract.partContacts, parting)).status).toBe(404);
  expect((await post(contract.dismissSuggestion, personId, contactId)).status).toBe(200);
  expect([await suggestions(personId), await suggestions(contactId)]).toEqual([[], []]);
});

test('Gmail’s ways to write one mailbox are a suggestion and nothing more', async () => {
  const { id } = await fromBlog('a.n.a@gmail.com');
  const { id: other } = await fromBlog('ana+recipes@gmail.com');
  await fromBlog('ana@example.com');
  expect(await list()).toHaveLength(3);
  expect((await get(id)).suggestions).toMatchObject([{ id: other, why: 'gmail' }]);
});

test('whoever left by one address has left when it is joined; parting is possible for 30 days', async () => {
  const { id } = await fromBlog('ana@example.com');
  const { id: other } = await fromBlog('ana@work.example');
  await act(id, 'told_confirmed');
  await act(other, 'told_confirmed');
  await act(other, 'unsubscribes');
  await post(contract.joinContacts, other, id);
  expect(await get(id)).toMatchObject({ id, newsletter: 'unsubscribed' });
  expect((await list({ filter: 'newsletter_unsubscribed' })).map((one) => one.id)).toEqual([id]);
  expect(await list({ filter: 'newsletter_confirmed' })).toEqual([]);
  const { joined } = await get(id);
  await app.clock.advance(30 * DAY_MS + 1);
  const answer = await anna.call(contract.partContacts, {
    params: { creatorId, contactId: id },
    body: { joinId: joined[0].id },
  });
  expect(answer.body).toMatchObject({ code: 'not_possible_now' });
});

test('known by email alone: a page, no DM, a copy, and erased for good', async () => {
  const { id } = await fromBlog('zqana@example.com', 'Zqana');
  await act(id, 'ticks');
  await act(id, 'taps');
  const contact = await get(id);
  expect(contact).toMatchObject({
    name: 'Zqana',
    connectionId: null,
    platform: null,
    window: { how: 'closed' },
    newsletter: 'confirmed',
  });
  const params = { creatorId, contactId: id };
  const timeline = await anna.call(contract.getContactTimeline, { params });
  expect(timeline.body.items).toMatchObject([{ what: 'consent', act: 'confirmed' }]);
  expect((await anna.call(contract.blockContact, { params })).body.code).toBe('not_possible_now');
  const write = { params, body: { text: 'Hello', key: systemIds.uuid(now()) } };
  expect((await anna.call(contract.answerContact, write)).body.code).toBe('not_possible_now');
  const copy = await anna.call(contract.exportContact, { params });
  expect(copy.body.items.map(({ what }: { what: string }) => what).toSorted()).toEqual(['consent', 'contact']);
  expect((await anna.call(contract.eraseContact, { params })).status).toBe(200);
  expect((await anna.call(contract.getContact, { params })).status).toBe(404);
  expect(await list()).toEqual([]);
});

test('a contact is where its people are in the list', async () => {
  const personId = await follower('ana', new Date(now().getTime() - 5000));
  await gives('ana', 'ana@example.com');
  await follower('bert', new Date(now().getTime() + 1000));
  expect((await list()).map(({ username }) => username)).toEqual(['bert.cooks', 'ana.cooks']);
  await sql`update people set last_seen_at = ${new Date(now().getTime() + 2000)} where id = 'ana' and creator_id = ${creatorId}`.execute(
    app.db.engine,
  );
  await followPeople(app.deps);
  expect((await list()).map(({ username }) => username)).toEqual(['ana.cooks', 'bert.cooks']);
  expect((await get(personId)).lastSeenAt).toBe(new Date(now().getTime() + 2000).toISOString());
});

test('joining and parting again, in the order of joins turned round, gives everybody back exactly', async () => {
  const rows = async () => {
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(c) as row from contacts c where creator_id = ${creatorId}
      union all select to_jsonb(p) - '{email_asked_at}'::text[] from people p where creator_id = ${creatorId}
      order by 1`.execute(app.db.engine);
    return rows.map(({ row }) => row);
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.constantFrom(...ACTS), { maxLength: 2 }), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 2 }),
      fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 4 }),
      async (acts, followers, pairs) => {
        creatorId = systemIds.uuid(now());
        await sql`insert into creators (id, handle) values (${creatorId}, ${creatorId.slice(-12)})`.execute(
          app.db.engine,
        );
        connectionId = await insertConnection(app.db, creatorId);
        const all: string[] = [];
        for (const [index, these] of acts.entries()) {
          const { id } = await fromBlog(`ana${index}@example.com`, null, new Date(now().getTime() + index));
          for (const one of these) await act(id, one);
          all.push(id);
        }
        for (let index = 0; index < followers; index++)
          all.push(await follower(`f${index}`, new Date(now().getTime() - index)));
        const before: { rows: unknown; joinId: string }[] = [];
        for (const [one, other] of pairs) {
          const was = await rows();
          const both = {
            contactId: all[one % all.length]!,
            otherId: all[other % all.length]!,
            userId: null,
            why: 'by_hand' as const,
          };
          const joinId = await app.db
            .withCreator(creatorId, (trx) => join(app.deps, trx, { creatorId, ...both }))
            .catch((error: { code?: string }) => (error.code === 'invalid_input' ? null : Promise.reject(error)));
          if (joinId !== null) before.push({ rows: was, joinId });
        }
        for (const { rows: was, joinId } of before.toReversed()) {
          await app.db.withCreator(creatorId, (trx) => part(app.deps, trx, { creatorId, joinId }));
          expect(await rows()).toEqual(was);
        }
      },
    ),
    { numRuns: 12, seed: 7 },
  );
}, 60_000);
