/**
 * The tenancy walk: nobody reaches another creator's data, through no endpoint. It is made from the contract, so a new
 * endpoint is walked without anybody remembering; one whose input cannot be made from its schema asks for an example.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { exampleOf } from '#server/testing/examples.ts';
import { insertConnection, insertDelivery, insertInteraction, insertPost } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let mallory: Person;
let mallorysCreator: string;
let mallorysConnection: string;
/** Somebody else's creator, with a row of everything. */
let victim: { creatorId: string; [param: string]: string };
let anna: Person;

/** For what no schema tells. Keys are names of endpoints, values are bodies for a creator with this connection. */
const EXAMPLES: Record<string, (own: { connectionId: string }) => unknown> = {
  createAutomation: (own) => automation(own.connectionId),
  updateAutomation: (own) => ({ ...automation(own.connectionId), version: 1 }),
  testComment: (own) => ({ connectionId: own.connectionId, postId: null, text: 'pasta' }),
};

function automation(connectionId: string) {
  return {
    connectionId,
    name: 'Walk',
    postId: null,
    words: ['pasta'],
    mode: 'whole_word',
    excludedWords: [],
    typoTolerance: true,
    priority: 0,
    messageText: 'Here',
    buttons: [{ title: 'Open', url: 'https://example.test/' }],
    publicReplies: [],
    repeatAfterMinutes: null,
  };
}

beforeAll(async () => {
  app = await createTestApp();
  mallory = await app.signUpAndIn({ name: 'Mallory' });
  mallorysCreator = (await mallory.createCreator('mallory')).id;
  mallorysConnection = await insertConnection(app.db, mallorysCreator);
  victim = await makeVictim();
});
afterAll(() => app.close());

async function makeVictim() {
  anna = await app.signUpAndIn({ name: 'Anna' });
  const creatorId = (await anna.createCreator('anna')).id;
  const connectionId = await insertConnection(app.db, creatorId);
  const postId = await insertPost(app.db, creatorId, connectionId, { id: '17900000000000001' });
  const made = await anna.send({
    method: 'POST',
    url: `/api/v1/creators/${creatorId}/automations`,
    body: { ...automation(connectionId), postId },
  });
  const interactionId = await insertInteraction(app.db, creatorId, connectionId, {
    post_id: postId,
    outcome: 'failed',
    reason: 'gave_up',
    automation_id: made.body.id,
  });
  await insertDelivery(app.db, creatorId, connectionId, interactionId, { state: 'failed' });
  return { creatorId, connectionId, postId, automationId: made.body.id as string, interactionId };
}

/** Everything that belongs to the creator, in every table there is. */
async function everythingOf(creatorId: string): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t on t.table_name = c.table_name and t.table_schema = c.table_schema
    where c.table_schema = 'public' and c.column_name = 'creator_id' and t.table_type = 'BASE TABLE'
  `.execute(app.db.engine);
  const content: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ hash: string }>`
      select md5(coalesce(string_agg(row::text, ',' order by row::text), '')) as hash
      from ${sql.table(name)} as row where creator_id = ${creatorId}
    `.execute(app.db.engine);
    content[name] = rows[0]!.hash;
  }
  return content;
}

function paramsOf(endpoint: Endpoint): string[] {
  return [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
}

/** @throws when a body cannot be made: the endpoint needs an entry in EXAMPLES */
function bodyFor(name: string, endpoint: Endpoint, own: { connectionId: string }): unknown {
  if (endpoint.body === undefined) return undefined;
  return EXAMPLES[name]?.(own) ?? exampleOf(endpoint.body, `${name}: add an example body to EXAMPLES in this test`);
}

function urlFor(endpoint: Endpoint, params: Record<string, string>): string {
  return `/api/v1${endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The victim of this test has no ${name}: add one to makeVictim.`);
    return encodeURIComponent(value);
  })}`;
}

const ofCreators = ENDPOINTS.filter(({ endpoint }) => endpoint.access === 'creator');
const nested = ofCreators.filter(({ endpoint }) => paramsOf(endpoint).length > 1);
const protectedOnes = ENDPOINTS.filter(({ endpoint }) => endpoint.access !== 'public');

describe('nobody signed in', () => {
  test.each(protectedOnes)('$name asks to log in', async ({ name, endpoint }) => {
    const request = {
      method: endpoint.method,
      url: urlFor(endpoint, victim),
      body: bodyFor(name, endpoint, { connectionId: victim.connectionId! }),
    };
    expect(await app.visitor().send(request)).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
  });
});

describe('the owner herself', () => {
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
    const before = await everythingOf(victim.creatorId);
    const answer = await mallory.send({
      method: endpoint.method,
      url: urlFor(endpoint, victim),
      body: bodyFor(name, endpoint, { connectionId: victim.connectionId! }),
    });
    expect([403, 404]).toContain(answer.status);
    expect(await everythingOf(victim.creatorId)).toEqual(before);
  });

  test.each(nested)('$name finds no foreign row under the own creator', async ({ name, endpoint }) => {
    const before = await everythingOf(victim.creatorId);
    const answer = await mallory.send({
      method: endpoint.method,
      url: urlFor(endpoint, { ...victim, creatorId: mallorysCreator }),
      body: bodyFor(name, endpoint, { connectionId: mallorysConnection }),
    });
    expect([403, 404]).toContain(answer.status);
    expect(await everythingOf(victim.creatorId)).toEqual(before);
  });

  test.each(ofCreators.filter(({ name }) => name in EXAMPLES))(
    '$name takes no foreign row in its body',
    async ({ name, endpoint }) => {
      const before = await everythingOf(victim.creatorId);
      const own = await mallory.send({
        method: 'POST',
        url: `/api/v1/creators/${mallorysCreator}/automations`,
        body: automation(mallorysConnection),
      });
      const answer = await mallory.send({
        method: endpoint.method,
        url: urlFor(endpoint, { ...victim, creatorId: mallorysCreator, automationId: own.body.id }),
        body: bodyFor(name, endpoint, { connectionId: victim.connectionId! }),
      });
      expect([403, 404]).toContain(answer.status);
      expect(await everythingOf(victim.creatorId)).toEqual(before);
    },
  );

  test.each(ofCreators.filter(({ endpoint }) => endpoint.method === 'GET' && !endpoint.stream))(
    '$name shows nothing foreign in the own creator',
    async ({ endpoint }) => {
      if (paramsOf(endpoint).length > 1) return;
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
    for (const table of Object.keys(await everythingOf(victim.creatorId))) {
      if (WITHOUT_ROW_SECURITY.includes(table)) continue;
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
        app.db.app,
      );
      expect(rows, table).toEqual([{ count: 0 }]);
    }
  });
});

/** Read by their secret alone, before anybody knows whose they are; or out of reach of requests altogether. */
const WITHOUT_ROW_SECURITY = ['oauth_attempts', 'audit_log', 'flag_values'];
