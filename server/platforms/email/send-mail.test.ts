import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemIds } from '#server/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { type RunningDeps, runDue } from '#server/jobs/run-jobs.ts';
import { type Mail, mailLater } from '#server/platforms/email/mail-later.ts';
import { type SendMailDeps, sendMail } from '#server/platforms/email/send-mail.ts';
import { createMailTransport } from '#server/platforms/email/transport.ts';
import { createTestClock, type TestClock } from '#server/testing/test-clock.ts';

const DAY_MS = 24 * 60 * 60_000;
const letter = { subject: 'Hello\r\nBcc: spy@example.test', heading: 'Hello <b>Ada</b>', paragraphs: ['Come in.'] };
const mail: Mail = { kind: 'greeting', to: 'ada@example.test', letter };

let db: TestDatabase;
let clock: TestClock;
let logged: unknown[];
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());
beforeEach(() => {
  clock = createTestClock();
  logged = [];
});
afterEach(async () => {
  await db.engine.deleteFrom('mails').execute();
  await db.engine.deleteFrom('jobs').execute();
});

test('queues nothing when the change is undone', async () => {
  const change = db.engine.transaction().execute(async (trx) => {
    await mailLater(trx, { clock, ids: systemIds }, mail);
    throw new Error('undone');
  });
  await expect(change).rejects.toThrow('undone');
  expect(await rows()).toEqual([]);
});

test('tries again, later each time, and gives up after a day where one can see it', async () => {
  await queue();
  const deps = sender({ deliver: () => Promise.reject(new Error('connection refused')) });
  expect(await sendDue(deps)).toBe(1);
  expect(await rows()).toMatchObject([{ state: 'queued', last_failure: 'connection refused' }]);
  expect(await sendDue(deps)).toBe(0);
  await clock.advance(5_000);
  expect(await sendDue(deps)).toBe(1);
  await clock.advance(14_999);
  expect(await sendDue(deps)).toBe(0);
  for (let hours = 0; hours <= 24; hours++) {
    await clock.advance(DAY_MS / 24);
    await sendDue(deps);
  }
  expect(await rows()).toMatchObject([{ state: 'failed', text: '', html: '', last_failure: 'connection refused' }]);
  expect(logged.at(-1)).toMatchObject({ kind: 'greeting', failure: 'connection refused' });
  expect(JSON.stringify(logged)).not.toContain('ada@example.test');
  expect(await db.engine.selectFrom('jobs').selectAll().execute()).toEqual([]);
});

test('sends nothing that waited for a day while there was no mail server', async () => {
  await queue();
  await clock.advance(DAY_MS);
  expect(await sendDue(sender({ deliver: () => Promise.reject(new Error('was sent')) }))).toBe(1);
  expect(await rows()).toMatchObject([
    { state: 'failed', text: '', last_failure: 'It couldn’t be sent within a day.' },
  ]);
});

test('what was sent before its worker died is not sent again', async () => {
  await queue();
  await db.engine.updateTable('mails').set({ state: 'sent' }).execute();
  expect(await sendDue(sender({ deliver: () => Promise.reject(new Error('twice')) }))).toBe(1);
  expect(await db.engine.selectFrom('jobs').selectAll().execute()).toEqual([]);
});

test('a worker that is killed while it mails: the mail goes out once, half a minute later', async () => {
  const reached = Promise.withResolvers<void>();
  let first = true;
  // The mail server of the first worker never answers to whom the mail goes.
  const server = await startMailServer(() => {
    if (!first) return false;
    first = false;
    reached.resolve();
    return true;
  });
  clock = createTestClock(new Date());
  await queue();
  const worker = spawn(process.execPath, [path.join(import.meta.dirname, 'testing/mailing-process.ts')], {
    env: { ...process.env, DATABASE: db.connectionString, SMTP_URL: server.url },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const transport = createMailTransport({ smtpUrl: server.url, from: 'Creator HQ <no-reply@hq.example.test>' });
  try {
    await reached.promise;
    const ended = once(worker, 'exit');
    worker.kill('SIGKILL');
    await ended;
    const killedAt = Date.now();
    expect(await rows()).toMatchObject([{ state: 'queued' }]);
    const { due_at } = await db.engine.selectFrom('jobs').select('due_at').executeTakeFirstOrThrow();
    expect(due_at.getTime() - killedAt).toBeLessThanOrEqual(30_000);
    clock = createTestClock(new Date(due_at.getTime() - 1));
    expect(await sendDue(sender(transport))).toBe(0);
    await clock.advance(1);
    expect(await sendDue(sender(transport))).toBe(1);
    expect(await rows()).toMatchObject([{ state: 'sent' }]);
    await clock.advance(DAY_MS);
    expect(await sendDue(sender(transport))).toBe(0);
    expect(server.received).toHaveLength(1);
  } finally {
    worker.kill('SIGKILL');
    transport.close();
    await server.close();
  }
});

test('keeps mails readable without a mail server', async () => {
  await queue();
  const transport = createMailTransport({ smtpUrl: null, from: 'a@b.test' });
  expect(await sendDue(sender(transport))).toBe(1);
  const [row] = await rows();
  expect(row).toMatchObject({ state: 'sent', text: expect.stringContaining('Come in.') });
  expect(row!.html).toContain('Hello &lt;b&gt;Ada&lt;/b&gt;');
});

test('lets mail programs unsubscribe from what is a subscription', async () => {
  const server = await startMailServer();
  const transport = createMailTransport({ smtpUrl: server.url, from: 'Creator HQ <no-reply@hq.example.test>' });
  // Longer than a line of a header: it must arrive in one piece.
  const unsubscribeUrl = `https://hq.example.test/unsubscribe/${'x'.repeat(90)}`;
  try {
    await db.engine
      .transaction()
      .execute((trx) => mailLater(trx, { clock, ids: systemIds }, { ...mail, unsubscribeUrl }));
    await sendDue(sender(transport));
    const parsed = await PostalMime.parse(server.received[0]!);
    const headers = Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value]));
    expect(headers).toMatchObject({
      'list-unsubscribe': `<${unsubscribeUrl}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
    expect(parsed.text?.replaceAll('\n', '')).toContain(unsubscribeUrl);
    // Anybody who has it could unsubscribe the reader.
    expect(await rows()).toMatchObject([{ state: 'sent', unsubscribe_url: null }]);
  } finally {
    transport.close();
    await server.close();
  }
});

test('reaches a mail server, with headers that say what it is', async () => {
  const server = await startMailServer();
  const transport = createMailTransport({ smtpUrl: server.url, from: 'Creator HQ <no-reply@hq.example.test>' });
  try {
    await queue();
    await queue('nobody@example.test');
    await queue('blocked@example.test');
    expect(await sendDue(sender(transport))).toBe(3);
    const [good, blocked, gone] = await rows();
    expect(good).toMatchObject({ state: 'sent', html: '', text: '' });
    expect(gone).toMatchObject({ state: 'failed', last_failure: expect.stringContaining('no such person') });
    expect(blocked).toMatchObject({ state: 'queued', last_failure: expect.stringContaining('relaying denied') });
    expect(server.received).toHaveLength(1);
    const parsed = await PostalMime.parse(server.received[0]!);
    const headers = Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value]));
    expect(parsed).toMatchObject({
      from: { name: 'Creator HQ', address: 'no-reply@hq.example.test' },
      to: [{ address: 'ada@example.test' }],
      subject: 'Hello Bcc: spy@example.test',
      messageId: `<${good!.id}@hq.example.test>`,
      text: expect.stringContaining('Come in.'),
      html: expect.stringContaining('Come in.'),
    });
    expect(headers).toMatchObject({ 'auto-submitted': 'auto-generated' });
    expect(headers).not.toHaveProperty('bcc');
    expect(headers).not.toHaveProperty('list-unsubscribe');
  } finally {
    transport.close();
    await server.close();
  }
});

test('is in the name of whom it is from, comes from us, and answers go to them', async () => {
  const server = await startMailServer();
  const transport = createMailTransport({ smtpUrl: server.url, from: 'Creator HQ <no-reply@hq.example.test>' });
  const from = { name: sql<string>`'Anna, who cooks'`, replyTo: sql<string>`'anna@example.test'` };
  try {
    await db.engine.transaction().execute((trx) => mailLater(trx, { clock, ids: systemIds }, { ...mail, from }));
    await sendDue(sender(transport));
    expect(await PostalMime.parse(server.received[0]!)).toMatchObject({
      from: { name: 'Anna, who cooks', address: 'no-reply@hq.example.test' },
      replyTo: [{ address: 'anna@example.test' }],
    });
  } finally {
    transport.close();
    await server.close();
  }
});

function queue(to = mail.to) {
  return db.engine.transaction().execute((trx) => mailLater(trx, { clock, ids: systemIds }, { ...mail, to }));
}

const sendDue = (deps: RunningDeps & SendMailDeps) => runDue([sendMail], deps);

function rows() {
  return db.engine.selectFrom('mails').selectAll().orderBy('recipient').execute();
}

function sender(transport: Partial<SendMailDeps['transport']>): RunningDeps & SendMailDeps {
  const log = { warn: (facts: unknown) => logged.push(facts), error: (facts: unknown) => logged.push(facts) };
  return {
    db,
    clock,
    ids: systemIds,
    transport: { deliver: async () => {}, keepsText: false, ...transport },
    log: log as unknown as RunningDeps['log'],
  };
}

/** @param holds whether a mail's recipient is never answered */
async function startMailServer(holds = () => false) {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, callback) {
      if (holds()) return;
      if (address.startsWith('nobody')) return callback(refusal(550, '5.1.1 no such person'));
      if (address.startsWith('blocked')) return callback(refusal(554, '5.7.1 relaying denied'));
      callback();
    },
    onData(stream, _session, callback) {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      stream.on('end', () => {
        received.push(text);
        callback();
      });
    },
  });
  // A killed sender resets its connection.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    received,
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

function refusal(responseCode: number, message: string) {
  return Object.assign(new Error(message), { responseCode });
}
