import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BadClients } from '#e2e/chaos/processes/bad-client.ts';
import { commentIsAnswered, everythingIsBack, othersAreServed, readFigures } from '#e2e/chaos/processes/liveness.ts';
import { MetaSimulatorControl } from '#simulators/meta/control-client.ts';
import { startMetaSimulator } from '#simulators/meta/simulator.ts';

const MB = 1024 ** 2;
const healthy = {
  ready: 200,
  hangs: false,
  memory: (450 * MB) as number | null,
  used: 1,
  waiting: 0,
  table: 200,
  exportEnds: '"complete":true}\n',
  streams: 12,
  keepsSockets: false,
  transactions: [] as object[],
};
let how = healthy;
let streams = 0;

/** Stands in for the program: answers as `how` says. */
const program = createServer(async ({ url, headers }, response) => {
  const answer = (status: number, text = '{}') => void response.writeHead(status).end(text);
  if (how.hangs && url?.endsWith('/home')) return;
  if (url === '/metrics') {
    if (how.memory === null) return answer(401);
    const pool = `creator_hq_db_connections{pool="app",state=`;
    return answer(
      200,
      `process_resident_memory_bytes ${how.memory}\n${pool}"used"} ${how.used}\n${pool}"waiting"} ${how.waiting}\n`,
    );
  }
  if (headers.cookie === undefined) return answer(401);
  if (url === '/readyz') return answer(how.ready);
  if (url?.endsWith('.csv')) return answer(how.table);
  if (url?.endsWith('/export')) return answer(200, `{${how.exportEnds}`);
  if (!url?.endsWith('/live')) return answer(200);
  if (streams >= how.streams) return answer(429);
  streams++;
  response.once('close', () => streams--);
  response.writeHead(200).flushHeaders();
});
const kept: Socket[] = [];
const door = createTcpServer({ allowHalfOpen: true }, (socket) => {
  if (how.keepsSockets) kept.push(socket.resume().on('error', () => {}));
  else program.emit('connection', socket);
});

let url: string;
beforeAll(async () => {
  await once(door.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
});
afterAll(async () => {
  program.closeAllConnections();
  for (const socket of kept) socket.destroy();
  await new Promise((resolve) => door.close(resolve));
});

const caller = (creatorId: string) => ({ creatorId, cookie: 'session=1' });
async function complaints(broken: Partial<typeof healthy>): Promise<string[]> {
  const server = { name: 'program', url, metricsUrl: `${url}/metrics` };
  how = healthy;
  const before = new Map([['program', (await readFigures(server))!]]);
  how = { ...healthy, ...broken };
  const other = caller('other');
  const said = await Promise.all([
    othersAreServed([server], before, other, 0),
    everythingIsBack({
      ...{ servers: [server], before, other, withinMs: 0 },
      query: async <Row>() => how.transactions as Row[],
      large: [caller('greedy'), caller('second')],
    }),
  ]);
  return said.flat();
}

test('the liveness oracle has nothing to say where everybody is served and all is back', async () => {
  expect(await complaints({})).toEqual([]);
});

test.each<[string, Partial<typeof healthy>, RegExp]>([
  [
    'a call of somebody else that is never answered',
    { hangs: true },
    /another creator's call of .*home ended with no answer after 5/,
  ],
  ['a program that is not ready', { ready: 503 }, /readyz ended with 503/],
  ['memory that is not given back', { memory: 560 * MB }, /grown from 450 MB to 560 MB; 550 MB/],
  ['memory that a client fills', { memory: 610 * MB }, /grown from 450 MB to 610 MB; 600 MB/],
  ['a program that tells nothing of itself', { memory: null }, /does not tell its measures/],
  ['connections that never come back to their pool', { used: 10 }, /10 connections of the pool app are used, 1 before/],
  ['callers that wait for a connection', { waiting: 14 }, /14 callers wait for a database connection/],
  [
    'an open transaction',
    { transactions: [{ application: 'creator-hq app', seconds: 40, query: 'fetch 1000' }] },
    /open and idle.* 40 s: fetch 1000/,
  ],
  ['places for downloads that stay taken', { table: 429 }, /one of 2 tables at once is refused with 429/],
  ['an export that breaks off', { exportEnds: '' }, /an export breaks off/],
  ['places for live streams that stay taken', { streams: 5 }, /7 of 12 live streams are refused with 429/],
])('it sees %s', async (_what, broken, says) => {
  expect((await complaints(broken)).join('\n')).toMatch(says);
});

test.runIf(process.platform === 'linux')('it sees sockets that nobody lets go of', async () => {
  how = { ...healthy, keepsSockets: true };
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.end();
  const has = await complaints({});
  expect(has).toEqual([expect.stringContaining('program holds 1 sockets whose other side has gone')]);
});

test.runIf(process.platform === 'linux')('it sees a bad client that is not thrown out', async () => {
  how = { ...healthy, keepsSockets: true };
  const clients = new BadClients(caller('greedy'));
  await clients.play(url, { misdeed: 'says nothing', count: 3, thrownOutWithinMs: 0 }, 100);
  expect(await clients.untilThrownOut(0)).toEqual([expect.stringContaining('3 of 3 sockets')]);
});

test("it sees that another creator's comment got no message", async () => {
  await using cleanUp = new AsyncDisposableStack();
  const simulator = await startMetaSimulator();
  cleanUp.defer(() => simulator.close());
  const control = new MetaSimulatorControl(simulator.url);
  const creator = await control.seedCreator({ followers: 1, posts: 1 });
  expect(await commentIsAnswered(control, creator, 0)).toEqual([expect.stringContaining('got 0 messages')]);
});
