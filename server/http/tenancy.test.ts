/**
 * The tenancy walk: nobody reaches another creator's data, through no endpoint. It is made from the contract, so a new
 * endpoint is walked without anybody remembering; one whose input cannot be made from its schema asks for an example.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS, HELD } from '#server/features/registered.ts';
import {
  bodyFor,
  EXAMPLES,
  everythingOf,
  furnishCreator,
  type Params,
  registerBlog,
  rowParamsOf,
  urlFor,
} from '#server/testing/endpoint-walk.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let mallory: Person;
let mallorysCreator: string;
let mallorysConnection: string;
/** Somebody else's creator, with a row of everything. */
let victim: Params;
let anna: Person;

beforeAll(async () => {
  app = await createTestApp();
  mallory = await app.signUpAndIn({ name: 'Mallory' });
  mallorysCreator = (await mallory.createCreator('mallory')).id;
  mallorysConnection = await insertConnection(app.db, mallorysCreator);
  anna = await app.signUpAndIn({ name: 'Anna' });
  victim = await furnishCreator(app, anna, await app.signUpAndIn());
});
afterAll(() => app.close());

const MARK = 'named-in-the-body';
const ofCreators = ENDPOINTS.filter(({ endpoint }) => endpoint.access === 'creator');
const nested = ofCreators.filter(({ endpoint }) => rowParamsOf(endpoint).length > 1);
const protectedOnes = ENDPOINTS.filter(({ endpoint }) => endpoint.access !== 'public');

describe('nobody signed in', () => {
  test.each(protectedOnes)('$name asks to log in', async ({ name, endpoint }) => {
    const request = {
      method: endpoint.method,
      url: urlFor(endpoint, victim),
      body: bodyFor(name, endpoint, { connectionId: victim.connectionId }),
    };
    expect(await app.visitor().send(request)).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
  });
});

describe('a plugin', () => {
  const ofPlugins = ENDPOINTS.filter(({ endpoint }) => endpoint.access === 'plugin');
  let key: string;
  let ended: string;
  beforeAll(async () => {
    ({ key: ended } = await registerBlog(app, mallory, mallorysCreator));
    ({ key } = await registerBlog(app, mallory, mallorysCreator));
  });
  const call = (key: string | null, { name, endpoint }: (typeof ENDPOINTS)[number]) =>
    app.visitor().send({
      method: endpoint.method,
      url: urlFor(endpoint, {}),
      body: bodyFor(name, endpoint, { connectionId: victim.connectionId }),
      ...(key !== null && { headers: { authorization: `Bearer ${key}` } }),
    });

  test.each(ofPlugins)('$name changes and shows nothing of another creator with a foreign key', async (one) => {
    const before = await everythingOf(app, victim.creatorId);
    const answer = await call(key, one);
    expect(answer.status).toBe(200);
    for (const id of Object.values(victim)) expect(answer.text).not.toContain(id);
    expect(await everythingOf(app, victim.creatorId)).toEqual(before);
  });

  test.each(ofPlugins)('$name is refused with an ended key, a made-up one and none', async (one) => {
    for (const key of [ended, `chq_${'x'.repeat(40)}`, null]) {
      const before = await everythingOf(app, mallorysCreator);
      expect(await call(key, one)).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
      expect(await everythingOf(app, mallorysCreator)).toEqual(before);
    }
  });
});

describe('an API key', () => {
  let key: string;
  beforeAll(async () => {
    ({ key } = await registerBlog(app, mallory, mallorysCreator));
  });

  test.each(ofCreators)('$name opens to no API key, not even of the same creator', async ({ name, endpoint }) => {
    const answer = await app.visitor().send({
      method: endpoint.method,
      url: urlFor(endpoint, { ...victim, creatorId: mallorysCreator }),
      body: bodyFor(name, endpoint, { connectionId: mallorysConnection }),
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
  });
});

describe('the owner', () => {
  // Without this the walk would also pass over addresses that are wrong.
  test.each(ofCreators.filter(({ endpoint }) => endpoint.method === 'GET' && !endpoint.stream))(
    '$name answers',
    async ({ endpoint }) => {
      const answer = await anna.send({ method: 'GET', url: urlFor(endpoint, victim) });
      expect([401, 403, 404, 500]).not.toContain(answer.status);
    },
  );
});

describe('a member of another creator', () => {
  test.each(ofCreators)('$name does not exist under the foreign creator', async ({ name, endpoint }) => {
    const before = await everythingOf(app, victim.creatorId);
    const answer = await mallory.send({
      method: endpoint.method,
      url: urlFor(endpoint, victim),
      body: bodyFor(name, endpoint, { connectionId: victim.connectionId }),
    });
    expect([403, 404]).toContain(answer.status);
    expect(await everythingOf(app, victim.creatorId)).toEqual(before);
  });

  test.each(nested)('$name finds no foreign row under the own creator', async ({ name, endpoint }) => {
    const before = await everythingOf(app, victim.creatorId);
    const answer = await mallory.send({
      method: endpoint.method,
      url: urlFor(endpoint, { ...victim, creatorId: mallorysCreator }),
      body: bodyFor(name, endpoint, { connectionId: mallorysConnection }),
    });
    expect([403, 404]).toContain(answer.status);
    expect(await everythingOf(app, victim.creatorId)).toEqual(before);
  });

  const naming = ({ name }: { name: string }) =>
    JSON.stringify(EXAMPLES[name]?.({ connectionId: MARK }) ?? '').includes(MARK);
  test.each(ofCreators.filter(naming))('$name takes no foreign row in its body', async ({ name, endpoint }) => {
    const before = await everythingOf(app, victim.creatorId);
    const own = await mallory.send({
      method: 'POST',
      url: `/api/v1/creators/${mallorysCreator}/automations`,
      body: automationInput(mallorysConnection),
    });
    const answer = await mallory.send({
      method: endpoint.method,
      url: urlFor(endpoint, { ...victim, creatorId: mallorysCreator, automationId: own.body.id }),
      body: bodyFor(name, endpoint, { connectionId: victim.connectionId }),
    });
    expect([403, 404]).toContain(answer.status);
    expect(await everythingOf(app, victim.creatorId)).toEqual(before);
  });

  test.each(ofCreators.filter(({ endpoint }) => endpoint.method === 'GET' && !endpoint.stream))(
    '$name shows nothing foreign in the own creator',
    async ({ endpoint }) => {
      if (rowParamsOf(endpoint).length > 1) return;
      const filters = Object.keys((endpoint.query as { shape?: object } | undefined)?.shape ?? {})
        .filter((key) => key in victim)
        .map((key) => `${key}=${victim[key]}`);
      for (const query of ['', ...filters]) {
        const answer = await mallory.send({
          method: 'GET',
          url: `${urlFor(endpoint, { creatorId: mallorysCreator })}?${query}`,
        });
        for (const id of Object.values(victim)) expect(answer.text).not.toContain(id);
      }
    },
  );
});

describe('the database itself', () => {
  test('has row-level security, forced, on every table with a creator', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p')
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'creator_id' and not a.attisdropped)
        and not (c.relrowsecurity and c.relforcerowsecurity)
        and c.relname <> all(${WITHOUT_ROW_SECURITY})
    `.execute(app.db.engine);
    expect(rows).toEqual([]);
  });

  test('shows requests outside of a creator no row of any', async () => {
    for (const table of Object.keys(await everythingOf(app, victim.creatorId))) {
      if (OUT_OF_REACH.includes(table)) continue;
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
        app.db.app,
      );
      expect(rows, table).toEqual([{ count: 0 }]);
    }
  });
});

/** Read by their secret alone, before anybody knows whose they are; or out of reach of requests altogether. */
const WITHOUT_ROW_SECURITY = ['oauth_attempts', 'audit_log', 'flag_values'];
const OUT_OF_REACH: string[] = HELD.filter(({ requests }) => requests === 'nothing').map(({ table }) => table);
