/** Fields that an endpoint does not ask for are kept nowhere: sent along with every body there is, at every depth. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENDPOINTS } from '#server/features/registered.ts';
import {
  bodyFor,
  everythingOf,
  furnishCreator,
  type Params,
  registerBlog,
  urlFor,
} from '#server/testing/endpoint-walk.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

/** Both would be found again in any column they got into. */
const MARK_ID = 'deadbeef-0000-4000-8000-00000000feed';
const MARK = 'mass-assigned';

let app: TestApp;
let owner: Person;
let own: Params;
let victim: Params;
let key: string;
beforeAll(async () => {
  app = await createTestApp();
  owner = await app.signUpAndIn({ name: 'Mallory' });
  own = await furnishCreator(app, owner, await app.signUpAndIn());
  key = (await registerBlog(app, owner, own.creatorId)).key;
  victim = await furnishCreator(app, await app.signUpAndIn(), await app.signUpAndIn());
});
afterAll(() => app?.close());

const WITH_BODY = ENDPOINTS.filter(({ endpoint }) => endpoint.body !== undefined && endpoint.access !== 'admin');

test('there are bodies to try', () => expect(WITH_BODY.length).toBeGreaterThan(40));

test.each(WITH_BODY)('$name keeps nothing that it did not ask for', async ({ name, endpoint }) => {
  const before = await everythingOf(app, victim.creatorId);
  const answer = await owner.send({
    ...(endpoint.access === 'plugin' && { headers: { authorization: `Bearer ${key}` } }),
    method: endpoint.method,
    url: urlFor(endpoint, own),
    body: withMore(bodyFor(name, endpoint, own)),
  });
  // What others are asked for may be away.
  expect(answer.body?.code).not.toBe('internal');
  expect(await everythingOf(app, victim.creatorId)).toEqual(before);
  expect(await tablesWith(MARK_ID, MARK)).toEqual([]);
  const { rows } = await app.db.enginePool.query('select from users where is_admin');
  expect(rows).toEqual([]);
});

/** The object with fields of rows that nobody may write through it; what it has already stays as it is. */
function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withMore(one)]));
  return {
    creator_id: victim.creatorId,
    creatorId: victim.creatorId,
    user_id: MARK_ID,
    userId: MARK_ID,
    owner_id: MARK_ID,
    ownerId: MARK_ID,
    session_id: MARK_ID,
    is_admin: true,
    isAdmin: true,
    email_verified: true,
    emailVerified: true,
    twoFactorEnabled: false,
    admin_visit_id: MARK_ID,
    plan_id: MARK,
    stripe_subscription_id: MARK,
    token_hash: MARK,
    secret: MARK,
    created_at: '2001-01-01T00:00:00Z',
    created_by: MARK_ID,
    ...inner,
  };
}

/** Tables, of all there are, with a row in which one of the texts stands. */
async function tablesWith(...texts: string[]): Promise<string[]> {
  const { rows: tables } = await app.db.enginePool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and has_table_privilege(table_name::text, 'select')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await app.db.enginePool.query(
      `select from "${name}" as r where r::text like any($1) limit 1`,
      [texts.map((text) => `%${text}%`)],
    );
    if (rowCount !== 0) found.push(name);
  }
  return found;
}
