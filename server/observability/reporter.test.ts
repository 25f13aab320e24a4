import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '#server/clock.ts';
import { createErrorReporter, type ErrorReporter, readDsn } from '#server/observability/reporter.ts';
import { createTestApp } from '#server/testing/test-app.ts';
import { createTestClock, type TestClock } from '#server/testing/test-clock.ts';
import { createLog } from './reporting-log.ts';
import { scrub } from './scrub.ts';

type Received = { url: string; auth: string; type: string; lines: Record<string, unknown>[]; raw: string };

let server: Server;
let received: Received[];
let answer: { status: number; headers: Record<string, string> };
let clock: TestClock;
let warnings: string[];
let reporter: ErrorReporter;

/** Sentry's endpoint, as far as we use it. */
beforeEach(async () => {
  received = [];
  warnings = [];
  answer = { status: 200, headers: {} };
  clock = createTestClock();
  server = createServer(async (request, response) => {
    let raw = '';
    for await (const chunk of request) raw += chunk;
    received.push({
      url: request.url!,
      auth: String(request.headers['x-sentry-auth']),
      type: String(request.headers['content-type']),
      lines: raw
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
      raw,
    });
    response.writeHead(answer.status, answer.headers).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  reporter = reporterAt((server.address() as AddressInfo).port);
});
afterEach(async () => {
  await reporter.close();
  server.closeAllConnections();
  server.close();
});

function reporterAt(port: number): ErrorReporter {
  const dsn = readDsn(`http://abc123@127.0.0.1:${port}/42`)!;
  return createErrorReporter({
    dsn,
    environment: 'test',
    clock,
    ids: systemIds,
    warn: (message) => warnings.push(message),
  });
}

function logTo(lines: string[], level = 'warn') {
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return createLog({ level, reporter }, destination);
}

describe('a DSN', () => {
  test.each([
    ['https://key@o1.ingest.sentry.io/42', 'https://o1.ingest.sentry.io/api/42/envelope/'],
    ['https://key:secret@sentry.example.com:9000/below/7', 'https://sentry.example.com:9000/below/api/7/envelope/'],
  ])('%s names the endpoint %s', (dsn, endpoint) => {
    expect(readDsn(dsn)).toEqual({ endpoint, publicKey: 'key' });
  });

  test.each([
    '',
    'nonsense',
    'https://sentry.io/42',
    'https://key@sentry.io/',
    'https://key@sentry.io/x',
    'ftp://key@h/1',
  ])('is not %j', (dsn) => {
    expect(readDsn(dsn)).toBeNull();
  });
});

describe('an error in the log', () => {
  test('is reported as an envelope with one event', async () => {
    const lines: string[] = [];
    const error = new Error('the lane is jammed', { cause: new TypeError('no such shard') });
    logTo(lines).error({ err: error, deliveryId: 'd1', attempts: 3 }, 'a delivery broke off');
    await reporter.close();
    expect(lines).toHaveLength(1);
    expect(received).toHaveLength(1);
    const [{ url, auth, type, lines: envelope, raw }] = received as [Received];
    expect(url).toBe('/api/42/envelope/');
    expect(auth).toContain('sentry_key=abc123');
    expect(auth).toContain('sentry_version=7');
    expect(type).toBe('application/x-sentry-envelope');
    const [header, item, event] = envelope as [
      Record<string, unknown>,
      Record<string, unknown>,
      Record<string, unknown>,
    ];
    expect(header.event_id).toBe(event.event_id);
    expect(event.event_id).toMatch(/^[\da-f]{32}$/);
    expect(item).toEqual({ type: 'event', length: Buffer.byteLength(raw.split('\n')[2]!) });
    expect(event).toMatchObject({
      platform: 'node',
      level: 'error',
      environment: 'test',
      timestamp: clock.now().getTime() / 1000,
      message: { formatted: 'a delivery broke off' },
      tags: { deliveryId: 'd1', attempts: '3' },
      exception: {
        values: [
          { type: 'TypeError', value: 'no such shard' },
          { type: 'Error', value: 'the lane is jammed' },
        ],
      },
    });
    const { frames } = (
      event.exception as { values: { stacktrace: { frames: { filename: string; in_app: boolean }[] } }[] }
    ).values[1]!.stacktrace;
    expect(frames.at(-1)).toMatchObject({ filename: 'server/observability/reporter.test.ts', in_app: true });
  });

  test('is reported from child logs too, and warnings never are', async () => {
    const log = logTo([]).child({ reqId: 'r1' });
    log.warn({ err: new Error('late') }, 'slow');
    log.error('plain words');
    await reporter.close();
    expect(received.map(({ lines }) => (lines[2]!.message as { formatted: string }).formatted)).toEqual([
      'plain words',
    ]);
  });

  test('leaves the house without tokens, messages and addresses', async () => {
    const error = new Error(
      'duplicate key: Key (email)=(anna@kitchen.test) already exists, said "please send me the pasta"',
    );
    const err = Object.assign(error, { detail: 'anna@kitchen.test', body: { text: 'please send me the pasta' } });
    logTo([]).error(
      { err, url: 'https://graph.test/me?access_token=EAAGm0PX4ZCps', body: { text: 'the pasta' } },
      'Meta refused access_token=IGQVJXabcdef of anna@kitchen.test',
    );
    await reporter.close();
    const { raw } = received[0]!;
    for (const secret of ['anna', 'kitchen.test', 'pasta', 'EAAG', 'IGQV']) expect(raw).not.toContain(secret);
  });
});

const outOfOrder = () => Promise.reject(new Error('out of order'));

test('a request that fails on our side is reported with its route, not with what was sent', async () => {
  const app = await createTestApp({
    deps: {
      log: logTo([]),
      sessions: { read: outOfOrder, readToken: outOfOrder, readApiKey: async () => null, roleIn: async () => null },
    },
  });
  const url = '/api/v1/account/profile?from=anna@kitchen.test';
  const headers = { authorization: 'Bearer s3cr3t' };
  const answer = await app.visitor().send({ method: 'PATCH', url, body: { name: 'Anna' }, headers });
  await app.close();
  await reporter.close();
  expect(answer.status).toBe(500);
  expect(received).toHaveLength(1);
  const [{ lines, raw }] = received as [Received];
  expect(lines[2]).toMatchObject({
    message: { formatted: 'request failed' },
    tags: { code: 'internal', method: 'PATCH', route: '/api/v1/account/profile' },
    exception: { values: [{ value: 'out of order' }] },
  });
  for (const secret of ['Anna', 'kitchen.test', 's3cr3t']) expect(raw).not.toContain(secret);
});

describe('scrubbing', () => {
  test.each([
    ['postgresql://hq:hunter2@db.internal/hq refused', 'hunter2'],
    ['GET https://hq.test/verify?token=abc&x=1#frag', 'abc'],
    ['Authorization: Bearer abc.def', 'abc.def'],
    ['{"password":"hunter2 and more"}', 'hunter2'],
    ['session=1; secret: s3cr3t', 's3cr3t'],
    ['from 203.0.113.9 came', '203.0.113.9'],
    ['person Anna.B+x@mail.kitchen.test', 'kitchen'],
    ['unexpected token in "I love your soup"', 'soup'],
    ["unexpected token in 'I love your soup'", 'soup'],
    ['key EAAGm0PX4ZCpsBAKZAexampleexample', 'EAAG'],
    ['jwt eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.abc', 'eyJzdWIi'],
  ])('of %j leaves no %j', (text, secret) => {
    expect(scrub(text)).not.toContain(secret);
  });

  test.each([
    'relation "flag_values" does not exist',
    'connection 01890000-0000-7000-8000-000000000001 is gone',
    "Cannot read properties of undefined (reading 'id')",
    'timeout after 5000 ms at shard 7',
  ])('leaves what helps: %s', (text) => {
    expect(scrub(text)).toBe(text);
  });

  // With a pattern that goes back over its text this would take hours.
  test('comes to an end, whatever it reads', () => {
    for (const part of ['@.', 'a@a.', 'a.', '@', 'http://', '"', '::', 'token=']) scrub(part.repeat(2000));
  });

  test('shortens', () => {
    expect(scrub('la '.repeat(100_000))).toHaveLength(1001);
  });
});

describe('a receiver', () => {
  const report = () => reporter.report({ what: 'x', error: new Error('x'), facts: {} });

  test('that is away costs one warning a minute and nothing else', async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    for (let times = 0; times < 3; times++) {
      report();
      await reporter.close();
    }
    expect(warnings).toEqual([expect.stringContaining('do not arrive')]);
    await clock.advance(60_000);
    report();
    await reporter.close();
    expect(warnings).toHaveLength(2);
  });

  test('that has enough is left alone for as long as it says', async () => {
    answer = { status: 429, headers: { 'retry-after': '90' } };
    report();
    await reporter.close();
    answer = { status: 200, headers: {} };
    await clock.advance(89_000);
    report();
    await reporter.close();
    expect(received).toHaveLength(1);
    await clock.advance(1000);
    report();
    await reporter.close();
    expect(received).toHaveLength(2);
    expect(warnings).toEqual([]);
  });

  test('is not flooded: thirty reports a minute, five at a time', async () => {
    for (let times = 0; times < 100; times++) report();
    await reporter.close();
    expect(received).toHaveLength(5);
    for (let times = 0; times < 100; times++) {
      report();
      await reporter.close();
    }
    expect(received).toHaveLength(30);
    await clock.advance(60_000);
    report();
    await reporter.close();
    expect(received).toHaveLength(31);
  });
});
