/** Server-side request forgery: every way to write, resolve or redirect to an address that only this machine reaches. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGuardedFetch, type GuardedFetch, isPublicOrInside } from './guarded-fetch.ts';

let port: number;
let asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url!);
  const [, status] = /^\/to\/(\d+)/.exec(request.url!) ?? [];
  if (status !== undefined) response.writeHead(Number(status), { location: `http://127.0.0.1:${port}/inside` }).end();
  else if (request.url === '/drip') response.writeHead(200).write('x');
  else if (request.url === '/headers') response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end();
  else response.end('inside');
});
beforeAll(async () => {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function call(url: string, fetching: GuardedFetch = createGuardedFetch(), timeoutMs = 5000) {
  asked = [];
  const answer = await fetching.request({ url, method: 'POST', headers: {}, body: '{}', timeoutMs });
  await fetching.close();
  return answer;
}

describe('an address inside, however it is written', () => {
  test.each([
    'http://0177.0.0.1:PORT/',
    'http://017700000001:PORT/',
    'http://0x7f000001:PORT/',
    'http://0x7f.0x0.0x0.0x1:PORT/',
    'http://2130706433:PORT/',
    'http://127.1:PORT/',
    'http://0:PORT/',
    'http://127.0.0.1.:PORT/',
    'http://%31%32%37.0.0.1:PORT/',
    'http://①②⑦.⓪.⓪.①:PORT/',
    'http://127。0。0。1:PORT/',
    'http://localhost:PORT/',
    'http://localhost.:PORT/',
    'http://LOCALHOST:PORT/',
    'http://[::1]:PORT/',
    'http://[0:0:0:0:0:0:0:1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[64:ff9b::127.0.0.1]:PORT/',
    'http://[64:ff9b:1::7f00:1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://[2001:0:7f00:1::]:PORT/',
    'http://[fe80::1]:PORT/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.100.100.200/latest/meta-data/',
    'http://192.0.0.192/opc/v2/instance/',
    'http://user@127.0.0.1:PORT/',
    'http:\\\\127.0.0.1:PORT\\',
    'ftp://127.0.0.1:PORT/',
    'gopher://127.0.0.1:PORT/_x',
    'data:text/plain,hello',
    'file:///etc/passwd',
  ])('%s is not asked', async (url) => {
    expect(await call(url.replace('PORT', String(port)))).toMatchObject({ kind: 'refused' });
    expect(asked).toEqual([]);
  });
});

describe('a name', () => {
  test.each(['127.0.0.1', '169.254.169.254', '10.0.0.1', '::1', '::ffff:10.0.0.1', 'fd00::1'])(
    'that resolves to %s is not asked',
    async (address) => {
      const family = address.includes(':') ? 6 : 4;
      const fetching = createGuardedFetch({ resolve: async () => [{ address, family }] });
      expect(await call(`http://metadata.evil.test:${port}/`, fetching)).toMatchObject({ kind: 'refused' });
      expect(asked).toEqual([]);
    },
  );

  test('that resolves to nothing is not asked', async () => {
    const fetching = createGuardedFetch({ resolve: async () => [] });
    expect(await call(`http://nowhere.test:${port}/`, fetching)).toMatchObject({ kind: 'refused' });
  });

  test('is looked up again for every request: a connection of before leads nowhere else', async () => {
    const addresses = ['127.0.0.1', '10.0.0.1'];
    const fetching = createGuardedFetch({
      resolve: async () => [{ address: addresses.shift()!, family: 4 }],
      isAllowed: (address) => address === '127.0.0.1',
    });
    const url = `http://rebinding.test:${port}/`;
    const once = () => fetching.request({ url, method: 'GET', headers: {}, timeoutMs: 5000 });
    expect(await once()).toMatchObject({ kind: 'answer', text: 'inside' });
    expect(await once()).toMatchObject({ kind: 'refused' });
    await fetching.close();
  });
});

describe('an answer', () => {
  const open = () => createGuardedFetch({ isAllowed: () => true });

  test.each([301, 302, 303, 307, 308])('%i leads nowhere', async (status) => {
    const answer = await call(`http://127.0.0.1:${port}/to/${status}`, open());
    expect(answer).toMatchObject({ kind: 'answer', status });
    expect(asked).toEqual([`/to/${status}`]);
  });

  test('that drips is not waited for beyond the time for all of it', async () => {
    expect(await call(`http://127.0.0.1:${port}/drip`, open(), 100)).toMatchObject({ kind: 'no_answer' });
  });

  test('with headers without end is broken off', async () => {
    expect(await call(`http://127.0.0.1:${port}/headers`, open())).toMatchObject({ kind: 'no_answer' });
  });
});

describe('where the simulators’ blog runs', () => {
  const beside = () => createGuardedFetch({ openOrigin: `http://127.0.0.1:${port}` });

  test('its address and port are asked', async () => {
    expect(await call(`http://127.0.0.1:${port}/`, beside())).toMatchObject({ kind: 'answer', text: 'inside' });
  });

  test.each([
    'http://127.0.0.1:1/',
    'https://127.0.0.1:PORT/',
    'http://[::1]:PORT/',
    'http://localhost:PORT/',
    'http://10.0.0.1/',
  ])('%s is not', async (url) => {
    expect(await call(url.replace('PORT', String(port)), beside())).toMatchObject({ because: 'private_address' });
    expect(asked).toEqual([]);
  });
});

describe('where tools of the own network may be called (PRIVATE_WEBHOOKS=on)', () => {
  const inside = (resolve?: (name: string) => Promise<{ address: string; family: number }[]>) =>
    createGuardedFetch({ isAllowed: isPublicOrInside, ...(resolve && { resolve }) });

  test('they are', async () => {
    expect(await call(`http://127.0.0.1:${port}/`, inside())).toMatchObject({ kind: 'answer', text: 'inside' });
    for (const address of ['10.0.0.1', '192.168.1.1', '172.16.0.1', '::1', 'fd12::1', '::ffff:10.0.0.1', '8.8.8.8']) {
      expect(isPublicOrInside(address), address).toBe(true);
    }
  });

  test.each([
    ...['169.254.169.254', '169.254.170.2', '169.254.0.1', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376'],
    ...['[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[0:0:0:0:0:ffff:a9fe:a9fe]', '[::169.254.169.254]'],
    ...['[64:ff9b::169.254.169.254]', '[64:ff9b:1::a9fe:a9fe]', '[2002:a9fe:a9fe::]', '[2001:0:a9fe:a9fe::]'],
    ...[
      '[fe80::1]',
      '[febf::1]',
      '[fd00:ec2::254]',
      '[fd20:ce::254]',
      '100.100.100.200',
      '192.0.0.192',
      '168.63.129.16',
    ],
    ...['[::ffff:100.100.100.200]', '0.0.0.0', '224.0.0.1', '255.255.255.255', '[ff02::1]'],
    ...['metadata.google.internal', 'METADATA.google.internal.', 'metadata', 'instance-data', 'metadata.goog'],
    ...['instance-data.ec2.internal', 'metadata.azure.internal', 'metadata.tencentyun.com'],
  ])('%s is never asked', async (host) => {
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    expect(await call(`http://${host}:${port}/`, inside(resolve))).toMatchObject({
      kind: 'refused',
      because: 'private_address',
    });
    expect(asked).toEqual([]);
  });

  test.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
  ])('a name that resolves to %s is never asked', async (address) => {
    const resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }];
    expect(await call(`http://tool.test:${port}/`, inside(resolve))).toMatchObject({ because: 'private_address' });
    expect(asked).toEqual([]);
  });
});

describe('hosts of a simulator', () => {
  const through = () => createGuardedFetch({ via: new Map([['amzn.to', `http://127.0.0.1:${port}/amzn.to`]]) });

  test('are asked there, by their whole name alone', async () => {
    expect(await call('https://amzn.to/pan?x=1', through())).toMatchObject({ kind: 'answer' });
    expect(asked).toEqual(['/amzn.to/pan?x=1']);
    for (const url of ['http://127.0.0.1:PORT/', 'http://amzn.to.localhost:PORT/', 'http://localhost:PORT/amzn.to']) {
      expect(await call(url.replace('PORT', String(port)), through())).toMatchObject({ kind: 'refused' });
      expect(asked).toEqual([]);
    }
  });

  test('are nowhere without one', async () => {
    await call(`http://127.0.0.1:${port}/amzn.to/pan`);
    expect(asked).toEqual([]);
  });
});
