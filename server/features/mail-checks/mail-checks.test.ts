import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createMailTransport, type OutgoingMail } from '#server/platforms/email/transport.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { type NameServer, startNameServer } from '#simulators/dns/name-server.ts';
import { type MailServer, startMailServer } from '#simulators/mail/mail-server.ts';
import { readBounceMailbox } from '../mail-feedback/read-mailbox.ts';
import { type Dovecot, ensureDovecot, startDovecot } from '../mail-feedback/testing/dovecot.ts';
import { checkMailServer, checkReturnPath, judgeSpf, listMailChecks } from './mail-checks.ts';
import { mailOurselves, takeRoundTrip } from './round-trip.ts';

const HOUR_MS = 3_600_000;
const FROM = 'Creator HQ <mail@hq.example.com>';

let app: TestApp;
let dns: NameServer;
let server: MailServer;
beforeAll(async () => {
  [dns, server] = await Promise.all([startNameServer(), startMailServer()]);
  app = await createTestApp({
    settings: {
      ...{ SMTP_URL: server.url.replace('//', '//hq:secret@'), MAIL_FROM: FROM, DNS_SERVERS: dns.address },
      ...{ BOUNCE_ADDRESS: 'bounce@hq.example.com', BOUNCE_IMAP_URL: 'imap://nobody:x@127.0.0.1:9' },
    },
  });
});
afterEach(async () => {
  server.answer(() => 'accept');
  server.received.length = 0;
  dns.fail(null);
  dns.put('hq.example.com');
  await app.db.engine.deleteFrom('mail_checks').execute();
});
afterAll(async () => {
  await app?.close();
  await dns?.close();
  await server?.close();
});

const log = { error: () => {} } as unknown as TestApp['deps']['log'];
const checks = () => listMailChecks(app.db.engine);

describe('the operator’s mail server', () => {
  async function check(smtpUrl: string | null = app.deps.config.smtpUrl) {
    const transport = createMailTransport({ smtpUrl, from: FROM });
    const deps = { ...app.deps, log, transport, config: { ...app.deps.config, smtpUrl } };
    await checkMailServer.run(deps).finally(() => transport.close());
    return checks();
  }

  test('is fine while it takes our login, in trouble when it does not or is not there, and nothing without one', async () => {
    expect(await check()).toMatchObject([{ name: 'relay', state: 'fine' }]);
    server.answer(() => ({ code: 535, message: '5.7.8 wrong password', to: 'AUTH' }));
    const refused = 'refuses our login, so no email leaves. Correct SMTP_URL and restart; none is lost. It said: ';
    expect(await check()).toMatchObject([{ state: 'trouble', says: expect.stringContaining(refused) }]);
    expect(await check('smtp://127.0.0.1:9')).toMatchObject([
      { state: 'trouble', says: expect.stringMatching(/^The mail server can’t be reached/) },
    ]);
    server.answer(() => 'accept');
    expect(await check()).toMatchObject([{ state: 'fine', checkedAt: app.clock.now().toISOString() }]);
    expect(await check(null)).toEqual([]);
  });
});

describe('the SPF record of where mails come back to', () => {
  test.each<[string, string[][], string, RegExp]>([
    ['found', [['v=spf1 include:_spf.relay.example ~all', 'google-site-verification=x']], 'fine', /Found\.$/],
    ['found by one of two', [[], ['V=SPF1 mx -all']], 'fine', /Found\.$/],
    ['missing', [['v=spf10 all'], []], 'trouble', /Not there yet \(asked 2 name servers\)/],
    ['doubled', [['v=spf1 mx ~all', 'v=spf1 a -all']], 'trouble', /none counts. Keep one\.$/],
    ['open to everyone', [['v=spf1 +all']], 'trouble', /lets anyone send/],
    ['open to everyone, plainly', [['v=spf1 a all']], 'trouble', /lets anyone send/],
    ['without an answer', [], 'waiting', /No answer \(asked 2 name servers\)/],
  ])('is %s', (_, answers, state, says) => {
    expect(judgeSpf('hq.example.com', { asked: 2, answers })).toEqual({ state, says: expect.stringMatching(says) });
  });

  test('is asked for at the domain of BOUNCE_ADDRESS, else of MAIL_FROM; without a real one at none', async () => {
    dns.put('hq.example.com', 'v=spf1 mx -all');
    const run = (more: object) =>
      checkReturnPath.run({ ...app.deps, config: { ...app.deps.config, ...more } } as never);
    await run({});
    expect(await checks()).toMatchObject([{ name: 'spf', state: 'fine' }]);
    const none = { ...app.deps.config.bounces, address: null };
    await run({ bounces: none, mailFrom: 'HQ <a@else.example.org>' });
    expect(await checks()).toMatchObject([{ state: 'trouble', says: expect.stringContaining('else.example.org') }]);
    await run({ bounces: none, mailFrom: 'HQ <no-reply@localhost>' });
    expect(await checks()).toEqual([]);
  });
});

describe('a mail to ourselves', () => {
  const deps = () => ({ ...app.deps, log, readerTransport: { deliver: async () => {} } });
  async function leave() {
    const delivered: OutgoingMail[] = [];
    await mailOurselves.run({ ...deps(), readerTransport: { deliver: async (mail) => void delivered.push(mail) } });
    return delivered[0];
  }
  /** As its mailbox has it. */
  function arrived({ id, recipient }: { id: string; recipient: string }, headers: Record<string, string | null> = {}) {
    const all: Record<string, string | null> = {
      'Return-Path': `<${recipient}>`,
      'Authentication-Results': 'mx.example.com; spf=pass smtp.mailfrom=hq.example.com',
      ...{ To: recipient, 'Message-ID': `<${id}@hq.example.com>`, 'List-Unsubscribe': '<https://x>' },
      ...{ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click', 'X-Creator-HQ-Mail': 'x' },
      ...headers,
    };
    const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
    return Buffer.from([...lines, '', 'text'].join('\r\n'));
  }

  test('leaves once a day, and is late after an hour', async () => {
    const mail = (await leave())!;
    expect(mail.recipient).toMatch(/^bounce\+[0-9a-f]{48}@hq\.example\.com$/);
    expect(await checks()).toMatchObject([{ name: 'round_trip', state: 'waiting' }]);
    await app.clock.advance(HOUR_MS - 1);
    expect([await leave(), (await checks())[0]!.state]).toEqual([undefined, 'waiting']);
    await app.clock.advance(1);
    expect(await leave()).toBeUndefined();
    expect(await checks()).toMatchObject([{ state: 'trouble', says: expect.stringContaining('didn’t arrive within') }]);
    expect(await takeRoundTrip(app.deps, arrived(mail))).toBe(true);
    expect(await checks()).toMatchObject([{ state: 'fine' }]);
    await app.clock.advance(22 * HOUR_MS);
    expect(await leave()).toBeUndefined();
    await app.clock.advance(HOUR_MS);
    expect(await leave()).toBeDefined();
    // Until the next one is there, or late.
    expect(await checks()).toMatchObject([{ state: 'fine' }]);
  });

  test.each<[string, Record<string, string | null>, string, RegExp]>([
    ['whole', {}, 'fine', /arrived whole, and SPF passes\. It was found again within 1 min\.$/],
    ['with another Message-ID', { 'Message-ID': '<of-the-relay@x>' }, 'fine', /arrived whole/],
    ['where nobody judges SPF', { 'Authentication-Results': null }, 'fine', /arrived whole\. /],
    [
      'without List-Unsubscribe-Post',
      { 'List-Unsubscribe-Post': null },
      'trouble',
      /lost on the way: List-Unsubscribe-Post\./,
    ],
    ['without our header', { 'X-Creator-HQ-Mail': null }, 'trouble', /lost on the way: X-Creator-HQ-Mail\./],
    ['with another return path', { 'Return-Path': '<x@relay.example>' }, 'trouble', /return path was replaced/],
    ['with SPF that fails', { 'Authentication-Results': 'mx; spf=softfail' }, 'trouble', /SPF says softfail/],
  ])('that arrives %s is told of', async (_, headers, state, says) => {
    const mail = (await leave())!;
    expect(await takeRoundTrip(app.deps, arrived(mail, headers))).toBe(true);
    expect(await checks()).toMatchObject([{ state, says: expect.stringMatching(says) }]);
    expect(await takeRoundTrip(app.deps, arrived(mail, headers))).toBe(false);
  });

  test('is not taken for another one, and no other one for it', async () => {
    const mail = (await leave())!;
    const other = crypto.randomUUID();
    const forged = `bounce+${other.replaceAll('-', '')}0123456789abcdef@hq.example.com`;
    for (const message of [arrived({ id: other, recipient: forged }), Buffer.from(''), Buffer.from('\0\r\n:')]) {
      expect(await takeRoundTrip(app.deps, message)).toBe(false);
    }
    expect(await checks()).toMatchObject([{ state: 'waiting' }]);
    expect(await takeRoundTrip(app.deps, arrived(mail))).toBe(true);
  });

  test('leaves only where there is a mailbox for it', async () => {
    await leave();
    const bounces = { ...app.deps.config.bounces, imapUrl: null };
    await mailOurselves.run({ ...deps(), config: { ...app.deps.config, bounces } });
    expect([await checks(), server.received]).toEqual([[], []]);
  });

  test.skipIf(!ensureDovecot())('is found in the mailbox, and put away', async () => {
    const dovecot: Dovecot = await startDovecot();
    try {
      const config = { ...app.deps.config, bounces: { ...app.deps.config.bounces, imapUrl: dovecot.url } };
      await dovecot.deliver(arrived((await leave())!).toString());
      await readBounceMailbox.run({ ...app.deps, config });
      expect(await checks()).toMatchObject([{ state: 'fine' }]);
      expect(await dovecot.mailsIn('')).toEqual([]);
      expect(await dovecot.mailsIn('Creator HQ/Read')).toHaveLength(1);
      expect(await dovecot.mailsIn('Creator HQ/Not understood')).toEqual([]);
    } finally {
      await dovecot.close();
    }
  });
});
