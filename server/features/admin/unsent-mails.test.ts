import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminGetOperations, adminListUnsentMails, adminReadUnsentMail } from '#contract/admin.ts';
import { forgotPassword } from '#contract/session.ts';
import { createTestApp, type Person, type TestApp, tokenIn } from '#server/testing/test-app.ts';

let app: TestApp;
let admin: Person;
let anna: Person;
beforeAll(async () => {
  app = await createTestApp({ settings: { SIMULATORS: 'off' } });
  admin = await app.signUpAndIn({ name: 'Sam' });
  anna = await app.signUpAndIn({ email: 'anna@kitchen.test' });
  await app.db.engine.updateTable('users').set({ is_admin: true }).where('id', '=', admin.id).execute();
  await app.db.engine.deleteFrom('mails').execute();
  await app.visitor().call(forgotPassword, { body: { email: anna.email } });
});
afterAll(() => app?.close());

const list = async (query: { after?: string; limit?: number } = {}) =>
  (await admin.call(adminListUnsentMails, { query })).body;
const read = (mailId: string) => admin.call(adminReadUnsentMail, { params: { mailId } });

test('what waits without a mail server is listed without its text, and read one by one, on record', async () => {
  expect((await admin.call(adminGetOperations)).body.mails).toMatchObject({ waiting: 1, readable: true });
  const { items, next } = await list();
  expect(next).toBeNull();
  expect(items).toEqual([
    {
      mailId: expect.any(String),
      recipient: anna.email,
      subject: 'Set a new password for Creator HQ',
      createdAt: expect.any(String),
      lastFailure: null,
    },
  ]);
  const { status, body } = await read(items[0].mailId);
  expect(status).toBe(200);
  expect(tokenIn(body)).toMatch(/^[\w-]{43}$/);
  const audit = await app.db.engine
    .selectFrom('audit_log')
    .select(['admin_id', 'what', 'detail'])
    .orderBy('id')
    .execute();
  expect(audit).toEqual([
    { admin_id: admin.id, what: adminListUnsentMails.summary, detail: 'GET /api/v1/admin/unsent-mails' },
    { admin_id: admin.id, what: 'Read an unsent email', detail: `reset_password, mail ${items[0].mailId}` },
  ]);
});

test('comes in pages, newest first', async () => {
  for (let minute = 0; minute < 3; minute++) {
    await app.clock.advance(60_000);
    await app.visitor().call(forgotPassword, { body: { email: anna.email } });
  }
  const first = await list({ limit: 3 });
  const second = await list({ limit: 3, after: first.next });
  const times = [...first.items, ...second.items].map(({ createdAt }) => createdAt);
  expect(times).toHaveLength(4);
  expect(times).toEqual(times.toSorted().reverse());
  expect(second.next).toBeNull();
});

test('a mail that went out, or never was, cannot be read', async () => {
  const [first] = (await list()).items;
  await app.db.engine.updateTable('mails').set({ state: 'sent' }).where('id', '=', first.mailId).execute();
  expect(await read(first.mailId)).toMatchObject({ status: 404 });
  expect(await read(admin.id)).toMatchObject({ status: 404 });
});

test('with a mail server nobody reads on its way what is another’s', async () => {
  const other = await createTestApp({ settings: { SIMULATORS: 'off', SMTP_URL: 'smtp://localhost:2525' } });
  try {
    const sam = await other.signUpAndIn();
    await other.db.engine.updateTable('users').set({ is_admin: true }).execute();
    await other.visitor().call(forgotPassword, { body: { email: sam.email } });
    const [mail] = (await sam.call(adminListUnsentMails)).body.items;
    expect(mail.recipient).toBe(sam.email);
    expect(await sam.call(adminReadUnsentMail, { params: { mailId: mail.mailId } })).toMatchObject({
      status: 409,
      body: { code: 'not_possible_now' },
    });
    expect((await sam.call(adminGetOperations)).body.mails.readable).toBe(false);
  } finally {
    await other.close();
  }
});
