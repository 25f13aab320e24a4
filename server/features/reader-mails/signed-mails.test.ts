/** Mails to readers as mail servers on the way see them: DKIM and DMARC by `mailauth`, over the bytes that arrived. */
import { Resolver } from 'node:dns/promises';
import { authenticate } from 'mailauth';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { addSendingDomain, changeSender, checkSendingDomain, type SendingDomain } from '#contract/sending.ts';
import { findWhomFrom } from '#server/features/sending/whom-from.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createMailTransport, type MailTransport } from '#server/platforms/email/transport.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type NameServer, startNameServer } from '#simulators/dns/name-server.ts';
import { type MailServer, startMailServer } from '#simulators/mail/mail-server.ts';
import { envelopeOf, type Standing } from './envelope.ts';
import { findDueReaderMails, sendToDomain } from './send-reader-mails.ts';
import { type AskedReader, askReader, queueSave } from './testing/asked-reader.ts';

let app: TestApp;
let dns: NameServer;
let server: MailServer;
let transport: MailTransport;
let owner: Person;
let creatorId: string;
let asked: AskedReader;
let domain: SendingDomain;
beforeAll(async () => {
  [dns, server] = await Promise.all([startNameServer(), startMailServer()]);
  app = await createTestApp({ settings: { DNS_SERVERS: dns.address } });
  transport = createMailTransport({ smtpUrl: server.url, from: 'Creator HQ <mail@hq.example.test>' });
  owner = await app.signUpAndIn();
  ({ id: creatorId } = await owner.createCreator());
  const sender = { name: 'Anna’s Küche', address: 'anna@anna.example', replyTo: '', postalAddress: '' };
  await owner.call(changeSender, { params: { creatorId }, body: sender });
  const { body } = await owner.call(addSendingDomain, { params: { creatorId }, body: { domain: 'anna.example' } });
  [domain] = body.domains;
  dns.put('_dmarc.anna.example', 'v=DMARC1; p=reject; adkim=s');
  asked = await askReader(app, creatorId);
});
afterAll(async () => {
  transport?.close();
  await app?.close();
  await server?.close();
  await dns?.close();
});
beforeEach(() => dns.put(domain.dkim.name, domain.dkim.value));
afterEach(() => {
  server.received.length = 0;
  server.answer(() => 'accept');
});

async function verify(): Promise<void> {
  await app.clock.advance(60_000);
  await owner.call(checkSendingDomain, { params: { creatorId, domainId: domain.id } });
}

async function sendDue(): Promise<void> {
  const deps = { ...app.deps, config: { ...app.deps.config, trying: true }, readerTransport: transport };
  await findDueReaderMails.run(deps);
  while ((await runDue([sendToDomain], deps)) > 0);
}

async function sent() {
  const { raw, from } = server.received.at(-1)!;
  const mail = await PostalMime.parse(Buffer.from(raw, 'latin1'));
  return {
    raw,
    returnPath: from,
    mail,
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
  };
}

/** What a mail server that gets these bytes makes of them. */
async function judge(raw: string) {
  const resolver = new Resolver();
  resolver.setServers([dns.address]);
  const { dkim, dmarc } = await authenticate(Buffer.from(raw, 'latin1'), {
    resolver: (name, type) => resolver.resolve(name, type as 'TXT'),
    ip: '192.0.2.1',
    helo: 'mx.hq.example.test',
    sender: 'bounce@hq.example.test',
    disableArc: true,
    disableBimi: true,
  });
  return {
    dkim: dkim.results.map(({ status, signingDomain }) => `${status.result} ${signingDomain}`),
    signed: dkim.results.flatMap((one) => one.signingHeaders?.keys.toLowerCase().split(/[:\s]+/) ?? []),
    dmarc: dmarc ? dmarc.status.result : null,
  };
}

test('a saved recipe comes from the shared address without a verified domain, with answers to the creator', async () => {
  await queueSave(app, { creatorId, contactId: asked.contactId });
  await sendDue();
  const { raw, mail, headers } = await sent();
  expect(mail).toMatchObject({
    from: { name: 'Anna’s Küche', address: 'mail@hq.example.test' },
    replyTo: [{ address: 'anna@anna.example' }],
  });
  expect(headers).not.toHaveProperty('dkim-signature');
  expect(await judge(raw)).toMatchObject({ dkim: ['none undefined'], dmarc: expect.not.stringMatching('pass') });
});

test('and from the creator’s own with one: DKIM and DMARC pass, one tap to unsubscribe is not offered', async () => {
  await verify();
  await queueSave(app, { creatorId, contactId: asked.contactId });
  server.answer(() => ({ code: 451, message: '4.3.0 later' }));
  await sendDue();
  server.answer(() => 'accept');
  await app.clock.advance(60_000);
  await sendDue();
  const { raw, returnPath, mail, headers } = await sent();
  const row = await app.db.engine
    .selectFrom('reader_mails')
    .select(['id', 'attempts'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  expect(row.attempts).toBe(2);
  expect(mail).toMatchObject({
    from: { name: 'Anna’s Küche', address: 'anna@anna.example' },
    messageId: `<${row.id}@hq.example.test>`,
  });
  expect(returnPath).toBe('mail@hq.example.test');
  expect(headers).toMatchObject({
    'auto-submitted': 'auto-generated',
    'feedback-id': `save:${creatorId}:reader:creatorhq`,
  });
  for (const name of ['reply-to', 'list-unsubscribe', 'list-unsubscribe-post'])
    expect(headers).not.toHaveProperty(name);
  expect(await judge(raw)).toMatchObject({ dkim: ['pass anna.example'], dmarc: 'pass' });
});

test('a changed letter breaks the signature, and so does another key; a relay’s own Message-ID and Date do not', async () => {
  await verify();
  await queueSave(app, { creatorId, contactId: asked.contactId });
  await sendDue();
  const { raw } = await sent();
  const changed = raw.replace('Subject: ', 'Subject: X');
  expect(await judge(changed)).toMatchObject({ dkim: ['fail anna.example'], dmarc: 'fail' });
  // As Amazon SES does.
  const relayed = raw
    .replace(/^Message-ID: .*$/m, 'Message-ID: <1@ses.example>')
    .replace(/^Date: .*$/m, 'Date: Tue, 24 Nov 2026 00:00:00 +0000');
  expect(await judge(relayed)).toMatchObject({ dkim: ['pass anna.example'], dmarc: 'pass' });
  dns.put(domain.dkim.name, 'v=DKIM1; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA');
  expect(await judge(raw)).toMatchObject({ dmarc: 'fail' });
});

const envelope = async (standing: Standing) => {
  const whom = (await findWhomFrom(app.db.engine, app.deps.keys, [creatorId])).get(creatorId)!;
  const unsubscribeUrl = `https://hq.example.test${asked.unsubscribe}`;
  return envelopeOf({ kind: 'save', creatorId, name: 'Anna', standing, whom, unsubscribeUrl });
};
const content = {
  id: 'a-mail',
  recipient: 'ada@example.test',
  subject: 'New recipes',
  html: '<p>Hello</p>',
  text: 'Hello',
};

test('what one subscribed to carries both headers of one-click unsubscribing, signed, and their link works', async () => {
  await verify();
  await transport.deliver({ ...content, ...(await envelope('subscription'))! });
  const { raw, headers } = await sent();
  expect(headers).toMatchObject({
    'list-unsubscribe': `<https://hq.example.test${asked.unsubscribe}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
  expect(headers).not.toHaveProperty('auto-submitted');
  const { dkim, dmarc, signed } = await judge(raw);
  expect({ dkim, dmarc }).toEqual({ dkim: ['pass anna.example'], dmarc: 'pass' });
  expect(signed).toEqual(
    expect.arrayContaining(['from', 'subject', 'list-unsubscribe', 'list-unsubscribe-post', 'feedback-id']),
  );
  const url = new URL(headers['list-unsubscribe']!.slice(1, -1));
  const answer = await app.visitor().send({
    method: 'POST',
    url: url.pathname,
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' },
  });
  expect(answer.status).toBe(200);
  expect(
    await app.db.engine
      .selectFrom('contacts')
      .select('newsletter')
      .where('id', '=', asked.contactId)
      .executeTakeFirst(),
  ).toEqual({
    newsletter: 'unsubscribed',
  });
});

test('waits for a verified domain, and what was asked for does not', async () => {
  await app.db.engine.updateTable('sending_domains').set({ state: 'shaky' }).execute();
  expect(await envelope('subscription')).toBeNull();
  expect(await envelope('asked_for')).toMatchObject({
    from: { name: 'Anna', address: null },
    replyTo: 'anna@anna.example',
    dkim: null,
    unsubscribe_url: null,
  });
});

test('a key that nobody can open any more signs nothing', async () => {
  await app.db.engine.updateTable('sending_domains').set({ state: 'verified', private_key: 'k0.a.b.c' }).execute();
  expect(await envelope('asked_for')).toMatchObject({ from: { address: null }, dkim: null });
});
