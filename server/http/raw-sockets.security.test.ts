/** Attacks that only bytes on a socket can make: where a request ends (request smuggling), and senders that take their time. */
import { connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpOptions } from '#server/http/connections.ts';
import { HTTP_LIMITS } from '#server/http/limits.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await createTestApp();
  port = await listen(app.app);
});
afterAll(() => app?.close());

async function listen(server: FastifyInstance): Promise<number> {
  await server.listen({ host: '127.0.0.1', port: 0 });
  return (server.server.address() as { port: number }).port;
}

/** The server's answer until it closed the connection by itself: the sender keeps its side open. */
function exchange(bytes: string | Buffer, to = port): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket: Socket = connect({ port: to, host: '127.0.0.1' }, () => socket.write(bytes));
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve(text));
  });
}

/** A second answer follows the body of the first, on the same line. */
const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

const SMUGGLED = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const post = (...lines: string[]) => `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n`;

describe('a request whose end can be read in two ways', () => {
  test.each([
    ['two kinds of length', `${post('Content-Length: 6', 'Transfer-Encoding: chunked')}0\r\n\r\n${SMUGGLED}`],
    ['the other way round', `${post('Transfer-Encoding: chunked', 'Content-Length: 6')}0\r\n\r\n${SMUGGLED}`],
    ['two lengths', post('Content-Length: 0', 'Content-Length: 5') + SMUGGLED],
    ['two lengths in one line', post('Content-Length: 0, 5') + SMUGGLED],
    ['a length with a sign', post('Content-Length: +0') + SMUGGLED],
    ['a negative length', post('Content-Length: -1') + SMUGGLED],
    ['a length beyond numbers', post('Content-Length: 18446744073709551616') + SMUGGLED],
    ['an unknown encoding', `${post('Transfer-Encoding: xchunked')}0\r\n\r\n${SMUGGLED}`],
    ['chunks that are not last', `${post('Transfer-Encoding: chunked, identity')}0\r\n\r\n${SMUGGLED}`],
    ['chunks twice', `${post('Transfer-Encoding: chunked', 'Transfer-Encoding: identity')}0\r\n\r\n${SMUGGLED}`],
    ['a space before the colon', `${post('Transfer-Encoding : chunked')}0\r\n\r\n${SMUGGLED}`],
    ['a vertical tab in it', `${post('Transfer-Encoding: \x0bchunked')}0\r\n\r\n${SMUGGLED}`],
    ['a folded header', post('X: 1\r\n Transfer-Encoding: chunked', 'Content-Length: 0 1') + SMUGGLED],
    ['bare line feeds', `POST /api/v1/auth/login HTTP/1.1\nHost: x\nContent-Length: 0\n\n${SMUGGLED}`],
    ['a bare carriage return', post('X: 1\rTransfer-Encoding: chunked') + SMUGGLED],
    ['a null in a header', post('X: \0', 'Content-Length: 0') + SMUGGLED],
    ['a chunk size that is no number', `${post('Transfer-Encoding: chunked')}0x0\r\n\r\n${SMUGGLED}`],
    ['a chunk size beyond numbers', `${post('Transfer-Encoding: chunked')}fffffffffffffffff\r\n${SMUGGLED}`],
    ['no host', `GET /healthz HTTP/1.1\r\n\r\n${SMUGGLED}`],
    ['no HTTP at all', `\x16\x03\x01\x02\x00\x01${SMUGGLED}`],
    ['the next version', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${SMUGGLED}`],
  ])('%s: is refused, and what follows is never read as a request', async (_what, bytes) => {
    const answer = await exchange(bytes);
    expect(statusesIn(answer)).toEqual([400]);
    expect(answer).not.toContain('uptimeSeconds');
    expect(answer).not.toMatch(/node_modules|\.ts:|HPE_/);
  });

  test('well-formed ones after each other are two', async () => {
    const first = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    expect(statusesIn(await exchange(first + SMUGGLED))).toEqual([200, 200]);
  });
});

describe('too much', () => {
  test('headers without end are refused', async () => {
    const long = `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(HTTP_LIMITS.headerBytes)}\r\n\r\n`;
    expect(statusesIn(await exchange(long))).toEqual([431]);
    expect(statusesIn(await exchange(`GET /${'a'.repeat(HTTP_LIMITS.headerBytes)} HTTP/1.1\r\n`))).toEqual([431]);
  });

  test('a body that says it is too large is refused before it comes', async () => {
    const answer = await exchange(
      post('Content-Type: application/json', 'Connection: close', `Content-Length: ${HTTP_LIMITS.bodyBytes + 1}`),
    );
    expect(statusesIn(answer)).toEqual([413]);
  });

  test('a body in chunks is refused once it is too large', async () => {
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const head = post('Content-Type: application/json', 'Connection: close', 'Transfer-Encoding: chunked');
    const answer = await exchange(head + chunk.repeat(HTTP_LIMITS.bodyBytes / 0x10000 + 1));
    expect(statusesIn(answer)).toEqual([413]);
  });
});

describe('a sender that takes its time', () => {
  let server: FastifyInstance;
  let slowPort: number;
  beforeAll(async () => {
    const limits = { ...HTTP_LIMITS, headersTimeoutMs: 100, requestTimeoutMs: 200, checkEveryMs: 20 };
    server = Fastify(httpOptions(limits));
    server.post('/', async () => 'done');
    slowPort = await listen(server);
  });
  afterAll(() => server.close());

  test.each([
    ['headers', 'POST / HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nhalf'],
    ['chunks', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel'],
  ])('%s that do not come to an end: the connection is closed', async (_what, bytes) => {
    expect(statusesIn(await exchange(bytes, slowPort))).toEqual([408]);
  });

  test('the program has the same limits, with more patience', () => {
    const { server: real } = app.app;
    expect(real.headersTimeout).toBe(HTTP_LIMITS.headersTimeoutMs);
    expect(real.requestTimeout).toBe(HTTP_LIMITS.requestTimeoutMs);
    expect(real.timeout).toBe(HTTP_LIMITS.silentMs);
    expect(real.maxConnections).toBe(HTTP_LIMITS.connections);
    expect(HTTP_LIMITS.headersTimeoutMs).toBeLessThan(HTTP_LIMITS.requestTimeoutMs);
  });
});

describe('splitting an answer', () => {
  test.each(['/l/%0d%0aSet-Cookie:%20a=b', '/api/v1/auth/logout?x=%0d%0aSet-Cookie:%20a=b', '/%0d%0aX:1/'])(
    '%s sets no header',
    async (target) => {
      const answer = await exchange(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      const [head] = answer.split('\r\n\r\n');
      expect(head).not.toMatch(/^(set-cookie: a=b|x:1)/im);
      expect(statusesIn(answer)).toHaveLength(1);
    },
  );
});
