/**
 * Malformed requests over every endpoint. FUZZ_REQUESTS=100000 FUZZ_SEED=1 for the long one: a failure prints the
 * request, cut down to the smallest that fails.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spoiltRequest } from '#server/testing/fuzzing.ts';
import { createTestApp, type Person, type TestApp, type Visitor } from '#server/testing/test-app.ts';
import { furnishCreator, type Params } from '#server/testing/walking.ts';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 800);
const SEED = Number(process.env.FUZZ_SEED ?? 20261121);

let app: TestApp;
let owner: Person;
let stranger: Visitor;
let own: Params;
let cookies: [string, string][];

beforeAll(async () => {
  app = await createTestApp();
  owner = await app.signUpAndIn();
  stranger = app.visitor();
  cookies = [...owner.cookies];
  own = await furnishCreator(app, owner, await app.signUpAndIn());
});
afterAll(() => app.close());

/** What would tell an attacker how it looks inside. */
const INSIDE =
  /node_modules|\bat .+\.ts:\d+|\/server\/|relation "|syntax error at|violates|pg_|ECONN|undefined is not|is not a function/;

test('no malformed request breaks an endpoint or shows the inside', { timeout: 3_600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(spoiltRequest(own), fc.boolean(), async (request, signedIn) => {
      // A request that logs in as somebody else must not take the fuzzer along.
      for (const [name, value] of cookies) owner.cookies.set(name, value);
      const answer = await (signedIn ? owner : stranger).send(request);
      expect(answer.status, `${request.method} ${request.url}`).toBeLessThan(500);
      if (answer.status >= 400) {
        // OFREP has a form of its own for errors.
        expect(answer.body).toHaveProperty(answer.body?.errorCode === undefined ? 'code' : 'errorDetails');
        expect(answer.text).not.toMatch(INSIDE);
      }
    }),
    { numRuns: REQUESTS, seed: SEED, endOnFailure: false },
  );
  const { rows: admins } = await app.db.enginePool.query('select from users where is_admin');
  expect(admins).toEqual([]);
});
