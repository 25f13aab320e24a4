import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addSendingDomain,
  changeSender,
  checkSendingDomain,
  getSending,
  removeSendingDomain,
  type Sending,
  type SendingDomain,
} from '#contract/sending.ts';
import { open } from '#server/secrets.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { type NameServer, startNameServer } from '#simulators/dns/name-server.ts';
import { checkDueDomains } from './domain-checks.ts';
import { findWhomFrom } from './whom-from.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SENDER = { name: 'Anna’s Kitchen', address: 'Anna@anna.example', replyTo: '', postalAddress: '1 Main St' };

let app: TestApp;
let dns: NameServer;
let owner: Person;
let creatorId: string;
beforeAll(async () => {
  dns = await startNameServer();
  app = await createTestApp({
    settings: { DNS_SERVERS: dns.address, MAIL_FROM: 'Creator HQ <mail@hq.example.test>' },
  });
});
afterAll(async () => {
  await app?.close();
  await dns?.close();
});
beforeEach(async () => {
  owner = await app.signUpAndIn();
  ({ id: creatorId } = await owner.createCreator());
});
afterEach(async () => {
  dns.fail(null);
  await app.db.engine.deleteFrom('creators').execute();
});

const read = async (): Promise<Sending> => (await owner.call(getSending, { params: { creatorId } })).body;
const put = (body: object) => owner.call(changeSender, { params: { creatorId }, body: { ...SENDER, ...body } });
const add = (domain: string) => owner.call(addSendingDomain, { params: { creatorId }, body: { domain } });
const added = async (domain = 'anna.example'): Promise<SendingDomain> => {
  const answer = await add(domain);
  expect(answer.status).toBe(200);
  return answer.body.domains.at(-1);
};
const publish = ({ dkim, dmarc }: SendingDomain) => {
  dns.put(dkim.name, dkim.value);
  dns.put(dmarc.name, 'v=DMARC1; p=reject');
};
const withdraw = ({ dkim }: SendingDomain) => dns.put(dkim.name);
const check = async ({ id }: SendingDomain): Promise<SendingDomain> => {
  await app.clock.advance(5_000);
  const answer = await owner.call(checkSendingDomain, { params: { creatorId, domainId: id } });
  expect(answer.status).toBe(200);
  return answer.body.domains.find((one: SendingDomain) => one.id === id);
};
const only = async () => (await read()).domains[0]!;
const whom = async () => (await findWhomFrom(app.db.engine, app.deps.keys, [creatorId])).get(creatorId)!;

describe('the sender', () => {
  test('is the shared address under the creator’s name, with answers to their own', async () => {
    const { handle } = await app.db.engine.selectFrom('creators').select('handle').executeTakeFirstOrThrow();
    expect(await read()).toEqual({
      sender: { name: '', address: '', replyTo: '', postalAddress: '' },
      from: { name: handle, address: 'mail@hq.example.test', isOwn: false },
      domains: [],
      mailServer: null,
    });
    const { body } = await put({});
    expect(body).toMatchObject({
      sender: SENDER,
      from: { name: 'Anna’s Kitchen', address: 'mail@hq.example.test', isOwn: false },
    });
    expect(await whom()).toEqual({ replyTo: 'Anna@anna.example', server: null, own: null });
    await put({ replyTo: 'answers@elsewhere.example' });
    expect(await whom()).toEqual({ replyTo: 'answers@elsewhere.example', server: null, own: null });
  });

  test('has their own address as soon as its domain is verified, and no other one', async () => {
    await put({});
    const domain = await added();
    publish(domain);
    expect(await check(domain)).toMatchObject({ state: 'verified' });
    expect((await read()).from).toEqual({ name: 'Anna’s Kitchen', address: 'Anna@anna.example', isOwn: true });
    const own = { address: 'Anna@anna.example', dkim: { domain: 'anna.example' } };
    expect(await whom()).toMatchObject({ replyTo: null, own });
    for (const address of ['anna@mail.anna.example', 'anna@example', 'anna@anna.example.evil.test', '']) {
      await put({ address });
      expect((await read()).from).toMatchObject({ address: 'mail@hq.example.test', isOwn: false });
    }
  });

  test.each([
    [{ address: 'anna' }, 'address'],
    [{ address: 'anna@anna.example\r\nBcc: spy@example.test' }, 'address'],
    [{ address: 'änna@anna.example' }, 'address'],
    [{ replyTo: 'a@b.example, c@d.example' }, 'replyTo'],
  ])('refuses %j', async (body, path) => {
    expect(await put(body)).toMatchObject({ status: 422, body: { errors: [{ path }] } });
    expect((await read()).sender.address).toBe('');
  });
});

describe('a domain', () => {
  test('gets a key of 2,048 bits that rests sealed, and two records to paste', async () => {
    const domain = await added('https://www.Anna.example/about');
    expect(domain).toMatchObject({
      domain: 'anna.example',
      state: 'waiting',
      checkedAt: null,
      dkim: { host: expect.stringMatching(/^chq[a-z0-9]{6}\._domainkey$/), state: null },
      dmarc: { host: '_dmarc', name: '_dmarc.anna.example', value: 'v=DMARC1; p=none', state: null },
    });
    expect(domain.dkim).toMatchObject({
      name: `${domain.dkim.host}.anna.example`,
      value: expect.stringMatching(/^v=DKIM1; k=rsa; p=[\w+/]{392}$/),
    });
    const row = await app.db.engine.selectFrom('sending_domains').selectAll().executeTakeFirstOrThrow();
    expect(row.private_key).not.toContain('PRIVATE KEY');
    expect(open(app.deps.keys.encryptionKeys, row.private_key)).toContain('BEGIN PRIVATE KEY');
    expect(JSON.stringify(await read())).not.toContain('PRIVATE');
  });

  test.each([
    ['mail.anna.co.uk', 'mail.anna.co.uk'],
    ['anna@küche.example', 'xn--kche-0ra.example'],
    ['http://anna.example:8080/x', 'anna.example'],
  ])('is read out of %s as %s', async (written, domain) => expect((await added(written)).domain).toBe(domain));

  test.each(['', 'anna', 'co.uk', 'gmail.com', '192.0.2.1', 'a b.example', 'anna.example\nx'])(
    'is not %j',
    async (written) => {
      expect(await add(written)).toMatchObject({ status: 422, body: { errors: [{ path: 'domain' }] } });
    },
  );

  test('is there once, and can be removed', async () => {
    const domain = await added();
    expect(await add('ANNA.example')).toMatchObject({ status: 409, body: { code: 'already_exists' } });
    publish(domain);
    await check(domain);
    const params = { creatorId, domainId: domain.id };
    expect((await owner.call(removeSendingDomain, { params })).body.domains).toEqual([]);
    expect((await whom()).own).toBeNull();
    for (const endpoint of [removeSendingDomain, checkSendingDomain]) {
      expect((await owner.call(endpoint, { params })).status).toBe(404);
    }
  });
});

describe('what name servers say', () => {
  test.each<[string, (domain: SendingDomain) => void, object]>([
    [
      'right',
      publish,
      { state: 'verified', dkim: { state: 'found' }, dmarc: { says: 'DMARC says reject and we would pass.' } },
    ],
    [
      'missing',
      () => {},
      { state: 'waiting', dkim: { says: expect.stringMatching(/^Not there yet \(asked 1 name server\)/) } },
    ],
    [
      'split',
      ({ dkim }) => dns.put(dkim.name, dkim.value.slice(0, 255), dkim.value.slice(255)),
      { state: 'waiting', dkim: { state: 'split' } },
    ],
    ['foreign', ({ dkim }) => dns.put(dkim.name, 'v=DKIM1; p=MIGf'), { state: 'waiting', dkim: { state: 'foreign' } }],
    [
      'failing',
      () => dns.fail('servfail'),
      { state: 'waiting', dkim: { state: 'no_answer' }, dmarc: { state: 'no_answer' } },
    ],
  ])('%s', async (_, arrange, seen) => {
    const domain = await added(`d${creatorId}.example`);
    arrange(domain);
    expect(await check(domain)).toMatchObject({ ...seen, checkedAt: app.clock.now().toISOString() });
  });

  test('of a subdomain counts for it, with the policy of the whole domain', async () => {
    const domain = await added('mail.anna.example');
    publish(domain);
    dns.put('_dmarc.mail.anna.example');
    dns.put('_dmarc.anna.example', 'v=DMARC1; p=none; sp=quarantine');
    expect((await check(domain)).dmarc.says).toBe('DMARC says quarantine and we would pass.');
  });

  test('is asked for every minute for an hour, then every hour, then daily', async () => {
    const domain = await added(`d${creatorId}.example`);
    const asked = async (everyMs: number, times: number) => {
      dns.asked.length = 0;
      for (let n = 0; n < times; n++) {
        await app.clock.advance(everyMs);
        await checkDueDomains.run(app.deps);
      }
      return dns.asked.filter((name) => name === domain.dkim.name).length;
    };
    await checkDueDomains.run(app.deps);
    expect(await asked(MINUTE_MS, 59)).toBe(59);
    expect(await asked(MINUTE_MS, 10)).toBe(1);
    expect(await asked(HOUR_MS, 23)).toBe(23);
    expect(await asked(HOUR_MS, 48)).toBeLessThanOrEqual(3);
  });

  test('once verified: missing twice makes it shaky, failing does not, and found again it is verified', async () => {
    const told: string[] = [];
    const end = app.deps.live.listen(creatorId, ({ what }) => told.push(what));
    await put({});
    const domain = await added();
    const later = async (ms: number) => {
      await app.clock.advance(ms);
      await checkDueDomains.run(app.deps);
      return (await only()).state;
    };
    const mails = async () =>
      (await app.mails(owner.email)).filter(({ kind }) => kind === 'domain_trouble').map(({ subject }) => subject);
    publish(domain);
    expect(await later(MINUTE_MS)).toBe('verified');
    const since = app.clock.now();
    await expect.poll(() => told).toContain('account');
    end();
    withdraw(domain);
    dns.fail('servfail');
    expect(await later(24 * HOUR_MS)).toBe('verified');
    expect(await later(HOUR_MS)).toBe('verified');
    dns.fail(null);
    expect(await later(HOUR_MS)).toBe('verified');
    // Pressing "Check again" does not make it twice.
    expect((await check(domain)).state).toBe('verified');
    expect(await mails()).toEqual([]);
    expect(await later(HOUR_MS)).toBe('shaky');
    expect(await mails()).toEqual(['Emails from anna.example can’t be signed']);
    expect(await whom()).toEqual({ replyTo: 'Anna@anna.example', server: null, own: null });
    publish(domain);
    expect(await later(HOUR_MS)).toBe('verified');
    // It is not new to mail services again.
    const [row] = await app.db.engine.selectFrom('sending_domains').selectAll().where('id', '=', domain.id).execute();
    expect(row).toMatchObject({ verified_at: since });
    withdraw(domain);
    expect([await later(24 * HOUR_MS), await later(HOUR_MS)]).toEqual(['verified', 'shaky']);
    expect(await later(HOUR_MS)).toBe('shaky');
    expect(await mails()).toEqual(Array(2).fill('Emails from anna.example can’t be signed'));
    publish(domain);
    expect(await later(HOUR_MS)).toBe('verified');
    // One slip, and a month later another one.
    withdraw(domain);
    expect(await later(24 * HOUR_MS)).toBe('verified');
    publish(domain);
    expect(await later(HOUR_MS)).toBe('verified');
    withdraw(domain);
    expect(await later(24 * HOUR_MS)).toBe('verified');
  });
});
