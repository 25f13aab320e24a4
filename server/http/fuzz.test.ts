/**
 * Malformed requests over every endpoint and address, from everybody who can call. `FUZZ_REQUESTS=100000 FUZZ_SEED=1 npx vitest
 * run server/http/fuzz.test.ts` for the long one: a failure prints the request, cut down to the smallest that fails.
 */
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeToken, Scope } from '#contract/api-tokens.ts';
import { furnishCreator, registerBlog } from '#server/testing/endpoint-walk.ts';
import { type Known, type SpoiltRequest, spoiltBytes, spoiltRequest } from '#server/testing/spoilt-requests.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 800);
const SEED = Number(process.env.FUZZ_SEED ?? 20261121);
/** The world is furnished again after so many: things deleted, left and switched off meanwhile are there again. */
const ROUND = 1000;

const CALLERS = [
  'owner',
  'collaborator',
  'stranger',
  'admin inside',
  'admin outside',
  'token',
  'plugin',
  'nobody',
] as const;
type Caller = (typeof CALLERS)[number];

/** Stands in everything of the foreign creator that has words in it; none of the callers may ever read it. */
const PLANTED = 'planted-by-the-victim';

let app: TestApp;
let victim: Person;
let people: Record<Exclude<Caller, 'token' | 'plugin' | 'nobody'>, Person>;
let cookies: Record<string, string>;
let sessions: Awaited<ReturnType<typeof readSessions>>;
let port: number;

beforeAll(async () => {
  app = await createTestApp();
  victim = await app.signUpAndIn({ name: 'Victim' });
  people = {
    owner: await app.signUpAndIn(),
    collaborator: await app.signUpAndIn(),
    stranger: await app.signUpAndIn(),
    'admin inside': await app.signUpAndIn(),
    'admin outside': await app.signUpAndIn(),
  };
  await people.stranger.createCreator();
  cookies = Object.fromEntries(
    Object.entries(people).map(([who, { cookies }]) => [who, [...cookies].map((pair) => pair.join('=')).join('; ')]),
  );
  sessions = await readSessions();
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.app.server.address() as { port: number }).port;
}, 60_000);
afterAll(() => app?.close());

/** Words that would show an attacker the inside. */
const INSIDE =
  /node_modules|\bat .+\.ts:\d+|\/server\/|relation "|syntax error at|violates|pg_|ECONN|undefined is not|is not a function|Cannot read prop/;

/** A request may be right, and what it asks of others does not come: there is no network here. */
const OTHERS_FAIL = /"code":"(?:platform|stripe|tool)_(?:refused|unreachable)"/;

test('no malformed request breaks an endpoint, shows the inside or what is another creator’s', {
  timeout: 3_600_000,
}, async () => {
  const slowest: { ms: number; what: string }[] = [];
  for (let done = 0; done < REQUESTS; done += ROUND) {
    if (done > 0) console.log(`${done} done; the slowest took ${slowest[0]!.ms.toFixed(0)} ms: ${slowest[0]!.what}`);
    const { known, token, key } = await furnish();
    await fc.assert(
      fc.asyncProperty(spoiltRequest(known), fc.constantFrom(...CALLERS), async (request, caller) => {
        const startedAt = performance.now();
        const answer = await send(request, caller, caller === 'plugin' ? key : token);
        remember(slowest, performance.now() - startedAt, `${caller}: ${request.method} ${request.url.slice(0, 150)}`);
        expectHarmless(`${caller}: ${request.method} ${request.url}`, answer);
        // The admin area shows accounts of everybody, by name.
        if (!(caller.startsWith('admin') && request.url.startsWith('/api/v1/admin/'))) {
          expect(answer.text, request.url).not.toContain(PLANTED);
        }
        if (request.method !== 'GET' || request.name === 'logout') await restore();
      }),
      { numRuns: Math.min(ROUND, REQUESTS - done), seed: SEED + done, endOnFailure: false },
    );
  }
  const { rows: admins } = await app.db.enginePool.query<{ id: string }>('select id from users where is_admin');
  expect(new Set(admins.map(({ id }) => id))).toEqual(new Set([people['admin inside'].id, people['admin outside'].id]));
  expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
  if (process.env.FUZZ_REQUESTS !== undefined) {
    console.log(`${REQUESTS} requests; the slowest:`);
    for (const { ms, what } of slowest) console.log(`  ${ms.toFixed(0)} ms  ${what}`);
  }
});

test('no bytes on a socket break the server or are taken for a second request', { timeout: 3_600_000 }, async () => {
  const { known } = await furnish();
  await fc.assert(
    fc.asyncProperty(spoiltBytes(known), async (bytes) => {
      const text = await exchange(bytes);
      for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) expect(Number(status)).toBeLessThan(500);
      expect(text).not.toMatch(INSIDE);
      expect(text).not.toContain(PLANTED);
    }),
    { numRuns: Math.ceil(REQUESTS / 10), seed: SEED, endOnFailure: false },
  );
  expect((await app.app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
});

/** A fresh creator of the owner's and one of the victim's, each with a row of everything, and nobody locked out. */
async function furnish(): Promise<{ known: Known; token: string; key: string }> {
  await restore();
  const foreign = await furnishCreator(app, victim, people.stranger);
  const own = await furnishCreator(app, people.owner, people.collaborator);
  await plant(foreign.creatorId);
  // He only helped to fill the invitations of the other creator.
  await app.db.engine
    .deleteFrom('memberships')
    .where('creator_id', '=', foreign.creatorId)
    .where('user_id', '=', people.stranger.id)
    .execute();
  await app.db.engine
    .updateTable('users')
    .set({ is_admin: true })
    .where('id', 'in', [people['admin inside'].id, people['admin outside'].id])
    .execute();
  await beginVisit(own.creatorId);
  const made = await people.owner.call(makeToken, {
    params: { creatorId: own.creatorId },
    body: { name: 'Fuzz', scopes: Scope.options, days: null },
  });
  const { key } = await registerBlog(app, people.owner, own.creatorId);
  return { known: { own, foreign }, token: made.body.token, key };
}

/** Words of the victim's, wherever a table has some. */
async function plant(creatorId: string): Promise<void> {
  const db = app.db.engine;
  await db
    .updateTable('interactions')
    .set({ text: PLANTED, username: PLANTED })
    .where('creator_id', '=', creatorId)
    .execute();
  await db.updateTable('connections').set({ username: PLANTED }).where('creator_id', '=', creatorId).execute();
  await db.updateTable('automations').set({ name: PLANTED }).where('creator_id', '=', creatorId).execute();
  await db.updateTable('posts').set({ caption: PLANTED }).where('creator_id', '=', creatorId).execute();
  await db
    .updateTable('outgoing_endpoints')
    .set({ url: `https://${PLANTED}.example.test/` })
    .where('creator_id', '=', creatorId)
    .execute();
  await db.updateTable('api_tokens').set({ name: PLANTED }).where('creator_id', '=', creatorId).execute();
}

async function beginVisit(creatorId: string): Promise<void> {
  const now = app.clock.now();
  const id = app.deps.ids.uuid(now);
  const admin_id = people['admin inside'].id;
  const until = new Date(now.getTime() + 3_600_000);
  await app.db.engine
    .insertInto('admin_visits')
    .values({ creator_id: creatorId, id, admin_id, admin_name: 'Inside', reason: 'Fuzz', started_at: now, until })
    .execute();
  for (const session of sessions) if (session.user_id === admin_id) session.admin_visit_id = id;
  await restore();
}

/** Requests log out, sign in as others, use up tries and give rights away: everybody is back for the next one. */
async function restore(): Promise<void> {
  await app.db.engine
    .insertInto('sessions')
    .values(sessions)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        expires_at: (eb) => eb.ref('excluded.expires_at'),
        current_creator_id: (eb) => eb.ref('excluded.current_creator_id'),
        admin_visit_id: (eb) => eb.ref('excluded.admin_visit_id'),
      }),
    )
    .execute();
  await app.db.engine.deleteFrom('tries').execute();
}

function readSessions() {
  return app.db.engine.selectFrom('sessions').selectAll().execute();
}

async function send(request: SpoiltRequest, caller: Caller, token: string) {
  const { method, url, body, headers } = request;
  const identity: Record<string, string> =
    caller === 'token' || caller === 'plugin'
      ? { authorization: `Bearer ${token}` }
      : { cookie: cookies[caller] ?? '' };
  const response = await app.app.inject({
    method: method as 'GET',
    url,
    remoteAddress: '10.20.30.40',
    headers: { ...headers, ...identity },
    ...(body !== undefined && { payload: body }),
  });
  return { status: response.statusCode, headers: response.headers, text: response.body };
}

function expectHarmless(what: string, answer: Awaited<ReturnType<typeof send>>): void {
  if (!OTHERS_FAIL.test(answer.text)) expect(answer.status, what).toBeLessThan(500);
  if (answer.status < 400 || answer.text === '') return;
  expect(answer.text, what).not.toMatch(INSIDE);
  expect(String(answer.headers['content-type']), what).toMatch(/json|^text\/html/);
}

/** Writes, ends the own side, and reads until the server has closed. */
function exchange(bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => {
      text += part;
    });
    // A server that refuses may reset what is still being written.
    socket.on('error', () => {});
    socket.once('close', () => resolve(text));
  });
}

function remember(slowest: { ms: number; what: string }[], ms: number, what: string): void {
  slowest.push({ ms, what });
  slowest.sort((a, b) => b.ms - a.ms);
  slowest.length = Math.min(slowest.length, 10);
}
