import Fastify from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeToken } from '#contract/api-tokens.ts';
import { listAutomations } from '#contract/automations.ts';
import { getMe } from '#contract/session.ts';
import { createCallLimits } from '#server/http/call-limits.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';
import { createTestClock } from '#server/testing/test-clock.ts';

/** The clock stands still: all calls of a test are of one second unless it says otherwise. */
const LIMITS = { API_CALLS_PER_SECOND: '12', API_CALLS_AT_ONCE: '4' };

let app: TestApp;
let anna: Person;
let bert: Person;
let creatorId: string;
beforeAll(async () => {
  app = await createTestApp({ settings: LIMITS });
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  bert = await app.signUpAndIn();
});
afterAll(() => app?.close());
beforeEach(() => app.clock.advance(1000));

async function makeTool() {
  const body = { name: 'Tool', scopes: ['read:automations' as const], days: null };
  const { token } = (await anna.call(makeToken, { params: { creatorId }, body })).body;
  const url = `/api/v1${listAutomations.path.replace(':creatorId', creatorId)}`;
  await app.clock.advance(1000);
  return () => app.visitor().send({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } });
}

async function statuses(times: number, call: () => Promise<{ status: number }>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < times; i++) all.push((await call()).status);
  return all;
}

test('a token makes half of its person’s calls in a second, and is told how many are left', async () => {
  const call = await makeTool();
  const first = await call();
  expect(first.headers['ratelimit-policy']).toBe(
    '"token";q=6;w=1, "token-at-once";q=2;qu="concurrent-requests", "person";q=12;w=1, "person-at-once";q=4;qu="concurrent-requests"',
  );
  expect(first.headers.ratelimit).toBe('"token";r=5;t=1, "token-at-once";r=1, "person";r=11;t=1, "person-at-once";r=3');
  expect(await statuses(5, call)).toEqual([200, 200, 200, 200, 200]);
  const refused = await call();
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(refused.body.detail).toContain('More than 6 calls in one second');
  expect(refused.headers).toMatchObject({
    'retry-after': '1',
    'content-type': 'application/problem+json',
    ratelimit: '"token";r=0;t=1, "token-at-once";r=2',
  });
  expect((await anna.call(getMe)).status).toBe(200);
  await app.clock.advance(1000);
  expect((await call()).status).toBe(200);
});

test('a person’s tokens and sessions count together', async () => {
  const [first, second] = [await makeTool(), await makeTool()];
  expect(await statuses(6, first)).not.toContain(429);
  expect(await statuses(6, second)).not.toContain(429);
  const refused = await anna.call(getMe);
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
});

test('calls at once are limited, and make room when they are answered', async () => {
  const call = await makeTool();
  const hold = Promise.withResolvers<void>();
  const held = await new Promise<ReturnType<typeof call>[]>((resolve) => {
    void app.db.engine.transaction().execute(async (trx) => {
      await sql`lock table automations in access exclusive mode`.execute(trx);
      resolve([call(), call()]);
      await hold.promise;
    });
  });
  const [refused, other] = [await call(), await bert.call(getMe)];
  hold.resolve();
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  expect(refused.body.detail).toContain('2 calls are already in progress');
  expect(other.status).toBe(200);
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await call()).status).toBe(200);
});

test('one person’s flood leaves another person’s calls answered, and asks the database for a handful', async () => {
  const call = await makeTool();
  const lookUps = countLookUps();
  const flood = Array.from({ length: 600 }, call);
  expect(await statuses(10, () => bert.call(getMe))).toEqual(Array(10).fill(200));
  const answers = (await Promise.all(flood)).map(({ status }) => status);
  expect(answers.filter((status) => status === 429).length).toBe(598);
  expect(lookUps.ofTokens).toBe(2);
});

/** How often the program asks whose a token is. */
function countLookUps() {
  const counted = { ofTokens: 0 };
  const { readToken } = app.deps.sessions;
  app.deps.sessions.readToken = (token) => {
    counted.ofTokens++;
    return readToken(token);
  };
  return counted;
}

test('made-up tokens do not fill the memory', async () => {
  const limits = createCallLimits({
    most: { perSecond: 5, atOnce: 5 },
    clock: createTestClock(new Date()),
    mostCallers: 20,
  });
  const small = Fastify();
  small.get('/', async (request, reply) => limits.countCredential(request, reply, { stream: false }));
  for (let i = 0; i < 100; i++) await small.inject({ url: '/', headers: { authorization: `Bearer ${i}` } });
  expect(limits.remembered).toBe(20);
});
