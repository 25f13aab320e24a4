import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONTACTS_CSV_PATH, FIGURES_CSV_PATH, INTERACTIONS_CSV_PATH } from '#contract/figures.ts';
import { EXPORT_PATH } from '#contract/settings.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { createTestClock } from '#server/testing/test-clock.ts';
import { watched } from './downloads.ts';

let app: TestApp;
let port: number;
let anna: Person;
let creatorId: string;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.app.server.address() as { port: number }).port;
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  const connectionId = await insertConnection(app.db, creatorId);
  // More than what the kernel keeps on the way for a reader that does not read.
  await sql`
    insert into interactions (creator_id, id, connection_id, kind, platform_id, person_id, text, occurred_at, received_at,
      outcome, reason, outcome_at)
    select ${creatorId}, gen_random_uuid(), ${connectionId}, 'comment', n, n, repeat('x', 2000), now(), now(),
      'skipped', 'no_automation', now()
    from generate_series(1, 8000) as n
  `.execute(app.db.engine);
  await sql`
    insert into people (creator_id, connection_id, id, first_seen_at, last_seen_at)
    select ${creatorId}, ${connectionId}, n, now(), now() from generate_series(1, 8000) as n
  `.execute(app.db.engine);
});
afterAll(() => app?.close());

const ways = [EXPORT_PATH, INTERACTIONS_CSV_PATH, CONTACTS_CSV_PATH].map((path) => (id: string) => path(id));

/** Asks and does not read. */
async function ask(path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  await once(socket, 'connect');
  const cookie = [...anna.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`);
  return socket;
}

const download = (path: string, who = anna) => who.send({ method: 'GET', url: path });
const held = () => app.db.downloadPool.totalCount - app.db.downloadPool.idleCount;

test('of downloads asked for at the same moment one begins, and it has a connection of its own', async () => {
  const sockets = await Promise.all(Array.from({ length: 24 }, (_, index) => ask(ways[index % 2]!(creatorId))));
  await expect.poll(held).toBe(1);
  // 23 are refused; the reader of the last one is not there for it.
  expect(await download(INTERACTIONS_CSV_PATH(creatorId))).toMatchObject({
    status: 429,
    body: { code: 'too_many_requests', detail: expect.stringContaining('A download of this account is in progress.') },
    headers: { 'retry-after': '60' },
  });
  expect(app.db.appPool.totalCount - app.db.appPool.idleCount).toBe(0);
  // Work that holds no connection continues, and so does everybody else.
  expect((await download(FIGURES_CSV_PATH(creatorId))).status).toBe(200);
  const bert = await app.signUpAndIn();
  const other = (await bert.createCreator()).id;
  for (const way of ways) expect((await download(way(other), bert)).status).toBe(200);

  for (const socket of sockets) socket.destroy();
  await expect.poll(held).toBe(0);
  for (const way of ways) expect((await download(way(creatorId))).status).toBe(200);
});

test('a reader who takes nothing for 30 seconds is cut off, and the connection is free again', async () => {
  const socket = await ask(INTERACTIONS_CSV_PATH(creatorId));
  await expect.poll(held).toBe(1);
  const closed = once(socket, 'close');
  // It reads ahead what the kernel takes; from then on it waits.
  const later = async () => {
    await app.clock.advance(30_000);
    return held();
  };
  await expect.poll(later).toBe(0);
  socket.resume();
  await closed;
  expect((await download(INTERACTIONS_CSV_PATH(creatorId))).status).toBe(200);
});

test('one who takes something in time may go on, for an hour', async () => {
  const clock = createTestClock();
  let gaveUp = 0;
  const parts = (async function* () {
    for (;;) yield 'ü'.repeat(20_000);
  })();
  const reading = watched(parts, { clock, giveUp: () => void gaveUp++ });
  const sizes = new Set<number>();
  for (let minutes = 0; minutes < 59; minutes += 0.25) {
    sizes.add((await reading.next()).value!.length);
    await clock.advance(15_000);
  }
  expect([...sizes]).toEqual([16 * 1024, 40_000 - 2 * 16 * 1024]);
  expect(gaveUp).toBe(0);
  await reading.next();
  await clock.advance(29_999);
  expect(gaveUp).toBe(0);
  await clock.advance(1);
  expect(gaveUp).toBe(1);
  await reading.next();
  await clock.advance(29_999);
  await reading.next();
  await clock.advance(1000);
  expect(gaveUp).toBe(2);
  await reading.return(undefined);
  expect(clock.sleeping()).toBe(0);
});
