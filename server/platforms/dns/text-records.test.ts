import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { type NameServer, startNameServer } from '#simulators/dns/name-server.ts';
import { findTextRecords } from './text-records.ts';

let one: NameServer;
let other: NameServer;
beforeAll(async () => {
  [one, other] = await Promise.all([startNameServer(), startNameServer()]);
});
afterAll(() => Promise.all([one?.close(), other?.close()]));
afterEach(() => {
  for (const server of [one, other]) {
    server.fail(null);
    server.put('a.example');
  }
});

const find = (name = 'a.example') => findTextRecords([one.address, other.address], name, { timeoutMs: 50 });

test('puts the parts of a record together, and tells several records apart', async () => {
  const long = 'x'.repeat(700);
  one.put('a.example', long, 'short');
  other.put('a.example', 'other');
  const { asked, answers } = await find();
  expect(asked).toBe(2);
  expect(answers.map((records) => records.toSorted())).toEqual([['short', long], ['other']]);
});

test.each(['servfail', 'silence'] as const)(
  'a name server that answers with %s says nothing; another one does',
  async (how) => {
    one.fail(how);
    expect(await find()).toEqual({ asked: 2, answers: [[]] });
    other.put('a.example', 'text');
    expect(await find()).toEqual({ asked: 2, answers: [['text']] });
    other.fail(how);
    expect(await find()).toEqual({ asked: 2, answers: [] });
  },
);

test('a name server that is not there says nothing', async () => {
  const gone = await startNameServer();
  await gone.close();
  expect(await findTextRecords([gone.address], 'a.example', { timeoutMs: 50 })).toEqual({ asked: 1, answers: [] });
});

test.each([
  [undefined, null],
  [
    '1.1.1.1, 9.9.9.9:5353 ,[2001:db8::1]:53,2001:db8::2',
    ['1.1.1.1', '9.9.9.9:5353', '[2001:db8::1]:53', '2001:db8::2'],
  ],
])('DNS_SERVERS %j are %j', (given, servers) => {
  expect(readConfig({ DNS_SERVERS: given }).dnsServers).toEqual(servers);
});

test.each(['dns.example', '1.1.1', '1.1.1.1:x', '[::1', 'https://1.1.1.1'])('refuses DNS_SERVERS %j', (given) => {
  expect(() => readConfig({ DNS_SERVERS: given })).toThrow('DNS_SERVERS');
});
