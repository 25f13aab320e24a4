/** The list of addresses that are not written to, over HTTP. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addSuppression, listSuppressions, SuppressionReason, takeBackSuppression } from '#contract/suppressions.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { applyNewsletterAct, findOrMakeContact } from './address-contacts.ts';
import { erase } from './erasure.ts';
import type { NewsletterAct } from './newsletter-status.ts';

const ADDRESS = 'ana@example.test';
const NOTE = 'They wrote that it was a slip.';

let app: TestApp;
let owner: Person;
let creatorId: string;
beforeAll(async () => {
  app = await createTestApp();
  owner = await app.signUpAndIn();
});
afterAll(() => app?.close());
beforeEach(async () => {
  await app.clock.advance(1_000);
  creatorId = (await owner.createCreator()).id;
});

const list = (query: object = {}) => owner.call(listSuppressions, { params: { creatorId }, query });
const add = (address: string) => owner.call(addSuppression, { params: { creatorId }, body: { address } });
const takeBack = (suppressionId: string, note = '') =>
  owner.call(takeBackSuppression, { params: { creatorId, suppressionId }, body: { note } });
const contact = async (...acts: NewsletterAct[]): Promise<string> => {
  const at = app.clock.now();
  return app.db.withCreator(creatorId, async (trx) => {
    const whose = { creatorId, email: ADDRESS, name: null, language: null, source: 'blog', at } as const;
    const { id: contactId } = await findOrMakeContact(trx, app.deps, whose);
    for (const act of acts) await applyNewsletterAct(trx, app.deps, { creatorId, contactId, act, at, how: null });
    return contactId;
  });
};
const statusOf = async (contactId: string) =>
  (await app.db.engine.selectFrom('contacts').select('newsletter').where('id', '=', contactId).executeTakeFirst())
    ?.newsletter;

/** How an address comes on the list for each reason, and what becomes of it and of its contact when it is taken back. */
const WAYS: Record<SuppressionReason, { acts: NewsletterAct[]; erased?: true; blocked?: true; after: string }> = {
  bounced: { acts: ['bounces'], after: 'gone, bounced' },
  team: { acts: ['ticks', 'taps'], blocked: true, after: 'gone, unsubscribed' },
  complained: { acts: ['ticks', 'taps', 'complains'], after: 'unsubscribed with a note, unsubscribed' },
  not_me: { acts: ['ticks', 'taps', 'not_me'], after: 'unsubscribed with a note, unsubscribed' },
  unsubscribed: { acts: ['ticks', 'taps', 'unsubscribes'], erased: true, after: 'refused' },
  erased: { acts: [], erased: true, after: 'refused' },
};

test.each(SuppressionReason.options)('%s: why and since when, and whether it can be taken back', async (reason) => {
  const { acts, erased, blocked, after } = WAYS[reason];
  const contactId = await contact(...acts);
  if (blocked) await add(ADDRESS);
  if (erased) await erase({ ...app.deps }, { creatorId, contactId, userId: owner.id });
  const [one] = (await list()).body.items;
  expect(one).toMatchObject({ reason, note: null, email: erased ? null : ADDRESS });

  const withoutNote = await takeBack(one.id);
  if (reason === 'complained' || reason === 'not_me') {
    expect(withoutNote).toMatchObject({ status: 422, body: { errors: [{ path: 'note' }] } });
    expect((await takeBack(one.id, ' \n ')).status).toBe(422);
    expect((await list()).body.items).toEqual([one]);
    expect((await takeBack(one.id, NOTE)).status).toBe(200);
  }
  const [left] = (await list()).body.items;
  if (after === 'refused') {
    expect(withoutNote.body).toMatchObject({ code: 'not_possible_now', detail: expect.stringContaining('themselves') });
    expect((await takeBack(one.id, NOTE)).body.code).toBe('not_possible_now');
    expect(left).toEqual(one);
    return;
  }
  const row = left === undefined ? 'gone' : `${left.reason} with ${left.note === NOTE ? 'a note' : left.note}`;
  expect(`${row}, ${await statusOf(contactId)}`).toBe(after);
  expect((await takeBack(one.id, NOTE)).status).not.toBe(200);
  // Only their own yes brings the newsletter back.
  await contact('told_confirmed');
  expect(await statusOf(contactId)).not.toBe('confirmed');
  await contact('ticks', 'taps');
  expect(await statusOf(contactId)).toBe('confirmed');
});

test('an address is found however it is written, added once, and keeps the stricter reason', async () => {
  expect((await list({ address: ADDRESS })).body.items).toEqual([]);
  const { body: first } = await add(` Ana@Example.TEST `);
  expect(first).toMatchObject({ reason: 'team', email: null });
  await app.clock.advance(60_000);
  const answers = await Promise.all([add(ADDRESS), add(ADDRESS)]);
  expect(answers.map(({ body }) => body)).toEqual([first, first]);
  expect((await list({ address: 'ANA@example.test' })).body.items).toEqual([first]);
  expect((await list({ address: 'ana@example.org' })).body.items).toEqual([]);
  const contactId = await contact('ticks', 'taps');
  expect(await statusOf(contactId)).toBe('unsubscribed');
  expect((await list()).body.items).toEqual([{ ...first, email: ADDRESS }]);
  await takeBack(first.id);
  await contact('complains');
  expect((await add(ADDRESS)).body.reason).toBe('complained');
});

test('pages go on where the last one ended', async () => {
  const added: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) added.unshift((await add(`${name}@example.test`)).body.id);
  const { items, next } = (await list({ limit: 3 })).body;
  const rest = (await list({ limit: 3, after: next })).body;
  const ids = [...items, ...rest.items].map(({ id }: { id: string }) => id);
  expect(ids.toSorted()).toEqual(added.toSorted());
  expect(rest.next).toBeNull();
});

test.each(['', 'ana', 'ana@', `${'a'.repeat(400)}@example.test`, 'a@b.test, c@d.test', 'ana\u0000@example.test'])(
  'refuses %j and adds nothing',
  async (address) => {
    expect((await add(address)).status).toBeOneOf([400, 422]);
    expect((await list({ address })).status).toBeOneOf([400, 422]);
    expect((await list()).body.items).toEqual([]);
  },
);

test('another creator’s list is another, and a note has an end', async () => {
  const { body: mine } = await add(ADDRESS);
  expect((await takeBack(mine.id, 'x'.repeat(301))).status).toBe(422);
  creatorId = (await owner.createCreator()).id;
  expect((await list({ address: ADDRESS })).body.items).toEqual([]);
  expect((await takeBack(mine.id)).status).toBe(404);
});
