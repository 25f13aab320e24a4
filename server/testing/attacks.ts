/**
 * Attacks on the real program, a process of its own: while one client misbehaves another creator goes on calling, and how long
 * they wait and how much memory the program takes is measured before and meanwhile, in the same run.
 *
 *     await using program = await startAttacked();
 *     expectUnharmed(await program.measure(async () => {
 *       const sockets = await openSilent(program.port, 100);
 *       return () => sockets.forEach((socket) => socket.destroy());
 *     }));
 */
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { createCreator } from '#contract/creators.ts';
import { API_BASE } from '#contract/endpoint.ts';
import { listInteractions } from '#contract/interactions.ts';
import { getMe, signUp, verifyEmail } from '#contract/session.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/testing/test-database.ts';
import { freePort, memoryOf, type Started, startScript } from '#server/testing/processes.ts';
import { tokenIn } from '#server/testing/test-app.ts';

/** Somebody with an account and a creator, at a network address of their own (as a proxy would tell it). */
export type Caller = { address: string; creatorId: string; cookie: string };

export type Answer = { status: number; headers: NodeJS.Dict<string | string[]>; text: string };

export type Asking = {
  method?: string;
  body?: string | object;
  headers?: Record<string, string>;
  /** Default: an address that nobody else has. */
  address?: string;
};

/** Of the other creator's calls and the program's memory. */
export type Impact = {
  quietP95Ms: number;
  attackedP95Ms: number;
  /** Their calls during the attack, and what came instead of 200. */
  calls: number;
  failures: string[];
  /** The most memory during the attack, beyond what there was before. */
  grewMb: number;
};

/** Begins an attack, resolves when all of it is under way, and says how to end it. */
export type Attack = () => Promise<() => unknown>;

export type AttackedProgram = AsyncDisposable & {
  process: Started;
  url: string;
  port: number;
  db: TestDatabase;
  signUpCreator(): Promise<Caller>;
  /** One request on a connection of its own; status 0 when there was no answer. */
  ask(path: string, asking?: Asking): Promise<Answer>;
  /** The signature that Meta would send with this body. */
  sign(body: string): string;
  measure(attack: Attack): Promise<Impact>;
};

const META_APP_SECRET = 'the secret of the app';
const PASSWORD = 'correct horse';
/** Their calls before the attack, and after all of it is under way; those while it begins come on top. */
const CALLS = 100;
/** Slower than a person's limit of calls. */
const BETWEEN_MS = 20;
const PATIENCE_MS = 10_000;
/** So many calls without an answer are enough to know. */
const FAILURES = 2;
const MEMORY_EVERY_MS = 20;

/** Limits of an attack's effect on others. */
const TIMES_SLOWER = 10;
/** Up to 96 MB of bodies may wait, and garbage of the rest on a busy machine; without limits 1,500 MB would come in. */
const GROWTH_MB = 256;
/** Below it a p95 is made of the machine's other work. */
const FLOOR_MS = 40;

/** @param settings environment variables, as in docs/configuration.md */
export async function startAttacked(settings: Record<string, string> = {}): Promise<AttackedProgram> {
  await using starting = new AsyncDisposableStack();
  const dir = await mkdtemp(path.join(tmpdir(), 'creator-hq-attacked-'));
  starting.defer(() => rm(dir, { recursive: true, force: true }));
  const db = await createTestDatabase();
  starting.defer(() => db.drop());
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = await startScript(
    'server/main.ts',
    [],
    {
      PORT: String(port),
      HOST: '127.0.0.1',
      BASE_URL: url,
      DATA_DIR: dir,
      DATABASE_URL: db.connectionString,
      SECRET_KEY: 'a secret key that is long enough for anybody',
      ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      META_APP_ID: '1',
      META_APP_SECRET,
      META_VERIFY_TOKEN: 'verify me',
      SIMULATORS: 'off',
      LOG_LEVEL: 'warn',
      // So that each caller has an address.
      TRUSTED_PROXIES: '1',
      ...settings,
    },
    (line) => line.includes(`is ready: ${url}`),
  );
  starting.defer(() => program.stop());

  let addresses = 0;
  const newAddress = () => {
    addresses += 1;
    return `203.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
  };

  const ask: AttackedProgram['ask'] = (target, { method = 'GET', body, headers, address = newAddress() } = {}) =>
    new Promise((resolve) => {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const sent = request(url + target, {
        method,
        agent: false,
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: {
          'x-forwarded-for': address,
          ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...headers,
        },
      });
      const failed = (error: Error) => resolve({ status: 0, headers: {}, text: error.message });
      sent.once('error', failed);
      sent.once('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', failed);
        response.once('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text: Buffer.concat(parts).toString(),
          }),
        );
      });
      sent.end(text);
    });

  let people = 0;
  async function signUpCreator(): Promise<Caller> {
    people += 1;
    const address = newAddress();
    const email = `attacked${people}@example.test`;
    const cookies = new Map<string, string>();
    const post = async (to: { path: string }, body: object) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await ask(API_BASE + to.path, { method: 'POST', body, address, headers: { cookie, origin: url } });
      if (answer.status >= 300) throw new Error(`${to.path} was answered ${answer.status}: ${answer.text}`);
      for (const set of answer.headers['set-cookie'] ?? []) {
        const [name = '', value = ''] = set.split(';')[0]!.split(/=(.*)/s);
        cookies.set(name, value);
      }
      return answer;
    };
    await post(signUp, { name: `Person ${people}`, email, password: PASSWORD });
    const mail = await db.engine
      .selectFrom('mails')
      .select('text')
      .where('recipient', '=', email)
      .executeTakeFirstOrThrow();
    await post(verifyEmail, { token: tokenIn(mail) });
    const made = JSON.parse((await post(createCreator, { handle: `attacked${people}` })).text) as { _id: string };
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { address, cookie, creatorId: made._id };
  }

  let quiet: Caller | null = null;

  async function measure(attack: Attack): Promise<Impact> {
    quiet ??= await signUpCreator();
    const { address, cookie, creatorId } = quiet;
    const failures: string[] = [];
    const asked = [getMe.path, listInteractions.path.replace(':creatorId', creatorId)].map((path) => API_BASE + path);
    const timed = async (call: number) => {
      await pause(BETWEEN_MS);
      const began = performance.now();
      const answer = await ask(asked[call % asked.length]!, { address, headers: { cookie } });
      if (answer.status !== 200) failures.push(`${answer.status} ${answer.text.slice(0, 200)}`);
      return performance.now() - began;
    };
    // The first calls compile and connect; later ones need not.
    for (let call = 0; call < CALLS / 2; call++) await timed(call);
    const before: number[] = [];
    for (let call = 0; call < CALLS; call++) before.push(await timed(call));
    if (failures.length > 0) throw new Error(`The quiet creator was not answered: ${failures[0]}`);

    const memoryBefore = memoryOf(program.pid);
    let most = memoryBefore;
    const looking = setInterval(() => {
      most = Math.max(most, memoryOf(program.pid));
    }, MEMORY_EVERY_MS);
    const meanwhile: number[] = [];
    // Parts broken by then stay broken.
    const goOn = () => failures.length < FAILURES;
    const beginning = attack();
    beginning.catch(() => {});
    const nobody = Symbol('still beginning');
    try {
      while (goOn() && (await Promise.race([beginning, pause(1, nobody)])) === nobody) {
        meanwhile.push(await timed(meanwhile.length));
      }
      for (let call = 0; call < CALLS && goOn(); call++) meanwhile.push(await timed(call));
    } finally {
      clearInterval(looking);
      await (await beginning)();
    }
    return {
      quietP95Ms: p95(before),
      attackedP95Ms: p95(meanwhile),
      calls: meanwhile.length,
      failures,
      grewMb: most - memoryBefore,
    };
  }

  const stopping = starting.move();
  return {
    process: program,
    url,
    port,
    db,
    signUpCreator,
    ask,
    sign: (body) => `sha256=${createHmac('sha256', META_APP_SECRET).update(body).digest('hex')}`,
    measure,
    [Symbol.asyncDispose]: () => stopping.disposeAsync(),
  };
}

/** Everybody else was answered, at most ten times slower than before, and the program did not swell. */
export function expectUnharmed(impact: Impact): void {
  expect(impact.failures).toEqual([]);
  const told = JSON.stringify(impact);
  expect(impact.attackedP95Ms, told).toBeLessThanOrEqual(TIMES_SLOWER * Math.max(impact.quietP95Ms, FLOOR_MS));
  expect(impact.grewMb, told).toBeLessThan(GROWTH_MB);
}

function p95(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!;
}
