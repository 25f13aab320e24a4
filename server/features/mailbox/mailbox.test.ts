import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import { queueReaderMail } from '#server/features/reader-mails/queue-mail.ts';
import { mailLater } from '#server/platforms/email/mail-later.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await createTestApp();
  await app.db.engine.transaction().execute((trx) =>
    mailLater(trx, app.deps, {
      kind: 'greeting',
      to: '"<img src=x onerror=alert(1)>"@example.test',
      letter: {
        subject: '<script>alert(1)</script>',
        heading: '</iframe><script>alert(2)</script>',
        paragraphs: ['Hello'],
      },
    }),
  );
  const { id } = await app.db.engine.selectFrom('mails').select('id').executeTakeFirstOrThrow();
  url = `/mailbox/${id}`;
});
afterAll(() => app?.close());

const here = { remoteAddress: '127.0.0.1', headers: { host: 'localhost:3000' } };

test('shows itself to somebody at or near this machine only', async () => {
  const statusOf = async (request: { remoteAddress: string; headers: Record<string, string> }) =>
    (await app.app.inject({ method: 'GET', url, ...request })).statusCode;
  expect(await statusOf(here)).toBe(200);
  expect(await statusOf({ remoteAddress: '::1', headers: { host: '[::1]:3000' } })).toBe(200);
  expect(await statusOf({ ...here, remoteAddress: '203.0.113.5' })).toBe(404);
  expect(await statusOf({ ...here, headers: { host: 'hq.example.com' } })).toBe(404);
  expect(await statusOf({ ...here, headers: { ...here.headers, 'x-forwarded-for': '127.0.0.1' } })).toBe(404);
});

test('runs nothing that a mail brings along', async () => {
  const list = await app.app.inject({ method: 'GET', url: '/mailbox', ...here });
  expect(list.body).toContain('&lt;script&gt;');
  expect(list.body).toContain('&lt;img src=x');
  const page = await app.app.inject({ method: 'GET', url, ...here });
  expect(page.headers['cache-control']).toBe('no-store');
  for (const { body } of [list, page]) expect(body).not.toMatch(/<script|<img|<\/iframe><script/);
  expect(page.body).toContain('sandbox="allow-top-navigation-by-user-activation"');
});

test('shows mails to readers too, as they are sent', async () => {
  const anna = await app.signUpAndIn();
  const { id: creatorId } = await anna.createCreator('annas');
  await app.db.withCreator(creatorId, async (trx) => {
    const about = { url: 'https://anna.example/bread', title: 'Banana <b>Bread', pictureUrl: null, recipe: null };
    const at = app.clock.now();
    const facts = { creatorId, email: 'reader@example.test', name: null, language: null, source: 'blog', at } as const;
    const { id: contactId } = await findOrMakeContact(trx, app.deps, facts);
    const mail = { creatorId, contactId, kind: 'save', about, newsletterQuestion: null, submissionId: null } as const;
    await queueReaderMail(trx, app.deps, mail);
  });
  expect((await app.app.inject({ method: 'GET', url: '/mailbox', ...here })).body).not.toContain('reader@example.test');
  await app.db.engine.updateTable('reader_mails').set({ state: 'accepted' }).execute();
  const list = await app.app.inject({ method: 'GET', url: '/mailbox', ...here });
  const [, path] = /href="([^"]+)">\s*<strong>Banana &lt;b&gt;Bread/.exec(list.body)!;
  const page = await app.app.inject({ method: 'GET', url: path!, ...here });
  expect(page.body).toContain('To reader@example.test');
  expect(page.body).toContain('https://anna.example/bread');
});

test('answers plainly for mails that are not there', async () => {
  for (const id of ['0199f3f2-0000-7000-8000-000000000000', 'nonsense', "'; drop table mails; --"]) {
    const answer = await app.app.inject({ method: 'GET', url: `/mailbox/${encodeURIComponent(id)}`, ...here });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ code: 'not_found' });
  }
});

test.each([
  ['when mails go to a mail server', { SMTP_URL: 'smtp://localhost:2525' }],
  ['under a public address', { BASE_URL: 'https://hq.example.com', SIMULATORS: 'on' }],
  ['where other machines can connect', { HOST: '0.0.0.0', SIMULATORS: 'on' }],
  ['without simulators', { SIMULATORS: 'off' }],
] as [string, Record<string, string>][])('is not there %s', async (_where, settings) => {
  const other = await createTestApp({ settings });
  try {
    expect((await other.app.inject({ method: 'GET', url: '/mailbox', ...here })).statusCode).toBe(404);
  } finally {
    await other.close();
  }
});
