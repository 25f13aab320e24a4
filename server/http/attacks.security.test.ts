/** The effect of one client on everybody else: the real program, attacked from outside with bounded loads. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeToken } from '#contract/api-tokens.ts';
import { API_BASE } from '#contract/endpoint.ts';
import { INTERACTIONS_CSV_PATH } from '#contract/figures.ts';
import { listInteractions } from '#contract/interactions.ts';
import { EXPORT_PATH } from '#contract/settings.ts';
import { systemIds } from '#server/clock.ts';
import { trackedUrl } from '#server/engine/deciding/tracked-url.ts';
import { type AttackedProgram, expectUnharmed, startAttacked } from '#server/testing/attacks.ts';
import { insertConnection } from '#server/testing/rows.ts';

let program: AttackedProgram;
beforeAll(async () => {
  program = await startAttacked();
}, 120_000);
afterAll(() => program?.[Symbol.asyncDispose]());

/** Connections that send these bytes, all at once, and read nothing. */
async function open(count: number, bytes: (index: number) => string, port = program.port): Promise<Socket[]> {
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.pause();
      await once(socket, 'connect');
      return socket;
    }),
  );
  for (const [index, socket] of sockets.entries()) socket.write(bytes(index));
  return sockets;
}

const close = (sockets: Socket[]) => () => {
  for (const socket of sockets) socket.destroy();
};

const PATIENCE_MS = 240_000;

test('two hundred connections that say nothing hold nobody up', { timeout: PATIENCE_MS }, async () => {
  expectUnharmed(await program.measure(async () => close(await open(200, () => ''))));
});

test('24 downloads that nobody reads leave everybody else their connections', { timeout: PATIENCE_MS }, async () => {
  const greedy = await program.signUpCreator();
  const connectionId = await insertConnection(program.db, greedy.creatorId);
  // More than what the kernel keeps on the way for a reader that does not read.
  await sql`
    insert into interactions (creator_id, id, connection_id, kind, platform_id, person_id, text, occurred_at, received_at,
      outcome, reason, outcome_at)
    select ${greedy.creatorId}, gen_random_uuid(), ${connectionId}, 'comment', n, n, repeat('x', 2000), now(), now(),
      'skipped', 'no_automation', now()
    from generate_series(1, 8000) as n
  `.execute(program.db.engine);
  const paths = [INTERACTIONS_CSV_PATH, EXPORT_PATH].map((path) => path(greedy.creatorId));
  const impact = await program.measure(async () => {
    const request = (index: number) =>
      `GET ${paths[index % paths.length]} HTTP/1.1\r\nHost: x\r\nCookie: ${greedy.cookie}\r\n\r\n`;
    return close(await open(24, request));
  });
  expectUnharmed(impact);
});

test('1,500 bodies that lack one byte take neither the memory nor the turn of others', {
  timeout: PATIENCE_MS,
}, async () => {
  const size = 1024 * 1024;
  const body = Buffer.alloc(size - 1, ' ');
  const head = (index: number) =>
    `POST /webhooks/meta HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.${index >> 8}.${index & 255}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`;
  const impact = await program.measure(async () => {
    const sockets = await open(1500, head);
    for (const socket of sockets) socket.write(body);
    return close(sockets);
  });
  expectUnharmed(impact);
});

test('one person’s flood of calls, with a token and with the browser’s session, keeps nobody else waiting', {
  timeout: PATIENCE_MS,
}, async () => {
  const { creatorId, cookie, address } = await program.signUpCreator();
  const pathOf = (endpoint: { path: string }) => API_BASE + endpoint.path.replace(':creatorId', creatorId);
  const made = await program.ask(pathOf(makeToken), {
    method: 'POST',
    body: { name: 'Greedy', scopes: ['read:interactions'], days: null },
    address,
    headers: { cookie, origin: program.url },
  });
  const { token } = JSON.parse(made.text) as { token: string };
  const statuses = new Set<number>();
  let going = true;
  const flood = async (headers: Record<string, string>) => {
    while (going) {
      statuses.add((await program.ask(pathOf(listInteractions), { headers })).status);
      // Several times what a person may; more would take the processors from the program that they are measured on.
      await pause(100);
    }
  };
  const impact = await program.measure(async () => {
    const callers: Record<string, string>[] = [{ authorization: `Bearer ${token}` }, { cookie }];
    const flooding = Array.from({ length: 40 }, (_, i) => flood(callers[i % callers.length]!));
    return async () => {
      going = false;
      await Promise.all(flooding);
    };
  });
  expectUnharmed(impact);
  expect([...statuses].sort()).toEqual([200, 429]);
});

test('a connection that says nothing, or half of something, does not keep the program from ending', {
  timeout: PATIENCE_MS,
}, async () => {
  await using one = await startAttacked();
  const half =
    'POST /webhooks/meta HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.7\r\nContent-Length: 100\r\n\r\n{';
  const sent = ['', 'GET /healthz HTTP/1.1\r\n', half, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'];
  await open(sent.length, (index) => sent[index]!, one.port);
  expect((await one.ask('/healthz')).status).toBe(200);
  await one.process.stop();
  expect(one.process.errors()).toBe('');
});

test('fifteen hundred taps of one link, most with messages that are made up, are a handful of rows', {
  timeout: PATIENCE_MS,
}, async () => {
  const { creatorId } = await program.signUpCreator();
  const connection_id = await insertConnection(program.db, creatorId);
  const now = new Date();
  const automation = { creator_id: creatorId, id: systemIds.uuid(now), connection_id, name: 'Pasta', words: ['pasta'] };
  await program.db.engine
    .insertInto('automations')
    .values({ ...automation, mode: 'whole_word', message_text: 'Here', created_at: now, updated_at: now })
    .execute();
  const link = { creator_id: creatorId, id: systemIds.uuid(now), code: 'attacked', automation_id: automation.id };
  await program.db.engine
    .insertInto('links')
    .values({ ...link, url: 'https://example.test/', created_at: now })
    .execute();
  const stranger = { address: '198.51.100.7', headers: { 'user-agent': 'Mozilla/5.0 (iPhone)' } };
  const statuses = new Map<number, number>();
  const tap = async (path: string) => {
    const { status } = await program.ask(path, stranger);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  const flood = async (count: number, path: (i: number) => string) => {
    let next = 0;
    const one = async () => {
      while (next < count) await tap(path(next++));
    };
    await Promise.all(Array.from({ length: 30 }, one));
  };
  expectUnharmed(
    await program.measure(async () => {
      await flood(1500, () => trackedUrl('', link.code, systemIds.uuid(now)));
      await flood(300, (i) => `/l/guess${i}`);
      return () => {};
    }),
  );
  expect(statuses.get(302)).toBe(1500);
  expect(statuses.get(404)).toBeLessThanOrEqual(120);
  expect(statuses.get(429)).toBeGreaterThanOrEqual(180);
  await expect
    .poll(async () => {
      const rows = await program.db.engine.selectFrom('clicks').select('times').execute();
      return rows.reduce((sum, { times }) => sum + times, 0);
    })
    .toBe(1500);
  const rows = await program.db.engine.selectFrom('clicks').selectAll().execute();
  // One a minute.
  expect(rows.length).toBeLessThanOrEqual(5);
});
