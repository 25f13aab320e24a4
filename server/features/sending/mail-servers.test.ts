import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeSender, getSending, removeMailServer, setMailServer } from '#contract/sending.ts';
import { getMe } from '#contract/session.ts';
import { addReader, type Kitchen, openKitchen, startKitchen } from '#server/features/newsletters/testing/kitchen.ts';
import { queueReaderMail } from '#server/features/reader-mails/queue-mail.ts';
import { findDueReaderMails, sendToDomain } from '#server/features/reader-mails/send-reader-mails.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createMailTransport } from '#server/platforms/email/transport.ts';
import { createGuardedFetch, isPublicAddress, isPublicOrInside } from '#server/platforms/guarded-fetch.ts';
import { open } from '#server/secrets.ts';
import type { Person, TestApp } from '#server/testing/test-app.ts';
import { type MailServer, startMailServer } from '#simulators/mail/mail-server.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PASSWORD = 'correct horse';
const bread = { url: 'https://anna.example/bread', title: 'Bread', pictureUrl: null, recipe: null };

let kitchen: Kitchen;
let app: TestApp;
/** The creator's. */
let own: MailServer;
let owner: Person;
let creatorId: string;
let isAllowed: (address: string) => boolean;
beforeAll(async () => {
  own = await startMailServer();
  const fetching = createGuardedFetch({ isAllowed: (address) => isAllowed(address) });
  kitchen = await startKitchen(undefined, { fetching });
  ({ app } = kitchen);
});
beforeEach(async () => {
  isAllowed = isPublicOrInside;
  owner = await app.signUpAndIn();
  creatorId = await openKitchen(app, owner);
});
afterEach(async () => {
  for (const server of [own, kitchen.server]) {
    server.answer(() => 'accept');
    server.received.length = 0;
  }
  await app.db.engine.deleteFrom('creators').execute();
  await app.db.engine.deleteFrom('jobs').execute();
});
afterAll(async () => {
  await kitchen?.close();
  await own?.close();
});

const login = (more: object = {}) => ({
  ...{ host: '127.0.0.1', port: Number(new URL(own.url).port), user: 'anna', password: PASSWORD },
  ...({ security: 'none', ...more } as { security: 'none' }),
});
const put = (more: object = {}) => owner.call(setMailServer, { params: { creatorId }, body: login(more) });
const read = async () => (await owner.call(getSending, { params: { creatorId } })).body;
const refusedAt = (path: string, says: unknown) => ({ status: 422, body: { errors: [{ path, message: says }] } });
const rows = () => app.db.engine.selectFrom('mail_servers').selectAll().execute();
const tell = (login: string, code = 535) =>
  own.answer((whom) => (whom === login ? { code, message: '5.7.8 wrong password', to: 'AUTH' } : 'accept'));

async function save(email: string, of = creatorId): Promise<void> {
  const contactId = await addReader(app, of, email, []);
  const mail = { creatorId: of, kind: 'save', contactId, about: bread, newsletterQuestion: null, submissionId: null };
  await app.db.withCreator(of, (trx) => queueReaderMail(trx, app.deps, mail as Parameters<typeof queueReaderMail>[2]));
}
const states = async () =>
  (
    await app.db.engine
      .selectFrom('reader_mails')
      .innerJoin('contacts', 'contacts.id', 'reader_mails.contact_id')
      .select(['contacts.email', 'reader_mails.state'])
      .orderBy('email')
      .execute()
  ).map(({ email, state }) => `${email} ${state}`);
const notices = async () => (await app.mails(owner.email)).filter(({ kind }) => kind === 'mail_server_trouble').length;
const banner = async () => (await owner.call(getMe)).body.mailServerFails;

describe('a mail server of the creator’s own', () => {
  test.each(['127.0.0.1', '127.1', '::1', '10.1.2.3', '169.254.169.254', 'metadata.google.internal', 'localhost'])(
    'is not at %s, which is inside, unless the operator allows it',
    async (host) => {
      isAllowed = isPublicAddress;
      expect(await put({ host })).toMatchObject(refusedAt('host', expect.stringContaining('private network')));
      expect([await rows(), own.received]).toEqual([[], []]);
    },
  );

  test('is on once it took a test email to whoever set it up; its password rests sealed and is never answered', async () => {
    const answer = await put();
    const { host, port } = login();
    const shown = { host, port, security: 'none', user: 'anna', trouble: null };
    expect(answer).toMatchObject({
      status: 200,
      body: { mailServer: shown, from: { address: 'anna@anna.example', isOwn: true } },
    });
    expect(answer.body.mailServer).toEqual(shown);
    expect(own.received).toMatchObject([{ from: 'anna@anna.example', to: owner.email }]);
    expect(own.received[0]!.raw).toContain('Your mail server works');
    const [row] = await rows();
    expect(open(app.deps.keys.encryptionKeys, row!.password)).toBe(PASSWORD);
  });

  test.each<[string, object, string, RegExp]>([
    ['refuses the login', { user: 'eve' }, 'password', /^It refused the login: .*wrong password/],
    ['takes no mail from that address', { user: 'stranger' }, 'host', /^It didn’t take the email: .*not yours/],
    ['does not speak STARTTLS', { security: 'starttls' }, 'security', /^No secure connection: /],
    ['does not speak TLS', { security: 'tls' }, 'security', /^No secure connection: /],
    ['is not there', { port: 9 }, 'host', /^No connection to it: /],
    ['has a name that nobody knows', { host: 'smtp.invalid' }, 'host', /^No server has this name/],
  ])('that %s stays off', async (_, more, path, says) => {
    own.answer((whom) => {
      if (whom === 'eve') return { code: 535, message: '5.7.8 wrong password', to: 'AUTH' };
      const isStranger = whom === 'anna@anna.example' && 'user' in more && more.user === 'stranger';
      return isStranger ? { code: 553, message: '5.7.1 not yours', to: 'MAIL FROM' } : 'accept';
    });
    expect(await put(more)).toMatchObject(refusedAt(path, expect.stringMatching(says)));
    expect([await rows(), own.received]).toEqual([[], []]);
  });

  test.each([
    { host: 'a b' },
    { host: 'https://x.example' },
    { port: 0 },
    { port: 65_536 },
    { user: ' ' },
    { password: '' },
  ])('is not %j', async (more) => expect((await put(more)).status).toBe(422));

  test('gets no password without encryption where everybody could read it', async () => {
    const { addressOf } = app.deps.fetching;
    app.deps.fetching.addressOf = async () => '203.0.112.9';
    expect(await put()).toMatchObject(refusedAt('security', expect.stringContaining('could read your password')));
    app.deps.fetching.addressOf = addressOf;
  });

  test('keeps its password, but never for another server or user', async () => {
    expect(await put({ password: undefined })).toMatchObject(refusedAt('password', expect.any(String)));
    await put();
    expect((await put({ password: undefined })).status).toBe(200);
    const elsewhere = await startMailServer();
    const { port } = new URL(elsewhere.url);
    for (const more of [{ port: Number(port) }, { user: 'eve' }, { host: 'localhost' }, { security: 'starttls' }]) {
      expect(await put({ ...more, password: undefined })).toMatchObject(refusedAt('password', expect.any(String)));
    }
    expect(elsewhere.received).toEqual([]);
    await elsewhere.close();
  });

  test('needs the sender’s address, which then stays', async () => {
    const sender = { name: '', address: '', replyTo: '', postalAddress: '' };
    const change = (address: string) =>
      owner.call(changeSender, { params: { creatorId }, body: { ...sender, address } });
    await change('');
    expect(await put()).toMatchObject(refusedAt('host', expect.stringContaining('First save your email address')));
    await change('anna@anna.example');
    await put();
    expect(await change('')).toMatchObject(refusedAt('address', expect.stringContaining('Remove the server first')));
  });

  test('is tried at most twenty times an hour', async () => {
    own.answer(() => ({ code: 535, message: 'no', to: 'AUTH' }));
    const statuses: number[] = [];
    for (let tries = 0; tries < 21; tries++) statuses.push((await put()).status);
    expect(statuses).toEqual([...Array(20).fill(422), 429]);
  });
});

describe('emails to readers', () => {
  let other: string;
  beforeEach(async () => {
    other = await openKitchen(app, await app.signUpAndIn());
    await put();
    own.received.length = 0;
  });

  test('leave through it, from the creator’s address, and come back there; another creator’s leave as ever', async () => {
    await save('ada@readers.test');
    await save('ben@readers.test', other);
    await kitchen.deliver();
    expect(await states()).toEqual(['ada@readers.test accepted', 'ben@readers.test accepted']);
    expect(own.received).toMatchObject([{ from: 'anna@anna.example', to: 'ada@readers.test' }]);
    expect(own.received[0]!.raw).toMatch(/^From: .*<anna@anna\.example>/m);
    expect(kitchen.server.received.map(({ to }) => to)).toEqual(['ben@readers.test']);
    await owner.call(removeMailServer, { params: { creatorId } });
    expect((await read()).mailServer).toBeNull();
    await save('cleo@readers.test');
    await kitchen.deliver();
    expect(kitchen.server.received.map(({ to }) => to)).toEqual(['ben@readers.test', 'cleo@readers.test']);
  });

  test('wait, and only theirs, where it refuses the login; owners hear of it once until it was well', async () => {
    tell('anna');
    await save('ada@readers.test');
    await save('ben@readers.test', other);
    await kitchen.deliver();
    expect(await states()).toEqual(['ada@readers.test waiting', 'ben@readers.test accepted']);
    expect([await notices(), await banner()]).toEqual([1, true]);
    const { trouble } = (await read()).mailServer;
    expect(trouble).toEqual({ since: app.clock.now().toISOString(), says: expect.stringContaining('wrong password') });

    let logins = 0;
    own.answer(() => {
      logins++;
      return { code: 535, message: '5.7.8 wrong password', to: 'AUTH' };
    });
    await save('cleo@readers.test');
    await app.clock.advance(HOUR_MS - 1);
    await kitchen.deliver();
    expect(logins).toBe(0);
    await app.clock.advance(1);
    await kitchen.deliver();
    expect([logins > 0, await notices()]).toEqual([true, 1]);

    own.answer(() => 'accept');
    await app.clock.advance(HOUR_MS);
    await kitchen.deliver();
    expect(own.received.map(({ to }) => to).sort()).toEqual(['ada@readers.test', 'cleo@readers.test']);
    expect([await banner(), (await read()).mailServer.trouble]).toEqual([false, null]);
    tell('anna');
    await save('dora@readers.test');
    await kitchen.deliver();
    expect(await notices()).toBe(2);
  });

  test('go on at once when the login is mended', async () => {
    tell('anna');
    await save('ada@readers.test');
    await kitchen.deliver();
    expect((await put({ user: 'anna2' })).status).toBe(200);
    expect([await banner(), (await read()).mailServer.trouble]).toEqual([false, null]);
    await app.clock.advance(5_000);
    await kitchen.deliver();
    expect(own.received.map(({ to }) => to)).toEqual([owner.email, 'ada@readers.test']);
  });

  test('wait longer each time it wants no more, and owners hear after a quarter of an hour; no other domain or creator waits', async () => {
    own.answer(() => ({ code: 451, message: '4.7.1 slow down' }));
    await save('ada@readers.test');
    const waits: number[] = [];
    const told: number[] = [];
    for (let tries = 0; tries < 8; tries++) {
      await kitchen.deliver();
      const [row] = await rows();
      waits.push((row!.paused_until!.getTime() - app.clock.now().getTime()) / MINUTE_MS);
      told.push(await notices());
      await save(`ben${tries}@readers.test`, other);
      await kitchen.deliver();
      expect(kitchen.server.received).toHaveLength(tries + 1);
      await app.clock.advance(HOUR_MS);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(told).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  });

  test('are told of one by one where it is about the recipient', async () => {
    own.answer((whom) => (whom === 'ada@readers.test' ? { code: 550, message: '5.1.1 nobody' } : 'accept'));
    await save('ada@readers.test');
    await save('ben@readers.test');
    await kitchen.deliver();
    expect(await states()).toEqual(['ada@readers.test bounced', 'ben@readers.test accepted']);
    expect((await read()).mailServer.trouble).toBeNull();
  });

  test('do not leave to where its name leads later', async () => {
    isAllowed = isPublicAddress;
    await save('ada@readers.test');
    await kitchen.deliver();
    expect([await states(), own.received]).toEqual([['ada@readers.test waiting'], []]);
    expect((await read()).mailServer.trouble.says).toContain('private network');
  });

  test('wait where none of our keys opens its password', async () => {
    await app.db.engine.updateTable('mail_servers').set({ password: 'gone.a.b.c' }).execute();
    await save('ada@readers.test');
    await kitchen.deliver();
    expect([await states(), kitchen.server.received]).toEqual([['ada@readers.test waiting'], []]);
    expect((await read()).mailServer.trouble.says).toContain('Enter it again');
  });

  test('leave where the operator has no mail server, and no one else’s do', async () => {
    const none = createMailTransport({ smtpUrl: null, from: 'a@b.test' });
    const deps = { ...app.deps, config: { ...app.deps.config, smtpUrl: null, trying: false }, readerTransport: none };
    await save('ada@readers.test');
    await save('ben@readers.test', other);
    await findDueReaderMails.run(deps);
    while ((await runDue([sendToDomain], deps)) > 0);
    expect(await states()).toEqual(['ada@readers.test accepted', 'ben@readers.test waiting']);
  });
});
