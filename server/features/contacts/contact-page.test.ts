/** The page of one contact whom the creator's Instagram and the blog both know, and the table for spreadsheets. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as contract from '#contract/contacts.ts';
import { CONTACTS_CSV_PATH } from '#contract/figures.ts';
import { listForms } from '#contract/forms.ts';
import { submitForms } from '#contract/plugin.ts';
import { systemIds } from '#server/clock.ts';
import { takeReports } from '#server/features/mail-feedback/take-reports.ts';
import { sendDue } from '#server/features/reader-mails/testing/asked-reader.ts';
import { registerBlog } from '#server/testing/endpoint-walk.ts';
import { insertConnection, insertInteraction } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { linkGivenAddresses } from './given-addresses.ts';

const MINUTE_MS = 60_000;

let app: TestApp;
let anna: Person;
let creatorId: string;
let key: string;
let formKey: string;
beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
});
afterAll(() => app?.close());
beforeEach(async () => {
  creatorId = (await anna.createCreator()).id;
  ({ key } = await registerBlog(app, anna, creatorId));
  const { items } = (await anna.call(listForms, { params: { creatorId } })).body;
  formKey = items.find(({ kind }: { kind: string }) => kind === 'save').key;
});

const get = async (contactId: string): Promise<contract.ContactDetails> =>
  (await anna.call(contract.getContact, { params: { creatorId, contactId } })).body;
const list = async (): Promise<contract.Contact[]> =>
  (await anna.call(contract.listContacts, { params: { creatorId } })).body.items;
const timeline = async (contactId: string): Promise<contract.TimelineEntry[]> =>
  (await anna.call(contract.getContactTimeline, { params: { creatorId, contactId } })).body.items;
const unsubscribe = (contactId: string) => anna.call(contract.unsubscribeContact, { params: { creatorId, contactId } });

async function save(title: string, { email = 'ana@example.test', newsletter = false } = {}): Promise<string> {
  await app.clock.advance(MINUTE_MS);
  const url = `https://blog-of-${creatorId}.example.test/${title.toLowerCase()}/`;
  const submission = {
    ...{ attempt: crypto.randomUUID(), formKey, formVersion: 1, email, firstName: null, newsletter, language: 'en' },
    ...{ submittedAt: app.clock.now().toISOString(), network: null },
    page: { url, title, pictureUrl: `${url}picture.jpg`, recipe: null },
  };
  const answer = await app.visitor().send({
    ...{ method: 'POST', url: `/api/v1${submitForms.path}`, headers: { authorization: `Bearer ${key}` } },
    body: { submissions: [submission] },
  });
  expect(answer.status).toBe(200);
  return url;
}

/** The mails that were waiting go out; the last one's question is answered. */
async function tap(): Promise<void> {
  const { html } = (await sendDue(app)).at(-1)!;
  const path = new URL(/href="([^"]+\/e\/confirm\/[^"]+)"/.exec(html)![1]!).pathname;
  await app.clock.advance(MINUTE_MS);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await app.app.inject({ method: 'POST', url: path, headers, payload: 'how=pressed' });
  expect(answer.statusCode).toBe(200);
}

test('one contact and one timeline of who gave an address in a DM, and saved and confirmed with it on the blog', async () => {
  const connectionId = await insertConnection(app.db, creatorId);
  const at = app.clock.now();
  const asked = { person_id: 'ana', username: 'ana.cooks', text: 'pasta please', occurred_at: at };
  await insertInteraction(app.db, creatorId, connectionId, asked);
  await sql`
    insert into consents (creator_id, id, connection_id, person_id, email, wording, place, agreed_at)
    values (${creatorId}, ${systemIds.uuid(at)}, ${connectionId}, 'ana', 'ana@example.test', 'You get my letter.', 'instagram_message', ${at})
  `.execute(app.db.engine);
  await linkGivenAddresses(app.deps);
  const url = await save('Pasta', { newsletter: true });
  await tap();

  const all = await list();
  expect(all).toMatchObject([{ username: 'ana.cooks', email: 'ana@example.test', newsletter: 'confirmed' }]);
  const contact = await get(all[0]!.id);
  expect(contact.saves).toMatchObject([{ title: 'Pasta', url, pictureUrl: `${url}picture.jpg`, times: 1 }]);
  expect(contact.mails).toMatchObject([{ kind: 'save', title: 'Pasta', state: 'accepted', says: null }]);
  expect(contact.consents).toMatchObject([
    { act: 'confirmed', how: 'pressed' },
    { act: 'given', purpose: 'newsletter', how: 'box', pageUrl: url, wording: 'Yes, send me new recipes too' },
    { purpose: 'save', how: 'button', pageUrl: url },
    { act: 'given', how: 'in_dm', wording: 'You get my letter.' },
  ]);
  const told = (await timeline(`${connectionId}.ana`)).map((entry) =>
    entry.what === 'consent' ? `${entry.what} ${entry.act}` : entry.what,
  );
  expect(told).toEqual(expect.arrayContaining(['mail', 'save', 'consent confirmed', 'interaction', 'consent given']));
  expect(told).toHaveLength(6);
  expect(told[0]).toBe('consent confirmed');
  expect((await timeline(contact.id)).find(({ what }) => what === 'save')).toMatchObject({ title: 'Pasta', url });
});

test('a mail that came back says so, and why', async () => {
  await save('Pasta');
  await sendDue(app);
  const [{ id }] = (await list()) as [contract.Contact];
  const [mail] = (await get(id)).mails as [contract.ContactMail];
  const report = { fate: 'hard' as const, says: '550 No such user', mail: { id: mail.id, by: 'header' as const } };
  await takeReports(app.deps, { name: 'test', eventId: mail.id }, [report]);
  const returned = { kind: 'save', state: 'bounced', says: expect.stringContaining('550 No such user') };
  expect(await get(id)).toMatchObject({ newsletter: 'bounced', mails: [returned] });
  expect(await timeline(id)).toContainEqual(expect.objectContaining({ what: 'mail', ...returned }));
});

test('the team unsubscribes who asks for it, at every address; who gets no newsletter cannot be unsubscribed', async () => {
  await save('Pasta', { newsletter: true });
  await tap();
  await save('Soup', { email: 'ana@work.example.test' });
  const [work, home] = (await list()) as [contract.Contact, contract.Contact];
  expect((await unsubscribe(work.id)).body.code).toBe('not_possible_now');
  await anna.call(contract.joinContacts, { params: { creatorId, contactId: home.id }, body: { with: work.id } });
  expect((await unsubscribe(work.id)).body).toMatchObject({ id: home.id, newsletter: 'unsubscribed' });
  expect((await get(home.id)).consents[0]).toMatchObject({ act: 'withdrawn', how: 'by_hand', place: 'team' });
  expect((await unsubscribe(home.id)).body.code).toBe('not_possible_now');
  // What they save still reaches them; the box asks them again.
  await save('Bread');
  expect((await sendDue(app)).map(({ subject }) => subject)).toContain('Bread');
});

test('as a table it says how each of them said yes, to what, where, and where they came from', async () => {
  const url = await save('Pasta', { newsletter: true });
  await tap();
  await save('Soup', { email: 'saver@example.test' });
  const table = async (query: string) => {
    const { text } = await anna.send({ method: 'GET', url: CONTACTS_CSV_PATH(creatorId) + query });
    const [header, ...lines] = text.trim().split('\r\n');
    expect(header).toContain('newsletter,newsletter since,how,wording,page,source');
    return lines;
  };
  const confirmedAt = (await get((await list()).find(({ email }) => email === 'ana@example.test')!.id)).confirmedAt;
  const [line, ...others] = await table('');
  expect(others).toEqual([]);
  expect(line).toContain('ana@example.test');
  expect(line).toContain(`confirmed,${confirmedAt},pressed,"Yes, send me new recipes too",${url},blog`);
  expect(await table('?filter=from_blog')).toHaveLength(2);
});
