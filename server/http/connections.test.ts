import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { stopInTime } from '#server/stop-in-time.ts';
import { createTestClock, type TestClock } from '#server/testing/test-clock.ts';
import { endConnectionsOnClose, httpOptions } from './connections.ts';
import { HTTP_LIMITS } from './limits.ts';

const SLOW = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n';

async function listening(clock: TestClock, limits = HTTP_LIMITS) {
  const app = Fastify(httpOptions(limits));
  endConnectionsOnClose(app, { clock });
  const asked = Promise.withResolvers<void>();
  app.get('/slow', async () => {
    await asked.promise;
    return 'done';
  });
  app.get('/long', (_request, reply) => void reply.send(Buffer.alloc(32 * 1024 * 1024)));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, server: app.server, answer: asked.resolve, close: () => app.close() };
}

async function open({ server }: { server: Server }, bytes: string): Promise<Socket & { ended: Promise<unknown> }> {
  const socket = connect((server.address() as { port: number }).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  const ended = once(socket, 'close');
  const seen = once(server, bytes === '' ? 'connection' : 'request');
  socket.write(bytes);
  await seen;
  return Object.assign(socket, { ended });
}

test('when the application closes, whoever has not asked is cut off and whoever has gets the answer', async () => {
  const app = await listening(createTestClock());
  const silent = await open(app, '');
  const half = await open(app, 'POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
  const asking = await open(app, SLOW);
  const answer = once(asking.resume(), 'data');
  const closed = app.close();
  await Promise.all([silent.resume().ended, half.resume().ended]);
  app.answer();
  expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 200 OK.*done$/s);
  // The connection would have been kept for the next request.
  await asking.ended;
  await closed;
});

test('an answer that does not come is waited for ten seconds', async () => {
  const clock = createTestClock();
  const app = await listening(clock);
  const asking = await open(app, SLOW);
  const closed = app.close();
  await expect.poll(() => clock.sleeping()).toBe(1);
  await clock.advance(9_999);
  expect(asking.resume().closed).toBe(false);
  await clock.advance(1);
  await asking.ended;
  await closed;
});

test('a reader who takes nothing of an answer is cut off', async () => {
  const app = await listening(createTestClock(), { ...HTTP_LIMITS, silentMs: 100 });
  const cutOff = new Promise((resolve) => app.server.once('connection', (socket) => socket.once('close', resolve)));
  const greedy = await open(app, 'GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
  await cutOff;
  greedy.destroy();
  await app.close();
  expect(HTTP_LIMITS.silentMs).toBeGreaterThan(HTTP_LIMITS.keepAliveMs);
});

test('there are no more connections than the limit', async () => {
  const app = await listening(createTestClock(), { ...HTTP_LIMITS, connections: 1 });
  const first = await open(app, '');
  const dropped = once(app.server, 'drop');
  const { port } = app.server.address() as { port: number };
  const second = connect(port, '127.0.0.1').resume();
  second.on('error', () => {});
  await Promise.all([dropped, once(second, 'close')]);
  expect(first.closed).toBe(false);
  await app.close();
});

test('what does not end is not waited for longer than 25 seconds', async () => {
  const clock = createTestClock();
  const never = stopInTime(() => new Promise(() => {}), clock);
  await clock.advance(25_000);
  expect(await never).toBe(false);
  expect(await stopInTime(async () => {}, clock)).toBe(true);
  expect(clock.sleeping()).toBe(0);
  const failure = new Error('could not stop');
  await expect(stopInTime(() => Promise.reject(failure), clock)).rejects.toBe(failure);
});
