/**
 * `npm run image`: builds the image of deploy/Dockerfile without Docker and tries it. Debian's buildah builds it, on a base made
 * of debootstrap and this Node (registries of images cannot be reached everywhere). Web and worker then run in it as uid 1000
 * against a PostgreSQL of their own, somebody signs up and is made an admin, and both stop in order. Needs root on Debian.
 */
import { execFile, spawn } from 'node:child_process';
import { chown, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { signUp, verifyEmail } from '#contract/session.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/supervisor.ts';
import { freePort } from '#server/testing/processes.ts';
import { ensureProgram } from './debian-package.ts';

const root = path.dirname(import.meta.dirname);
const run = promisify(execFile);

const UID = 1000;
const PERSON = { name: 'Ada', email: 'ada@example.com', password: 'only for this trial' };
const READY_WITHIN_MS = 120_000;
/** A container is ended after this time: `stop_grace_period` of deploy/compose.yaml. */
const STOPPED_WITHIN_MS = 45_000;
/** A chroot is enough: it works where nobody may make namespaces. */
const OPTIONS = { cwd: root, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, BUILDAH_ISOLATION: 'chroot' } };

/** Programs the machine lacks; shown without a stack. */
class Missing extends Error {}

try {
  if (process.getuid?.() !== 0) throw new Missing('Building an image without Docker needs root: sudo npm run image');
  for (const name of ['buildah', 'debootstrap']) {
    if (!ensureProgram({ program: name, args: ['--version'], name })) {
      throw new Missing(`${name} is missing. Install it: apt-get install ${name}`);
    }
  }
  await buildAndTry();
} catch (error) {
  console.error(error instanceof Missing ? error.message : error);
  process.exitCode = 1;
}

async function buildAndTry(): Promise<void> {
  await using cleaning = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'creator-hq-image-'));
  cleaning.defer(() => rm(folder, { recursive: true, force: true }));

  const dockerfile = await readFile(path.join(root, 'deploy/Dockerfile'), 'utf8');
  const base = /^FROM (\S+)/m.exec(dockerfile)![1]!;
  await step(`Making the base ${base}`, () => makeBase(`docker.io/library/${base}`, folder));
  const certificates = ['--volume', '/etc/ssl/certs:/etc/ssl/certs:ro'];
  await step('Building the image', () =>
    buildah('build', '--pull-never', ...certificates, '--file', 'deploy/Dockerfile', '--tag', 'creator-hq', '.'),
  );
  const container = await buildah('from', '--pull-never', 'localhost/creator-hq');
  cleaning.defer(async () => void (await buildah('rm', container)));
  await step('Looking for tests in it', () => refuseTests(container));

  // Its socket is for its own user only: the user of the container.
  await chown(folder, UID, UID);
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {}, settings: { fsync: 'off' } });
  cleaning.defer(() => postgres.stop());
  const port = await freePort();
  const settings = {
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: postgres.connectionString,
    SECRET_KEY: 'of the trial of an image, and of nothing else',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    SIMULATORS: 'off',
  };
  const inside = (role: string, ...command: string[]) => [
    ...['run', '--user', String(UID), '--volume', `${folder}:${folder}`],
    ...Object.entries({ ...settings, ROLES: role }).flatMap((setting) => ['--env', setting.join('=')]),
    ...[container, '--', ...command],
  ];

  const roles = ['web', 'worker'].map((role) => {
    const pidFile = path.join(folder, role);
    return startRole(role, pidFile, inside(role, 'sh', '-c', `echo $$ > ${pidFile}; exec node server/main.ts`));
  });
  cleaning.defer(async () => void (await Promise.all(roles.map(({ kill }) => kill()))));
  await step('Waiting for /readyz', () => waitUntilReady(`${settings.BASE_URL}/readyz`));
  await step('Signing up and in', () => signUpAndIn(settings.BASE_URL, postgres.connectionString));
  await step('npm run admin -- grant', () =>
    buildah(...inside('web', 'npm', 'run', 'admin', '--', 'grant', PERSON.email)),
  );
  for (const { name, stop } of roles) await step(`Stopping ${name}`, stop);
}

/** The base of the image, as its name says: Debian, Node, npm and the user `node`. Kept by buildah for the next time. */
async function makeBase(name: string, folder: string): Promise<string> {
  const isThere = await buildah('inspect', '--type', 'image', name).catch(() => null);
  if (isThere !== null) return 'is there already';
  const system = path.join(folder, 'system');
  await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', system], OPTIONS);
  await copyFile(process.execPath, path.join(system, 'usr/local/bin/node'));
  await run('npm', ['install', '--global', '--prefix', path.join(system, 'usr/local'), 'npm@11'], OPTIONS);
  await run('chroot', [system, 'useradd', '--uid', String(UID), '--create-home', 'node'], OPTIONS);
  // npm asks the registry that it asks here, and trusts whom it trusts here.
  const registry = (await run('npm', ['config', 'get', 'registry'])).stdout.trim();
  await mkdir(path.join(system, 'usr/local/etc'), { recursive: true });
  const npmrc = `registry=${registry}\ncafile=/etc/ssl/certs/ca-certificates.crt\n`;
  await writeFile(path.join(system, 'usr/local/etc/npmrc'), npmrc);
  const container = await buildah('from', 'scratch');
  await buildah('copy', '--quiet', container, system, '/');
  await buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', container);
  await buildah('commit', '--quiet', '--rm', container, name);
  await rm(system, { recursive: true });
  return 'made';
}

async function refuseTests(container: string): Promise<string> {
  const files = await buildah(
    'run',
    container,
    '--',
    'find',
    '/app',
    '-path',
    '*/node_modules',
    '-prune',
    '-o',
    '-type',
    'f',
    '-print',
  );
  const names = files.split('\n');
  const tests = names.filter((name) => /\.test\.|\/testing\/|\/e2e\//.test(name));
  if (tests.length > 0) throw new Error(`The image carries tests: ${tests.slice(0, 5).join(', ')}`);
  return `${names.length} files, none of them a test`;
}

/** @param pidFile where its first process writes its id: a signal is for that one, buildah would kill it at once */
function startRole(name: string, pidFile: string, args: string[]) {
  const child = spawn('buildah', args, { ...OPTIONS, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const signal = async (name: NodeJS.Signals) => process.kill(Number(await readFile(pidFile, 'utf8')), name);
  return {
    name,
    async stop(): Promise<string> {
      await signal('SIGTERM');
      const code = await Promise.race([ended, wait(STOPPED_WITHIN_MS)]);
      if (code !== 0 || !said.includes('Nothing was lost')) throw new Error(`${name} ended with ${code}:\n${said}`);
      return 'in order';
    },
    async kill(): Promise<void> {
      if (!isOver()) await signal('SIGKILL');
      await ended;
    },
  };
}

async function waitUntilReady(address: string): Promise<string> {
  const until = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(address).catch(() => null);
    const said = await answer?.text();
    if (answer?.status === 200) return said!;
    if (Date.now() > until) throw new Error(`Not ready: ${said ?? 'no answer'}`);
    await wait(500);
  }
}

async function signUpAndIn(address: string, databaseUrl: string): Promise<string> {
  let cookies = '';
  const call = async (method: string, where: string, body?: unknown) => {
    const answer = await fetch(`${address}/api/v1${where}`, {
      method,
      headers: { 'content-type': 'application/json', origin: address, cookie: cookies },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${await answer.text()}`);
    const set = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
    if (set.length > 0) cookies = set.join('; ');
    return (await answer.json()) as { account?: { email: string } };
  };
  await call(signUp.method, signUp.path, PERSON);
  const database = new pg.Client(databaseUrl);
  await database.connect();
  const { rows } = await database.query<{ text: string }>('select text from mails where recipient = $1', [
    PERSON.email,
  ]);
  await database.end();
  await call(verifyEmail.method, verifyEmail.path, { token: /token=([\w-]+)/.exec(rows[0]!.text)![1] });
  const { account } = await call('GET', '/auth/me');
  if (account?.email !== PERSON.email) throw new Error('Signed in, and not known.');
  return `signed in as ${account.email}`;
}

async function buildah(...args: string[]): Promise<string> {
  const { stdout } = await run('buildah', args, OPTIONS);
  return stdout.trim();
}

async function step(name: string, work: () => Promise<string>): Promise<void> {
  const startedAt = performance.now();
  const said = (await work()).trim().split('\n').at(-1)!;
  console.log(`${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s): ${said}`);
}

function wait(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms).unref());
}
