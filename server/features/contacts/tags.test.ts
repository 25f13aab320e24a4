import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  eraseContact,
  exportContact,
  getContact,
  joinContacts,
  listContacts,
  partContacts,
} from '#contract/contacts.ts';
import { createTag, deleteTag, listTags, renameTag, tagContacts } from '#contract/tags.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { findOrMakeContact } from './address-contacts.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;
let made = 0;

beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  connectionId = await insertConnection(app.db, creatorId);
});
afterAll(() => app.close());

async function reader(): Promise<string> {
  const email = `reader${++made}@example.com`;
  const at = new Date();
  const { id } = await app.db.withCreator(creatorId, (trx) =>
    findOrMakeContact(trx, app.deps, { creatorId, email, name: null, language: null, source: 'blog', at }),
  );
  return id;
}
async function follower(): Promise<string> {
  const id = `follower${++made}`;
  const at = new Date();
  const row = {
    creator_id: creatorId,
    connection_id: connectionId,
    id,
    username: id,
    first_seen_at: at,
    last_seen_at: at,
  };
  await app.db.engine.insertInto('people').values(row).execute();
  return `${connectionId}.${id}`;
}
const change = (contactIds: string[], { give = [], take = [] }: { give?: string[]; take?: string[] }) =>
  anna.call(tagContacts, { params: { creatorId }, body: { contactIds, give, take } });
const show = async (contactId: string) => (await anna.call(getContact, { params: { creatorId, contactId } })).body;
const tagsOf = async (contactId: string): Promise<string[]> => (await show(contactId)).tags;
const all = async (): Promise<{ id: string; name: string; count: number }[]> =>
  (await anna.call(listTags, { params: { creatorId } })).body.items;
const tagNamed = async (name: string) => (await all()).find((tag) => tag.name === name)!;
const withTag = async (tagId: string): Promise<string[]> =>
  (await anna.call(listContacts, { params: { creatorId }, query: { tagId } })).body.items.map(
    ({ id }: { id: string }) => id,
  );

describe('a tag', () => {
  test('has a name of its own, whatever its case, and up to 60 letters', async () => {
    const first = await anna.call(createTag, { params: { creatorId }, body: { name: ' Crème brûlée ' } });
    expect(first.body).toMatchObject({ name: 'Crème brûlée', count: 0 });
    const again = await anna.call(createTag, { params: { creatorId }, body: { name: 'CRÈME BRÛLÉE' } });
    expect([again.status, again.body.code]).toEqual([409, 'already_exists']);
    const long = await anna.call(createTag, { params: { creatorId }, body: { name: 'x'.repeat(61) } });
    expect(long.body).toMatchObject({ code: 'invalid_input', errors: [{ path: 'name' }] });
  });

  test('is renamed for everybody who has it, but not to another one’s name', async () => {
    const contactId = await reader();
    await change([contactId], { give: ['Bread', 'Cake'] });
    const { id: tagId } = await tagNamed('Bread');
    const taken = await anna.call(renameTag, { params: { creatorId, tagId }, body: { name: 'cake' } });
    expect(taken.body).toMatchObject({ code: 'already_exists', errors: [{ path: 'name' }] });
    const renamed = await anna.call(renameTag, { params: { creatorId, tagId }, body: { name: 'Sourdough' } });
    expect(renamed.body).toEqual({ id: tagId, name: 'Sourdough', count: 1 });
    expect(await tagsOf(contactId)).toEqual(['Cake', 'Sourdough']);
  });

  test('leaves everybody when it is deleted, and is not there twice to delete', async () => {
    const contactId = await reader();
    await change([contactId], { give: ['Short-lived'] });
    const { id: tagId } = await tagNamed('Short-lived');
    const remove = () => anna.call(deleteTag, { params: { creatorId, tagId } });
    expect((await remove()).status).toBe(200);
    expect(await tagsOf(contactId)).toEqual([]);
    expect((await remove()).status).toBe(404);
    expect(await withTag(tagId)).toEqual([]);
  });
});

describe('contacts', () => {
  test('are given tags and have them taken away, many at once; who is gone is passed over', async () => {
    const [one, other] = [await reader(), await reader()];
    expect((await change([one, other, crypto.randomUUID()], { give: ['pasta', 'Soup'] })).body).toEqual({ changed: 2 });
    expect((await change([one], { give: ['PASTA'], take: ['soup'] })).body).toEqual({ changed: 1 });
    expect([await tagsOf(one), await tagsOf(other)]).toEqual([['pasta'], ['pasta', 'Soup']]);
    expect(await tagNamed('pasta')).toMatchObject({ count: 2 });
    expect(await withTag((await tagNamed('Soup')).id)).toEqual([other]);
    expect((await change([crypto.randomUUID()], { give: ['nobody has it'] })).status).toBe(404);
  });

  test('whom an account alone knows become contacts, and go on to be found by the account’s id', async () => {
    const id = await follower();
    await change([id], { give: ['VIP'] });
    const contact = await show(id);
    expect(contact).toMatchObject({ tags: ['VIP'], platform: 'instagram', newsletter: 'none', email: null });
    expect(contact.id).not.toBe(id);
    expect(await withTag((await tagNamed('VIP')).id)).toEqual([contact.id]);
    const { items } = (await anna.call(listContacts, { params: { creatorId }, query: { filter: 'following_unknown' } }))
      .body;
    expect(items.filter((one: { username: string }) => one.username === contact.username)).toHaveLength(1);
  });

  test('who are joined have the tags of both; parted each has their own again', async () => {
    const [one, other] = [await reader(), await reader()];
    await change([one], { give: ['first', 'both'] });
    await change([other], { give: ['second', 'both'] });
    await anna.call(joinContacts, { params: { creatorId, contactId: one }, body: { with: other } });
    expect(await tagsOf(other)).toEqual(['both', 'first', 'second']);
    expect(await tagNamed('both')).toMatchObject({ count: 1 });
    expect(await withTag((await tagNamed('second')).id)).toEqual([one]);
    const { joined } = await show(one);
    await anna.call(partContacts, { params: { creatorId, contactId: one }, body: { joinId: joined[0].id } });
    expect([await tagsOf(one), await tagsOf(other)]).toEqual([
      ['both', 'first'],
      ['both', 'second'],
    ]);
  });

  test('of a join of two accounts keep the tags given since when they are parted', async () => {
    const [one, other] = [await follower(), await follower()];
    await anna.call(joinContacts, { params: { creatorId, contactId: one }, body: { with: other } });
    await change([one], { give: ['kept'] });
    const { joined } = await show(one);
    await anna.call(partContacts, { params: { creatorId, contactId: one }, body: { joinId: joined[0].id } });
    expect([await tagsOf(one), await tagsOf(other)]).toEqual([['kept'], []]);
  });

  test('take their tags along in their copy, and leave none when they are erased', async () => {
    const contactId = await reader();
    await change([contactId], { give: ['Told us a secret'] });
    const copy = (await anna.call(exportContact, { params: { creatorId, contactId } })).body;
    expect(copy.items).toContainEqual(
      expect.objectContaining({
        what: 'tag',
        row: expect.objectContaining({ name: 'Told us a secret', source: 'team' }),
      }),
    );
    await anna.call(eraseContact, { params: { creatorId, contactId } });
    expect(await tagNamed('Told us a secret')).toMatchObject({ count: 0 });
    const left = await app.db.engine
      .selectFrom('contact_tags')
      .select('tag_id')
      .where('contact_id', '=', contactId)
      .execute();
    expect(left).toEqual([]);
  });
});
