/** What mail services tell by their webhooks, signed as they sign; and what becomes of the mail and its contact. */
import { createHash, createHmac, createSign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askReader, queueSave, sendDue } from '#server/features/reader-mails/testing/asked-reader.ts';
import { mailMarksOf } from '#server/platforms/email/bounces/mail-marks.ts';
import { createGuardedFetch, type GuardedRequest } from '#server/platforms/guarded-fetch.ts';
import { createTestApp, type Person, type TestApp, type Visitor } from '#server/testing/test-app.ts';
import { forgetEvents, takeReports } from './take-reports.ts';

const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:mails';
const RESEND_KEY = Buffer.alloc(24, 5).toString('base64');
const SETTINGS = {
  BOUNCE_ADDRESS: 'bounce@hq.example.com',
  MAIL_FEEDBACK: `ses:${TOPIC},postmark:postmark-password-1,mailgun:mailgun-signing-key-1,resend:whsec_${RESEND_KEY}`,
};
/** Made for these tests alone; valid to 2126. */
const KEYS = path.join(import.meta.dirname, 'testing');
const PRIVATE_KEY = readFileSync(path.join(KEYS, 'sns-key.pem'), 'utf8');
const CERTIFICATE = readFileSync(path.join(KEYS, 'sns-certificate.pem'), 'utf8');
const CERTIFICATE_URL = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0a1b.pem';

let app: TestApp;
let owner: Person;
let creatorId: string;
let service: Visitor;
let fetched: string[];
beforeAll(async () => {
  const request = async ({ url }: GuardedRequest) => {
    fetched.push(url);
    const bytes = Buffer.from(url === CERTIFICATE_URL ? CERTIFICATE : '<ConfirmSubscriptionResponse/>');
    const facts = { bytes, text: bytes.toString(), headers: {}, tookMs: 1, certificateEndsAt: null };
    return { kind: 'answer' as const, status: 200, ...facts };
  };
  app = await createTestApp({ settings: SETTINGS, deps: { fetching: { ...createGuardedFetch(), request } } });
  owner = await app.signUpAndIn();
  creatorId = (await owner.createCreator()).id;
  service = app.visitor();
});
afterAll(() => app?.close());
beforeEach(async () => {
  fetched = [];
  await app.db.engine.deleteFrom('feedback_events').execute();
});

/** A mail that a mail server took, to somebody who ticked the newsletter's box. */
async function sent() {
  const { contactId } = await askReader(app, creatorId);
  const { id } = await app.db.engine
    .selectFrom('reader_mails')
    .select('id')
    .where('contact_id', '=', contactId)
    .executeTakeFirstOrThrow();
  return {
    contactId,
    id,
    mark: mailMarksOf(app.deps.config, app.deps.keys).headers(id)['X-Creator-HQ-Mail'] as string,
  };
}
type Sent = Awaited<ReturnType<typeof sent>>;

const stateOf = async ({ id, contactId }: Sent) => {
  const mail = await app.db.engine
    .selectFrom('reader_mails')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const contact = await app.db.engine
    .selectFrom('contacts')
    .select('newsletter')
    .where('id', '=', contactId)
    .executeTakeFirstOrThrow();
  return { state: mail.state, says: mail.last_failure, newsletter: contact.newsletter };
};
const suppressions = async () =>
  (await app.db.engine.selectFrom('suppressions').select('reason').execute()).map(({ reason }) => reason).sort();

type Signed = { url: string; body: string; headers: Record<string, string> };
const now = () => Math.floor(app.clock.now().getTime() / 1000);
const HARD = '550 5.1.1 <ada@example.net>: user unknown';

/** How each service says that the address does not exist. */
const CALLS: Record<
  string,
  (mail: Sent, change?: { at?: number; secret?: string; what?: 'hard' | 'complaint' }) => Signed
> = {
  ses: ({ mark }, { at = now(), secret = TOPIC, what = 'hard' } = {}) => {
    const mail = { messageId: '0102018e', tags: { 'creator-hq-mail': [mark] } };
    const bouncedRecipients = [
      { emailAddress: 'ada@example.net', status: '5.1.1', action: 'failed', diagnosticCode: `smtp; ${HARD}` },
    ];
    const told =
      what === 'complaint'
        ? {
            notificationType: 'Complaint',
            mail,
            complaint: { complainedRecipients: [], complaintFeedbackType: 'abuse' },
          }
        : {
            eventType: 'Bounce',
            mail,
            bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients },
          };
    return sns({
      Type: 'Notification',
      Message: JSON.stringify(told),
      TopicArn: secret,
      Timestamp: new Date(at * 1000).toISOString(),
    });
  },
  postmark: ({ mark }, { secret = 'postmark-password-1', what = 'hard' } = {}) => ({
    url: '/webhooks/mail/postmark',
    body: JSON.stringify({
      ...(what === 'complaint'
        ? { RecordType: 'SpamComplaint', Type: 'SpamComplaint' }
        : { RecordType: 'Bounce', Type: 'HardBounce' }),
      ...{ ID: 42, MessageID: '883953f4', Details: `smtp;${HARD}`, Metadata: { 'creator-hq-mail': mark } },
    }),
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`creator-hq:${secret}`).toString('base64')}`,
    },
  }),
  mailgun: ({ mark }, { at = now(), secret = 'mailgun-signing-key-1', what = 'hard' } = {}) => {
    const timestamp = String(at);
    const token = createHash('sha256').update(mark).digest('hex').slice(0, 50);
    const signature = createHmac('sha256', secret)
      .update(timestamp + token)
      .digest('hex');
    const failed = {
      event: 'failed',
      severity: 'permanent',
      'delivery-status': { code: 550, message: HARD, 'enhanced-code': '5.1.1' },
    };
    const told = what === 'complaint' ? { event: 'complained' } : failed;
    return {
      url: '/webhooks/mail/mailgun',
      body: JSON.stringify({
        signature: { timestamp, token, signature },
        'event-data': { ...told, 'user-variables': { 'creator-hq-mail': mark } },
      }),
      headers: { 'content-type': 'application/json' },
    };
  },
  resend: ({ mark }, { at = now(), secret = RESEND_KEY, what = 'hard' } = {}) => {
    const headers = [{ name: 'X-Creator-HQ-Mail', value: mark }];
    const body = JSON.stringify(
      what === 'complaint'
        ? { type: 'email.complained', data: { headers } }
        : {
            type: 'email.bounced',
            data: { headers, bounce: { type: 'Permanent', subType: 'General', message: HARD } },
          },
    );
    const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
      .update(`msg_1.${at}.${body}`)
      .digest('base64');
    return {
      url: '/webhooks/mail/resend',
      body,
      headers: {
        'content-type': 'application/json',
        ...{ 'svix-id': 'msg_1', 'svix-timestamp': String(at), 'svix-signature': `v1,AAAA v1,${signature}` },
      },
    };
  },
};

function sns(told: Record<string, string>, { url = CERTIFICATE_URL, version = '2' } = {}): Signed {
  const envelope: Record<string, string> = { MessageId: 'b4f1-0001', Subject: 'Amazon SES', ...told };
  const names = Object.keys(envelope).sort();
  const text = names.map((name) => `${name}\n${envelope[name]}\n`).join('');
  const Signature = createSign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256')
    .update(text)
    .sign(PRIVATE_KEY, 'base64');
  return {
    url: '/webhooks/mail/ses',
    body: JSON.stringify({ ...envelope, SignatureVersion: version, Signature, SigningCertURL: url }),
    headers: { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': told.Type! },
  };
}

const post = (call: Signed) => service.send({ method: 'POST', ...call });

describe.each(Object.keys(CALLS))('a call of %s', (name) => {
  const call = CALLS[name]!;

  test('tells that an address does not exist: it is not written to again', async () => {
    const mail = await sent();
    const before = await suppressions();
    expect(await post(call(mail))).toMatchObject({ status: 200, text: 'OK' });
    expect(await stateOf(mail)).toEqual({
      ...{ state: 'bounced', newsletter: 'bounced' },
      says: expect.stringMatching(/^This address doesn’t exist: .*user unknown/),
    });
    expect(await suppressions()).toEqual([...before, 'bounced'].sort());
  });

  test('tells that somebody pressed "spam"', async () => {
    const mail = await sent();
    expect((await post(call(mail, { what: 'complaint' }))).status).toBe(200);
    expect(await stateOf(mail)).toEqual({
      ...{ state: 'complained', says: 'They marked this email as spam.', newsletter: 'complained' },
    });
  });

  test('counts once, whatever else it says the second time', async () => {
    const [first, second] = [await sent(), await sent()];
    const signed = call(first);
    expect((await post(signed)).status).toBe(200);
    expect((await post(signed)).status).toBe(200);
    // The signatures of two services are not of the body.
    await post({ ...signed, body: signed.body.replaceAll(first.mark, second.mark) });
    expect(await stateOf(second)).toMatchObject({ state: 'accepted', newsletter: 'unconfirmed' });
    const events = await app.db.engine.selectFrom('feedback_events').selectAll().execute();
    expect(events).toMatchObject([{ source: name, what: 'hard' }]);
  });

  test('that is tampered with, of another account, or unsigned is refused', async () => {
    const mail = await sent();
    const signed = call(mail);
    const others = call(mail, {
      secret: name === 'ses' ? TOPIC.replace('mails', 'theirs') : 'another-secret-of-theirs',
    });
    const broken: Record<string, Signed> = {
      ses: { ...signed, body: signed.body.replace('user unknown', 'user unknowN') },
      postmark: { ...signed, headers: { ...signed.headers, authorization: 'Basic !!!' } },
      mailgun: { ...signed, body: signed.body.replace(/"timestamp":"\d/, '"timestamp":"9') },
      resend: { ...signed, body: signed.body.replace('user unknown', 'user unknowN') },
    };
    for (const one of [
      broken[name]!,
      others,
      { ...signed, headers: { 'content-type': 'application/json' }, body: '{}' },
    ]) {
      expect((await post(one)).status).toBe(403);
    }
    expect(await stateOf(mail)).toMatchObject({ state: 'accepted', newsletter: 'unconfirmed' });
  });

  test.skipIf(name === 'postmark')('that is old, or of tomorrow, is refused', async () => {
    const mail = await sent();
    for (const at of [now() - 24 * 3600, now() + 24 * 3600]) expect((await post(call(mail, { at }))).status).toBe(403);
    expect((await stateOf(mail)).state).toBe('accepted');
  });

  test('about a mail that is none of ours changes nothing', async () => {
    const mail = await sent();
    const foreign = { ...mail, mark: `${mail.mark.slice(0, -1)}${mail.mark.endsWith('0') ? '1' : '0'}` };
    expect((await post(call(foreign))).status).toBe(200);
    expect((await stateOf(mail)).state).toBe('accepted');
  });

  test('that is signed and makes no sense is no error', async () => {
    const mail = await sent();
    for (const one of [
      '',
      '{',
      'null',
      '[]',
      '"\\u0000"',
      '{"RecordType":"Bounce","ID":{}}',
      '{"type":"email.bounced","data":{}}',
    ]) {
      const signed = call({ ...mail, mark: 'nonsense' });
      const answer = await post({ ...signed, body: one });
      expect([200, 403], `${one}: ${answer.text}`).toContain(answer.status);
    }
    const nul = call(mail);
    const answer = await post({ ...nul, body: nul.body.replaceAll('user unknown', 'user \\u0000unknown') });
    expect([200, 403]).toContain(answer.status);
  });

  test('that is too large is not read', async () => {
    const signed = call(await sent());
    expect((await post({ ...signed, body: signed.body + ' '.repeat(300_000) })).status).toBe(413);
  });
});

test('a call of a service that is not set up is not found', async () => {
  const mail = await sent();
  const other = await createTestApp();
  for (const call of [
    ...Object.values(CALLS).map((one) => one(mail)),
    { url: '/webhooks/mail/constructor', body: '{}', headers: {} },
  ]) {
    expect((await other.visitor().send({ method: 'POST', ...call })).status, call.url).toBe(404);
  }
  await other.close();
}, 120_000);

describe('Amazon SNS', () => {
  const confirmation = {
    ...{ Type: 'SubscriptionConfirmation', Message: 'You have chosen to subscribe', TopicArn: TOPIC, Token: 'abc' },
    SubscribeURL: `https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=abc`,
  };
  const signed = (told: Partial<typeof confirmation>, options?: Parameters<typeof sns>[1]) => {
    const { Subject: _, ...facts } = { Subject: '', ...confirmation, ...told };
    const envelope = { ...facts, Timestamp: app.clock.now().toISOString() };
    const made = sns(envelope, options);
    const { Subject: _none, ...body } = JSON.parse(made.body);
    const text = Object.keys({ ...envelope, MessageId: '' })
      .sort()
      .map((name) => `${name}\n${body[name]}\n`)
      .join('');
    body.Signature = createSign('RSA-SHA256').update(text).sign(PRIVATE_KEY, 'base64');
    return { ...made, body: JSON.stringify(body) };
  };

  test('has its subscription confirmed by us', async () => {
    expect((await post(signed({}))).status).toBe(200);
    expect(fetched).toContain(confirmation.SubscribeURL);
  });

  test('is sent nowhere but to Amazon, for the certificate or the confirmation', async () => {
    for (const url of [
      'https://sns.eu-central-1.amazonaws.com.evil.example/SimpleNotificationService-0.pem',
      'https://evil.example/SimpleNotificationService-0.pem',
      'http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0.pem',
      'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0.pem?x=/../',
      'https://x@evil.example/sns.eu-central-1.amazonaws.com/SimpleNotificationService-0.pem',
    ]) {
      expect((await post(signed({}, { url }))).status, url).toBe(403);
    }
    expect(fetched).toEqual([]);
    expect((await post(signed({ SubscribeURL: 'https://evil.example/?Action=ConfirmSubscription&' }))).status).toBe(
      403,
    );
    expect((await post(signed({ TopicArn: TOPIC.replace('mails', 'theirs') }))).status).toBe(403);
    expect(fetched.filter((url) => url !== CERTIFICATE_URL)).toEqual([]);
  });

  test('may sign with SHA-1, its first version', async () => {
    const mail = await sent();
    const { Type, Message, TopicArn, Timestamp } = JSON.parse(CALLS.ses!(mail).body);
    expect((await post(sns({ Type, Message, TopicArn, Timestamp }, { version: '1' }))).status).toBe(200);
    expect((await stateOf(mail)).state).toBe('bounced');
  });
});

describe('a report', () => {
  let events = 0;
  const take = (mail: Pick<Sent, 'id'>, fate: Parameters<typeof takeReports>[2][number]['fate'], says = '') =>
    takeReports(app.deps, { name: 'test', eventId: String(events++) }, [
      { fate, says, mail: { id: mail.id, by: 'header' } },
    ]);

  test('about us is noted and keeps the address, as one that nobody can explain', async () => {
    for (const [fate, words] of [
      ['about_us', 'Their mail server takes no emails like this from us: 550 5.7.1 blocked'],
      ['unknown', 'The email came back: 550 5.7.1 blocked'],
    ] as const) {
      const mail = await sent();
      await take(mail, fate, '550 5.7.1 blocked');
      expect(await stateOf(mail)).toEqual({ state: 'bounced', says: words, newsletter: 'unconfirmed' });
    }
  });

  test('that is better never takes back a worse one', async () => {
    const order = [
      ['delayed', 'deferred'],
      ['delivered', 'delivered'],
      ['delayed', 'delivered'],
      ['unknown', 'bounced'],
      ['delivered', 'bounced'],
      ['delayed', 'bounced'],
      ['complaint', 'complained'],
      ['hard', 'complained'],
      ['delivered', 'complained'],
      ['auto_reply', 'complained'],
      ['not_understood', 'complained'],
    ] as const;
    const mail = await sent();
    for (const [fate, state] of order) {
      await take(mail, fate);
      expect((await stateOf(mail)).state, fate).toBe(state);
    }
  });

  test('of a full mailbox counts: five in two weeks, with none that arrived between, and it is not written to again', async () => {
    const { contactId, ...first } = await sent();
    let last: Sent = { contactId, ...first };
    const another = async (days: number) => {
      await app.clock.advance(days * 24 * 3_600_000);
      await queueSave(app, { creatorId, contactId });
      await sendDue(app);
      const { id } = await app.db.engine
        .selectFrom('reader_mails')
        .select('id')
        .where('contact_id', '=', contactId)
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow();
      last = { ...last, id };
    };
    const soft = async (days = 1) => {
      await another(days);
      await take(last, 'soft', '452 4.2.2 full');
      return (await stateOf(last)).newsletter;
    };
    await take(last, 'soft');
    // Two weeks later the first does not count any more; then one arrives.
    for (const days of [15, 1, 1, 1]) expect(await soft(days)).toBe('unconfirmed');
    await another(1);
    for (const days of [1, 1, 1, 1]) expect(await soft(days)).toBe('unconfirmed');
    expect(await soft()).toBe('bounced');
    expect((await stateOf(last)).says).toBe(
      'Their mailbox couldn’t take it, perhaps because it’s full: 452 4.2.2 full',
    );
  });

  test('is remembered for 30 days', async () => {
    await take(await sent(), 'delivered');
    await app.clock.advance(29 * 24 * 3_600_000);
    await forgetEvents(app.deps);
    expect(await app.db.engine.selectFrom('feedback_events').selectAll().execute()).toHaveLength(1);
    await app.clock.advance(2 * 24 * 3_600_000);
    await forgetEvents(app.deps);
    expect(await app.db.engine.selectFrom('feedback_events').selectAll().execute()).toEqual([]);
  });
});
