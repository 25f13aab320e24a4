/**
 * A reader who saved, signed up, confirmed, was tagged, imported and told to newsletter tools: looked for in every column of
 * every table and in the tools, before they are erased and after. A blog's outbox: wordpress-plugin/tests/real-hub.test.ts.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseContact, listContacts } from '#contract/contacts.ts';
import { listForms } from '#contract/forms.ts';
import { runImport } from '#contract/imports.ts';
import { changeIntegration, connectKit, connectMailchimp } from '#contract/newsletter-tools.ts';
import { submitForms } from '#contract/plugin.ts';
import { tagContacts } from '#contract/tags.ts';
import { importContacts } from '#server/features/contacts/importing/imports.ts';
import { takeReports } from '#server/features/mail-feedback/take-reports.ts';
import { findDueTools, syncTool } from '#server/features/newsletter-tools/sync.ts';
import { sendDue } from '#server/features/reader-mails/testing/asked-reader.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { registerBlog } from '#server/testing/endpoint-walk.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type Kit, startKit } from '#simulators/kit/kit.ts';
import { type Mailchimp, startMailchimp } from '#simulators/mailchimp/mailchimp.ts';
import { privacyTable, tracesOf } from './testing/privacy-table.ts';

const MINUTE_MS = 60_000;
const EMAIL = 'zqreader@example.test';
const FILE = 'email,name\nzqreader@example.test,Zqname\nwitness@example.test,Witness\n';

let kit: Kit;
let mailchimp: Mailchimp;
let app: TestApp;
let anna: Person;
let creatorId: string;
let key: string;
let forms: { id: string; key: string; kind: string }[];
beforeAll(async () => {
  kit = await startKit({ now: () => app.clock.now() });
  mailchimp = await startMailchimp({ now: () => app.clock.now() });
  app = await createTestApp({
    settings: { KIT_URL: kit.url, MAILCHIMP_URL: mailchimp.url, BASE_URL: 'https://hq.example.test' },
  });
  anna = await app.signUpAndIn({ name: 'Anna' });
  creatorId = (await anna.createCreator()).id;
  ({ key } = await registerBlog(app, anna, creatorId));
  forms = (await anna.call(listForms, { params: { creatorId } })).body.items;
});
afterAll(async () => {
  await app?.close();
  await Promise.all([kit?.close(), mailchimp?.close()]);
});

const formKey = (kind: string) => forms.find((form) => form.kind === kind)!.key;
const contacts = async () => (await anna.call(listContacts, { params: { creatorId } })).body.items;
const atMailchimp = () => JSON.stringify([...mailchimp.members.values()]);
const traces = () => tracesOf(app.db, ['zqreader', 'zqname']);

async function save(email = EMAIL, submittedAt = app.clock.now()) {
  const url = `https://blog-of-${creatorId}.example.test/pasta/`;
  const answer = await app.visitor().send({
    ...{ method: 'POST', url: `/api/v1${submitForms.path}`, headers: { authorization: `Bearer ${key}` } },
    body: {
      submissions: [
        {
          ...{ attempt: crypto.randomUUID(), formKey: formKey('save'), formVersion: 1, email, firstName: 'Zqname' },
          ...{ newsletter: true, language: 'en', submittedAt: submittedAt.toISOString(), network: 'zqnetwork-1' },
          page: { url, title: 'Pasta', pictureUrl: null, recipe: null },
        },
      ],
    },
  });
  expect(answer.body.results).toMatchObject([{ result: 'please_confirm' }]);
}

async function signUpOnItsPage(): Promise<void> {
  const path = `/f/${formKey('signup')}`;
  const { body } = await app.app.inject({ method: 'GET', url: path });
  const stamp = /name="stamp" value="([^"]+)"/.exec(body)![1]!;
  const payload = new URLSearchParams({ email: EMAIL, first_name: 'Zqname', stamp }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await app.app.inject({ method: 'POST', url: path, headers, payload })).statusCode).toBe(303);
}

async function importFile(): Promise<void> {
  const url = `/api/v1/creators/${creatorId}/contact-imports?fileName=list.csv`;
  const sent = await anna.send({
    method: 'POST',
    url,
    body: Buffer.from(FILE),
    headers: { 'content-type': 'text/csv' },
  });
  while ((await runDue([importContacts], app.deps)) > 0);
  const params = { creatorId, importId: sent.body.id };
  const body = { agreed: 'They signed up on my old blog.', newsletter: true, attested: true };
  expect((await anna.call(runImport, { params, body })).status).toBe(200);
  while ((await runDue([importContacts], app.deps)) > 0);
}

async function tellTools(): Promise<void> {
  await app.clock.advance(MINUTE_MS);
  await findDueTools.run(app.deps);
  await runDue([syncTool], app.deps);
}

/** The rows of a file are gone after a day, and what tools are told after it was told. */
const theirDay = () => app.clock.advance(25 * 3_600_000);

test('a reader is erased from every table and every tool, with a receipt; their file and what waited bring nobody back', async () => {
  await anna.call(connectKit, { params: { creatorId }, body: { apiKey: kit.apiKey } });
  const { body: tool } = await anna.call(connectMailchimp, {
    params: { creatorId },
    body: { apiKey: mailchimp.apiKey },
  });
  await anna.call(changeIntegration, {
    params: { creatorId, integrationId: tool.id },
    body: { on: true, targetId: mailchimp.audience.id },
  });
  await save();
  await signUpOnItsPage();
  const sent = await sendDue(app);
  const confirm = /href="([^"]+\/e\/confirm\/[^"]+)"/.exec(sent.map(({ html }) => html).join())![1]!;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await app.app.inject({ method: 'POST', url: new URL(confirm).pathname, headers, payload: 'how=pressed' });
  const [mailOfTheirs] = sent;
  const report = {
    fate: 'delayed' as const,
    says: `4.4.1 ${EMAIL} later`,
    mail: { id: mailOfTheirs!.id, by: 'header' as const },
  };
  await takeReports(app.deps, { name: 'test', eventId: 'one' }, [report]);
  await importFile();
  const { id: contactId } = (await contacts()).find(({ email }: { email: string }) => email === EMAIL);
  await anna.call(tagContacts, {
    params: { creatorId },
    body: { contactIds: [contactId], give: ['Bakers'], take: [] },
  });
  await tellTools();
  expect(kit.subscribers.get(EMAIL)?.state).toBe('active');
  expect(atMailchimp()).toContain('zqreader');

  const before = await traces();
  const named = privacyTable().flatMap(({ table, names }) => (names.includes('followers') ? [table] : []));
  expect(named).toEqual(expect.arrayContaining(Object.keys(before)));
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['contacts', 'consents', 'import_rows', 'reader_mails']));
  const ofTheirs = await tracesOf(app.db, [contactId]);
  expect(Object.keys(ofTheirs)).toEqual(
    expect.arrayContaining(['contact_tags', 'integration_contacts', 'reader_mails', 'saved_recipes', 'submissions']),
  );

  const waitedSince = app.clock.now();
  await app.clock.advance(MINUTE_MS);
  const { body } = await anna.call(eraseContact, { params: { creatorId, contactId } });
  expect(body.receipt).toEqual([
    expect.stringMatching(/^Erased here on \d{4}-\d\d-\d\d\./),
    expect.stringContaining('Kit unsubscribes them'),
    expect.stringContaining('Mailchimp deletes them'),
  ]);
  await tellTools();
  expect(await traces()).toEqual({});
  expect(await tracesOf(app.db, [contactId])).toEqual({});
  expect(kit.subscribers.get(EMAIL)?.state).toBe('cancelled');
  expect(atMailchimp()).not.toContain('zqreader');

  // What was pressed before and came in only now, and the file of before.
  await save(EMAIL, waitedSince);
  expect(await traces()).toEqual({});
  await importFile();
  expect((await contacts()).filter(({ email }: { email: string }) => email === EMAIL)).toEqual([]);
  await theirDay();
  expect(await sendDue(app)).toEqual([]);
  // They come again by themselves.
  await save();
  expect((await contacts()).map(({ email }: { email: string }) => email)).toContain(EMAIL);
});
