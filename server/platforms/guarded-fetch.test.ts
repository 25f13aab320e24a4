import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGuardedFetch, isPublicAddress } from './guarded-fetch.ts';

let port: number;
let asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  if (request.url === '/redirect') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  else if (request.url === '/endless') {
    const write = () => {
      while (response.write('x'.repeat(10_000)));
    };
    response.on('drain', write);
    write();
  } else if (request.url !== '/silent') response.end('hello');
});
beforeAll(async () => {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const call = (url: string, fetching = createGuardedFetch(), timeoutMs = 5000) =>
  fetching.request({ url, method: 'POST', headers: {}, body: '{}', timeoutMs }).finally(() => fetching.close());

describe('addresses', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'localhost',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));

  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111'])('%s is public', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
});

describe('a guarded request', () => {
  test.each([
    'http://127.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://localhost:PORT/',
    'http://user:secret@127.0.0.1:PORT/',
    'file:///etc/passwd',
  ])('does not reach %s', async (url) => {
    asked = [];
    expect(await call(url.replace('PORT', String(port)))).toMatchObject({ kind: 'refused' });
    expect(asked).toEqual([]);
  });

  test('does not reach a name with one private address among public ones', async () => {
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    expect(await call(`http://mixed.test:${port}/`, createGuardedFetch({ resolve }))).toMatchObject({
      kind: 'refused',
    });
  });

  test('looks a name up once: a second answer cannot lead elsewhere', async () => {
    let looked = 0;
    const resolve = async () => [{ address: looked++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
    const isAllowed = (address: string) => address === '127.0.0.1';
    const answer = await call(`http://rebinding.test:${port}/`, createGuardedFetch({ resolve, isAllowed }));
    expect(answer).toMatchObject({ kind: 'answer', status: 200, text: 'hello', certificateEndsAt: null });
    expect(looked).toBe(1);
  });

  const local = () => createGuardedFetch({ isAllowed: () => true });

  test('follows no redirect', async () => {
    expect(await call(`http://127.0.0.1:${port}/redirect`, local())).toMatchObject({ kind: 'answer', status: 302 });
  });

  test('reads the beginning of an endless answer only', async () => {
    const answer = await call(`http://127.0.0.1:${port}/endless`, local());
    expect(answer).toMatchObject({ kind: 'answer', status: 200 });
    expect('text' in answer && answer.text.length).toBe(16 * 1024);
  });

  test('does not wait for ever', async () => {
    const answer = await call(`http://127.0.0.1:${port}/silent`, local(), 50);
    expect(answer).toEqual({ kind: 'no_answer', because: 'timeout', says: 'No answer within 0.05 seconds.' });
  });

  test('says so when nobody listens', async () => {
    expect(await call('http://127.0.0.1:1/', local())).toEqual({
      kind: 'refused',
      because: 'unreachable',
      says: 'The server did not accept the connection.',
    });
  });
});
