/** Bodies that are announced and do not come: what is counted, who is refused, and that nothing stays counted. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

const MB = 1024 ** 2;
const SECRET = 'meta-secret';
/** Of one network, at a time: a quarter of all. */
const WEBHOOKS_OF_ONE = 16;

let app: TestApp;
let port: number;
let sockets: Socket[];
beforeEach(async () => {
  app = await createTestApp({
    settings: { META_APP_ID: '1', META_APP_SECRET: SECRET, META_VERIFY_TOKEN: 'verify me', TRUSTED_PROXIES: '1' },
  });
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.app.server.address() as { port: number }).port;
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

const CHUNKED = 'Transfer-Encoding: chunked';
const ofBytes = (bytes: number) => `Content-Length: ${bytes}`;

/** Sends the head of a request and stays. */
async function announce(length: string, from = '198.51.100.1', path = '/webhooks/meta'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.on('error', () => {});
  sockets.push(socket);
  const type = 'Content-Type: application/json';
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\n${type}\r\n${length}\r\n\r\n`);
  await once(socket, 'connect');
  return socket;
}

/** The answer, which comes before the body has been sent. */
async function answerTo(socket: Socket): Promise<string> {
  const [text] = (await once(socket, 'data')) as [string];
  return text;
}

/** Posts a body signed by Meta. @returns the status */
async function sendSigned(from: string): Promise<number> {
  const body = JSON.stringify({ object: 'instagram', entry: [] });
  const answer = await fetch(`http://127.0.0.1:${port}/webhooks/meta`, {
    method: 'POST',
    body,
    headers: {
      'x-forwarded-for': from,
      'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
    },
  });
  await answer.text();
  return answer.status;
}

test.each([
  ['with a length', ofBytes(MB)],
  ['in chunks', CHUNKED],
])(
  'bodies %s of one network are refused beyond its share, before they are read; others go on',
  async (_how, length) => {
    for (let body = 0; body < WEBHOOKS_OF_ONE; body++) await announce(length);
    const refused = await answerTo(await announce(length));
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toMatch(/\r\nretry-after: 10\r\n/i);
    expect(refused).toMatch(/\r\nconnection: close\r\n/i);
    expect(await sendSigned('198.51.100.1')).toBe(503);
    expect(await sendSigned('203.0.113.7')).toBe(200);
    // A login is counted apart.
    expect(await answerTo(await announce(ofBytes(MB), '198.51.100.1', '/api/v1/auth/login'))).toMatch(
      /^HTTP\/1\.1 413 /,
    );

    for (const socket of sockets) socket.destroy();
    await expect.poll(() => sendSigned('198.51.100.1')).toBe(200);
  },
);

test('all networks together have an end, too', async () => {
  for (let body = 0; body < 4 * WEBHOOKS_OF_ONE; body++) await announce(ofBytes(MB), `198.51.100.${body}`);
  expect(await answerTo(await announce(ofBytes(MB), '203.0.113.7'))).toMatch(/^HTTP\/1\.1 503 /);
});

test('a body that says it is larger than what is taken is refused as such', async () => {
  expect(await answerTo(await announce(ofBytes(1000 * MB)))).toMatch(/^HTTP\/1\.1 413 /);
});

test('the body of a webhook has to be there within ten seconds', async () => {
  const before = app.clock.sleeping();
  const slow = await announce(ofBytes(MB));
  slow.write('{');
  await expect.poll(() => app.clock.sleeping()).toBe(before + 1);
  await app.clock.advance(9_999);
  expect(slow.closed).toBe(false);
  const ended = once(slow.resume(), 'close');
  await app.clock.advance(1);
  await ended;
  expect(app.clock.sleeping()).toBe(before);
});
