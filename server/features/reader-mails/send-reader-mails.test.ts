import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemIds } from '#server/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { applyNewsletterAct, findOrMakeContact } from '#server/features/contacts/address-contacts.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createMailMarks } from '#server/platforms/email/bounces/mail-marks.ts';
import { createMailTransport, type MailTransport } from '#server/platforms/email/transport.ts';
import { createGuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { createTestClock, type TestClock } from '#server/testing/test-clock.ts';
import { type MailServer, startMailServer } from '#simulators/mail/mail-server.ts';
import { queueReaderMail, type ReaderMail } from './queue-mail.ts';
import { findDueReaderMails, type SendingDeps, sendToDomain } from './send-reader-mails.ts';

const DAY_MS = 24 * 3_600_000;
const keys = { secretKey: 'secret', encryptionKeys: [{ id: 'test', key: Buffer.alloc(32, 7) }] };
const bread = {
  url: 'https://anna.example/banana-bread',
  title: 'Banana Bread',
  pictureUrl: 'https://anna.example/bread.jpg',
  recipe: { name: 'Banana Bread', anchor: 'recipe', ingredients: ['3 bananas'], totalMinutes: 75, yield: '1 loaf' },
};

let db: TestDatabase;
let clock: TestClock;
let server: MailServer;
let transport: MailTransport;
let logged: unknown[];
beforeAll(async () => {
  db = await createTestDatabase();
  server = await startMailServer();
  transport = createMailTransport({ smtpUrl: server.url, from: 'Creator HQ <mail@hq.example.test>', connections: 10 });
});
afterAll(async () => {
  transport?.close();
  await server?.close();
  await db?.drop();
});
beforeEach(() => {
  clock = createTestClock();
  logged = [];
});
afterEach(async () => {
  server.received.length = 0;
  server.answer(() => 'accept');
  server.delay(0);
  await db.engine.deleteFrom('creators').execute();
  await db.engine.deleteFrom('jobs').execute();
});

test('queues nothing when the change is undone', async () => {
  const creatorId = await creator();
  const contactId = await contact(creatorId, 'ada@example.test');
  const change = db.withCreator(creatorId, async (trx) => {
    await queueReaderMail(trx, { clock, ids: systemIds }, save({ creatorId, contactId }));
    throw new Error('undone');
  });
  await expect(change).rejects.toThrow('undone');
  expect(await rows()).toEqual([]);
});

test('reaches the mail server under the creator’s name, with headers that say what it is', async () => {
  const creatorId = await creator('anna', 'Anna’s Kitchen\r\nBcc: spy@example.test\u202e');
  const mailId = await saved(creatorId, 'ada@example.test');
  await sendDue();
  expect(await rows()).toMatchObject([{ state: 'accepted', attempts: 1, unnoted: 0, finished_at: clock.now() }]);
  const [{ to, raw }] = server.received as [MailServer['received'][number]];
  const mail = await PostalMime.parse(raw);
  const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
  expect(to).toBe('ada@example.test');
  expect(mail).toMatchObject({
    from: { name: 'Anna’s Kitchen Bcc: spy@example.test', address: 'mail@hq.example.test' },
    subject: 'Banana Bread',
    messageId: `<${mailId}@hq.example.test>`,
    html: expect.stringContaining('href="https://anna.example/banana-bread#recipe"'),
    text: expect.stringContaining('3 bananas'),
  });
  expect(headers).toMatchObject({ 'auto-submitted': 'auto-generated' });
  for (const name of ['bcc', 'list-unsubscribe', 'list-unsubscribe-post']) expect(headers).not.toHaveProperty(name);
});

test('asks for the newsletter in the same mail while they have not answered, and not once they have', async () => {
  const creatorId = await creator();
  const newsletterQuestion = { wording: 'Yes, Anna may write to me about new recipes.' };
  for (const [email, act] of [
    ['ada@example.test', 'ticks'],
    ['eve@example.test', 'told_confirmed'],
  ] as const) {
    await saved(creatorId, email, { newsletterQuestion });
    await apply(creatorId, email, act);
  }
  await sendDue();
  const asked = server.received.filter(({ raw }) => raw.includes('/e/confirm/'));
  expect(server.received).toHaveLength(2);
  expect(asked.map(({ to }) => to)).toEqual(['ada@example.test']);
  const confirmations = await db.engine.selectFrom('confirmations').selectAll().execute();
  expect(confirmations).toMatchObject([
    { expires_at: new Date(clock.now().getTime() + 30 * DAY_MS), confirmed_at: null },
  ]);
});

test.each([
  ['complains', 'suppressed', 'They marked an email from you as spam.'],
  ['not_me', 'suppressed', 'They said that they didn’t enter this address.'],
  ['bounces', 'suppressed', 'Emails to this address came back.'],
  ['unsubscribes', 'accepted', null],
] as const)('looks once more before it sends: who %s meanwhile gets a saved recipe %s', async (act, state, failure) => {
  const creatorId = await creator();
  await saved(creatorId, 'ada@example.test');
  await apply(creatorId, 'ada@example.test', act);
  await sendDue();
  expect(await rows()).toMatchObject([{ state, last_failure: failure }]);
  expect(server.received).toHaveLength(state === 'accepted' ? 1 : 0);
});

test('a confirmation that was answered before it left is canceled', async () => {
  const creatorId = await creator();
  await saved(creatorId, 'ada@example.test', {
    kind: 'confirmation',
    about: null,
    newsletterQuestion: { wording: 'Yes.' },
  });
  await sendDue();
  expect(await rows()).toMatchObject([{ state: 'cancelled', last_failure: 'They had answered before it was sent.' }]);
  expect(server.received).toEqual([]);
});

test.each([
  [550, '5.1.1 no such person', 'bounced', 'bounced'],
  [550, '5.2.1 mailbox disabled', 'bounced', 'bounced'],
  [552, '5.3.4 message too big', 'bounced', 'none'],
  [554, '5.7.1 relaying denied', 'waiting', 'none'],
  [450, '4.2.0 greylisted', 'waiting', 'none'],
  [421, '4.7.0 too many connections', 'waiting', 'none'],
] as const)('%i %s: the mail is %s, the contact’s newsletter %s', async (code, message, state, newsletter) => {
  const creatorId = await creator();
  await saved(creatorId, 'ada@example.test');
  server.answer(() => ({ code, message }));
  await sendDue();
  const [row] = await rows();
  expect(row).toMatchObject({ state, last_failure: expect.stringContaining(message) });
  const contacts = await db.engine.selectFrom('contacts').select('newsletter').execute();
  expect(contacts).toEqual([{ newsletter }]);
  expect(JSON.stringify(logged)).not.toContain('ada@example.test');
  if (state !== 'waiting') return;
  server.answer(() => 'accept');
  await clock.advance(60_000);
  await sendDue();
  expect(await rows()).toMatchObject([{ state: 'accepted', attempts: 2, last_failure: null }]);
});

test('a domain that slows us down waits, longer each time, and holds up no other', async () => {
  const creatorId = await creator();
  for (let n = 0; n < 9; n++) await saved(creatorId, `reader${n}@slow.test`);
  server.answer((to) => (to.endsWith('@slow.test') ? { code: 421, message: '4.7.0 slow down' } : 'accept'));
  await sendDue();
  await saved(creatorId, 'ada@quick.test');
  await sendDue();
  expect((await rows()).filter(({ attempts }) => attempts > 0)).toHaveLength(4);
  expect(server.received.map(({ to }) => to)).toEqual(['ada@quick.test']);
  await clock.advance(60_000);
  await sendDue();
  await clock.advance(119_999);
  const tries = async () => (await rows()).reduce((sum, { attempts }) => sum + attempts, 0);
  const before = await tries();
  await sendDue();
  expect(await tries()).toBe(before);
  server.answer(() => 'accept');
  await clock.advance(60_000);
  await sendDue();
  expect((await rows()).map(({ state }) => state)).toEqual(Array(10).fill('accepted'));
});

test('gives up after a day, with the reason', async () => {
  const creatorId = await creator();
  await saved(creatorId, 'ada@example.test');
  server.answer(() => ({ code: 450, message: '4.2.2 mailbox full' }));
  await sendDue();
  await clock.advance(DAY_MS);
  await sendDue();
  expect(await rows()).toMatchObject([{ state: 'expired', last_failure: expect.stringContaining('mailbox full') }]);
});

test('creators take turns: one mail is not behind hundreds of another’s', async () => {
  const [busy, calm] = [await creator(), await creator()];
  for (let n = 0; n < 40; n++) await saved(busy, `reader${n}@example.test`);
  await clock.advance(1);
  await saved(calm, 'ada@example.test');
  await sendDue();
  expect(server.received.slice(0, 6).map(({ to }) => to)).toContain('ada@example.test');
  expect(server.received).toHaveLength(41);
});

test('without a mail server mails wait for it, but in a trial', async () => {
  const creatorId = await creator();
  await saved(creatorId, 'ada@example.test');
  const none = createMailTransport({ smtpUrl: null, from: 'a@b.test' });
  await sendDue({ readerTransport: none, config: { ...config(), smtpUrl: null } });
  expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  await sendDue({ readerTransport: none, config: { ...config(), smtpUrl: null, trying: true } });
  expect(await rows()).toMatchObject([{ state: 'accepted' }]);
});

test('a worker that is killed while it mails: each mail arrives, and only those without a note may come twice', async () => {
  const creatorId = await creator();
  clock = createTestClock(new Date());
  for (let n = 0; n < 20; n++) await saved(creatorId, `reader${n}@example.test`);
  // It takes the eighth and never says so.
  server.answer(() => (server.received.length < 8 ? 'accept' : 'accept in silence'));
  const worker = spawn(process.execPath, [path.join(import.meta.dirname, 'testing/mailing-process.ts')], {
    env: {
      ...process.env,
      DATABASE: db.connectionString,
      SMTP_URL: server.url,
      ENCRYPTION_KEY: keys.encryptionKeys[0]!.key.toString('base64'),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    await expect.poll(() => server.received.length).toBeGreaterThan(8);
    const ended = once(worker, 'exit');
    worker.kill('SIGKILL');
    await ended;
  } finally {
    worker.kill('SIGKILL');
  }
  server.answer(() => 'accept');
  const underWay = (await rows()).filter(({ state }) => state === 'sending');
  expect(underWay.length).toBeGreaterThanOrEqual(1);
  clock = createTestClock(new Date(Date.now() + 31_000));
  await sendDue();
  const all = await rows();
  expect(all.map(({ state }) => state)).toEqual(Array(20).fill('accepted'));
  const unnoted = all.filter((row) => row.unnoted > 0).map(({ id }) => id);
  expect(unnoted.toSorted()).toEqual(underWay.map(({ id }) => id).toSorted());
  const times = Map.groupBy(server.received, ({ raw }) => /^Message-ID: <([^@]+)@/im.exec(raw)![1]!);
  expect(times.size).toBe(20);
  const twice = [...times].filter(([, its]) => its.length > 1).map(([id]) => id);
  expect(twice.length).toBeGreaterThanOrEqual(1);
  expect(unnoted).toEqual(expect.arrayContaining(twice));
});

test('300 saves at once: 300 mails, none twice, no more a second than set', async () => {
  const creatorId = await creator();
  const paced = createMailTransport({
    smtpUrl: server.url,
    from: 'a <mail@hq.example.test>',
    connections: 10,
    perSecond: 100,
  });
  try {
    await db.withCreator(creatorId, async (trx) => {
      for (let n = 0; n < 300; n++) {
        const contactId = await make(trx, creatorId, `reader${n}@mail${n % 20}.test`);
        await queueReaderMail(trx, { clock, ids: systemIds }, save({ creatorId, contactId }));
      }
    });
    await sendDue({ readerTransport: paced });
  } finally {
    paced.close();
  }
  expect(new Set(server.received.map(({ to }) => to)).size).toBe(300);
  expect(server.received).toHaveLength(300);
  expect((await rows()).every(({ state, attempts }) => state === 'accepted' && attempts === 1)).toBe(true);
  // Two whole seconds of the pacer may lie next to each other.
  const at = server.received.map((mail) => mail.at.getTime());
  const most = Math.max(...at.map((from) => at.filter((one) => one >= from && one < from + 1000).length));
  expect(most).toBeLessThanOrEqual(200);
}, 60_000);

test('comes back to an address that only we make, and carries its id in ways mail services hand back', async () => {
  const marks = createMailMarks({
    secretKey: 'secret',
    bounceAddress: 'bounce@hq.example.test',
    services: ['ses', 'postmark', 'mailgun', 'resend'],
  });
  const marked = createMailTransport({ smtpUrl: server.url, from: 'Creator HQ <mail@hq.example.test>', marks });
  const mailId = await saved(await creator(), 'ada@example.test');
  await sendDue({ readerTransport: marked }).finally(() => marked.close());
  const [{ from, raw }] = server.received as [MailServer['received'][number]];
  expect(from).toMatch(/^bounce\+[0-9a-f]{48}@hq\.example\.test$/);
  expect(from.split('@')[0]!.length).toBeLessThanOrEqual(64);
  expect(marks.readAddress(from)).toBe(mailId);
  expect(marks.readAddress(from.toUpperCase())).toBe(mailId);
  expect(marks.readAddress(from.replace(/.@/, (end) => (end === '0@' ? '1@' : '0@')))).toBeNull();
  expect(createMailMarks({ secretKey: 'other', bounceAddress: null, services: [] }).readAddress(from)).toBeNull();
  const mark = /\+(\w+)@/.exec(from)![1]!;
  const headers = Object.fromEntries((await PostalMime.parse(raw)).headers.map(({ key, value }) => [key, value]));
  expect(headers).toMatchObject({
    from: expect.stringContaining('mail@hq.example.test'),
    'x-creator-hq-mail': mark,
    'x-pm-metadata-creator-hq-mail': mark,
    'x-ses-message-tags': `creator-hq-mail=${mark}`,
    'x-mailgun-variables': JSON.stringify({ 'creator-hq-mail': mark }),
  });
});

const config = () => ({
  ...{ baseUrl: 'https://hq.example.test', smtpUrl: server.url as string | null, trying: false },
  bounces: { address: null, imapUrl: null, services: {} },
});

/** Until nothing is due any more. */
async function sendDue(more: Partial<Pick<SendingDeps, 'config' | 'readerTransport'>> = {}) {
  const log = { warn: (facts: unknown) => logged.push(facts), error: (facts: unknown) => logged.push(facts) };
  const deps = {
    ...{ db, clock, ids: systemIds, keys, config: config(), readerTransport: transport },
    ...{ fetching: createGuardedFetch(), live: { publish: () => {} } },
    log: log as unknown as SendingDeps['log'],
    ...more,
  };
  await findDueReaderMails.run(deps);
  while ((await runDue([sendToDomain], deps)) > 0);
}

async function creator(handle = `k${systemIds.code(12)}`, name?: string): Promise<string> {
  const id = systemIds.uuid(clock.now());
  await db.engine.insertInto('creators').values({ id, handle }).execute();
  if (name !== undefined) {
    await db.engine
      .insertInto('connections')
      .values({
        ...{
          creator_id: id,
          id: systemIds.uuid(clock.now()),
          platform: 'instagram',
          account_id: handle,
          username: handle,
        },
        ...{ name, connected_at: clock.now() },
      })
      .execute();
  }
  return id;
}

function save(mail: Pick<ReaderMail, 'creatorId' | 'contactId'> & Partial<ReaderMail>): ReaderMail {
  return { kind: 'save', about: bread, newsletterQuestion: null, submissionId: null, ...mail };
}

async function make(trx: Parameters<typeof findOrMakeContact>[0], creatorId: string, email: string): Promise<string> {
  const deps = { ids: systemIds, keys };
  const facts = { creatorId, email, name: null, language: 'en', source: 'blog', at: clock.now() } as const;
  return (await findOrMakeContact(trx, deps, facts)).id;
}

const contact = (creatorId: string, email: string) => db.withCreator(creatorId, (trx) => make(trx, creatorId, email));

async function saved(creatorId: string, email: string, mail: Partial<ReaderMail> = {}): Promise<string> {
  return db.withCreator(creatorId, async (trx) => {
    const contactId = await make(trx, creatorId, email);
    const queued = await queueReaderMail(trx, { clock, ids: systemIds }, save({ creatorId, contactId, ...mail }));
    return queued.mailId;
  });
}

function apply(creatorId: string, email: string, act: Parameters<typeof applyNewsletterAct>[2]['act']) {
  return db.withCreator(creatorId, async (trx) =>
    applyNewsletterAct(
      trx,
      { ids: systemIds, keys },
      {
        ...{ creatorId, contactId: await make(trx, creatorId, email), act, at: clock.now(), how: null },
      },
    ),
  );
}

function rows() {
  return db.engine.selectFrom('reader_mails').selectAll().orderBy('id').execute();
}
