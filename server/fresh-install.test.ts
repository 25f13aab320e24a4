/**
 * A fresh install of an operator who set BASE_URL and nothing else, behind `proxy_pass http://127.0.0.1:PORT` alone: nginx
 * then calls from this machine, with Host 127.0.0.1 and without a word of whom it asks for.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { PortTaken, type Program, startProgram } from '#server/program.ts';
import { freePort } from '#server/testing/processes.ts';

const NGINX = ['nginx', '/usr/sbin/nginx'].find((program) => spawnSync(program, ['-v']).status === 0);

let folder: string;
let program: Program;
const said: string[] = [];
/** Of the program, and where its simulator would be. */
let ports: { program: number; simulator: number };

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'creator-hq-fresh-'));
  ports = { program: await freePort(), simulator: await freePort() };
  const settings = {
    BASE_URL: 'https://hq.example.com',
    // Of the test: several run at once on this machine.
    PORT: String(ports.program),
    SIMULATOR_PORT: String(ports.simulator),
    DATA_DIR: path.join(folder, 'data'),
  };
  program = await startProgram(readConfig(settings), {
    log: pino({ level: 'silent' }),
    say: (line) => said.push(line),
  });
}, 120_000);
afterAll(async () => {
  await program?.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

type Ask = (request: { method: string; path: string; body?: object }) => Promise<{ status: number; body: string }>;

async function expectClosed(ask: Ask): Promise<void> {
  // It answers at all.
  expect((await ask({ method: 'GET', path: '/healthz' })).status).toBe(200);
  expect((await ask({ method: 'GET', path: '/mailbox' })).status).toBe(404);
  expect((await ask({ method: 'POST', path: '/api/v1/auth/login/demo', body: {} })).status).toBe(404);
  const person = { name: 'Mallory', email: 'mallory@example.test', password: 'a long enough password' };
  const signingUp = await ask({ method: 'POST', path: '/api/v1/auth/signup', body: person });
  expect(signingUp.status).toBe(403);
  expect(JSON.parse((await ask({ method: 'GET', path: '/api/v1/env' })).body)).toMatchObject({
    simulated: false,
    phoneUrl: null,
    blogUrl: null,
    mailboxUrl: null,
    signUp: 'invited',
    logins: { instagram: false, facebook: false },
  });
  for (const dialog of ['/phone/', '/control/state', '/www.instagram.com/oauth/authorize']) {
    expect((await ask({ method: 'GET', path: dialog })).body, dialog).not.toContain('imulat');
  }
}

test('is closed to what a plain nginx passes on: mailbox, demo, sign-up, simulators', async () => {
  await expectClosed(asNginxAsks);
  await expect(open(ports.simulator)).rejects.toThrow('ECONNREFUSED');
});

test('keeps its data from other users of the machine', async () => {
  expect((await stat(path.join(folder, 'data'))).mode & 0o777).toBe(0o700);
});

test('says at the start and in its readiness what is missing', async () => {
  expect(said.join('\n')).toContain('No mail server is set up, so emails aren’t sent.');
  const { notes } = JSON.parse((await asNginxAsks({ method: 'GET', path: '/readyz' })).body) as { notes: string[] };
  expect(notes).toEqual([
    expect.stringMatching(/^SMTP_URL: No mail server is set/),
    expect.stringMatching(/^TRUSTED_PROXIES: BASE_URL is https/),
  ]);
});

describe.runIf(NGINX !== undefined)('behind Debian’s nginx', () => {
  let nginx: ChildProcess;
  let fronts: { program: number; simulator: number };
  beforeAll(async () => {
    fronts = { program: await freePort(), simulator: await freePort() };
    const server = (listen: number, to: number) =>
      `server { listen 127.0.0.1:${listen}; location / { proxy_pass http://127.0.0.1:${to}; } }`;
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const config = path.join(folder, 'nginx.conf');
    await writeFile(
      config,
      `daemon off; pid ${folder}/nginx.pid; events {} http { access_log off;
       ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
       ${server(fronts.program, ports.program)} ${server(fronts.simulator, ports.simulator)} }`,
    );
    nginx = spawn(NGINX!, ['-p', folder, '-e', 'stderr', '-c', config], { stdio: 'ignore' });
    while (
      await open(fronts.program).then(
        () => false,
        () => true,
      )
    )
      await pause(20);
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => nginx.once('exit', resolve));
    nginx.kill('SIGTERM');
    await ended;
  });

  const through =
    (port: number): Ask =>
    async ({ method, path: url, body }) => {
      const answer = await fetch(`http://127.0.0.1:${port}${url}`, {
        method,
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      return { status: answer.status, body: await answer.text() };
    };

  test('is closed: mailbox, demo, sign-up, simulators', async () => {
    await expectClosed(through(fronts.program));
    expect((await through(fronts.simulator)({ method: 'GET', path: '/phone/' })).status).toBe(502);
  });
});

/** HTTP/1.0 with a Host of its own, as nginx does by default. */
async function asNginxAsks({ method, path: url, body }: Parameters<Ask>[0]): ReturnType<Ask> {
  const socket = await open(ports.program);
  const content = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${method} ${url} HTTP/1.0`,
    `Host: 127.0.0.1:${ports.program}`,
    'Connection: close',
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`]),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${content}`);
  const answer = await text(socket);
  const [top = '', ...rest] = answer.split('\r\n\r\n');
  return { status: Number(top.split(' ')[1]), body: rest.join('\r\n\r\n') };
}

function open(port: number): Promise<ReturnType<typeof connect>> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject);
  });
}

test('a simulator’s port that another program has is one clear sentence, with the way out', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const settings = {
    PORT: String(await freePort()),
    SIMULATOR_PORT: String(port),
    SIMULATORS: 'on',
    DATA_DIR: path.join(folder, 'beside a taken port'),
  };
  const starting = startProgram(readConfig(settings), { log: pino({ level: 'silent' }), say: () => {} });
  await expect(starting).rejects.toThrow(
    new PortTaken(
      `Port ${port} is taken by another program. Stop that one, or choose another port: SIMULATOR_PORT=3101 npm start`,
    ),
  );
  taken.close();
}, 120_000);
