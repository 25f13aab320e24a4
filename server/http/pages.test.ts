/** Lists over HTTP, page by page: nothing twice, nothing left out, also while rows come; and no page from a made-up place. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminGetFlags, adminSetFlag } from '#contract/admin.ts';
import { listTokens } from '#contract/api-tokens.ts';
import { createAutomation, listAutomations } from '#contract/automations.ts';
import { exportContact } from '#contract/contacts.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { createKeyword, listKeywords } from '#contract/keywords.ts';
import { listLinkChecks } from '#contract/link-guard.ts';
import { createReply, listReplies } from '#contract/replies.ts';
import { listStoryLinks } from '#contract/stories.ts';
import { ENDPOINTS } from '#server/features/registered.ts';
import { furnishCreator, type Params, urlFor } from '#server/testing/endpoint-walk.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertInteraction, insertWatchedLink } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let owner: Person;
let admin: Person;
let params: Params;
beforeAll(async () => {
  app = await createTestApp();
  owner = await app.signUpAndIn();
  params = await furnishCreator(app, owner, await app.signUpAndIn());
  admin = await app.signUpAndIn();
  await app.db.engine.updateTable('users').set({ is_admin: true }).where('id', '=', admin.id).execute();
});
afterAll(() => app.close());

const PAGE = 2;

/** Makes one more; the names go up and down, so that new ones come before and behind where a reader is. */
const nameOf = (i: number) => `${i % 2 === 0 ? 'a' : 'Z'}${i} ü "${'x'.repeat(70)}`;
const makeAutomation = (over: object) =>
  owner.send({
    method: 'POST',
    url: urlFor(createAutomation, params),
    body: automationInput(params.connectionId, over),
  });
const make: Record<string, (i: number) => Promise<unknown>> = {
  listKeywords: (i) =>
    owner.call(createKeyword, {
      params,
      body: { name: nameOf(i), words: [`w${i}`], mode: 'contains', excludedWords: [], typoTolerance: true },
    }),
  listReplies: (i) =>
    owner.call(createReply, {
      params,
      body: { name: nameOf(i), kind: 'message', texts: ['Hi'], translations: [] },
    }),
  listAutomations: (i) => makeAutomation({ words: [`word${i}`] }),
  listStoryLinks: (i) =>
    makeAutomation({ trigger: 'story_reply', scope: 'one', postId: params.storyId, words: [`link${i}`] }),
  listLinkChecks: (i) =>
    insertWatchedLink(app.db, params.creatorId, params.automationId!, { url: `https://example.test/page/${i}` }),
  listTokens: (i) =>
    owner.send({
      method: 'POST',
      url: `/api/v1/creators/${params.creatorId}/api-tokens`,
      body: { name: `Tool ${i}`, scopes: ['read:figures'], days: null },
    }),
  adminGetFlags: async () => {
    const { id } = await owner.createCreator();
    await admin.call(adminSetFlag, { body: { flag: 'storyMentions', creatorId: id, on: true } });
  },
  exportContact: () =>
    insertInteraction(app.db, params.creatorId, params.connectionId, { person_id: `person-of-${params.creatorId}` }),
};
const LISTS: [string, Endpoint][] = Object.entries({
  ...{ listKeywords, listReplies, listAutomations, listStoryLinks, listLinkChecks, listTokens, adminGetFlags },
  exportContact,
});

describe('a list in pages', () => {
  test.each(LISTS)('%s has everything once, also when rows come meanwhile', async (name, endpoint) => {
    const call = async (query: Record<string, string>) => {
      const url = `${urlFor(endpoint, params)}?${new URLSearchParams(query)}`;
      const { status, body } = await (endpoint.access === 'admin' ? admin : owner).send({ method: 'GET', url });
      expect(status, JSON.stringify(body)).toBe(200);
      return body as { items: { id?: string; creatorId?: string }[]; next: string | null };
    };
    const idOf = (item: { id?: string; creatorId?: string }) => item.id ?? item.creatorId;
    for (let i = 0; i < 5; i++) await make[name]!(i);
    const before = await call({ limit: '100' });
    expect(before.next).toBeNull();
    expect(before.items.length).toBeGreaterThan(2 * PAGE);

    const seen: (string | undefined)[] = [];
    let after: string | null = null;
    for (let i = 5; ; i++) {
      const page = await call({ limit: String(PAGE), ...(after !== null && { after }) });
      expect(page.items.length).toBeLessThanOrEqual(PAGE);
      seen.push(...page.items.map(idOf));
      after = page.next;
      if (after === null) break;
      if (i < 8) await make[name]!(i);
    }
    expect(new Set(seen).size).toBe(seen.length);
    const kept = new Set(before.items.map(idOf));
    expect(seen.filter((id) => kept.has(id))).toEqual(before.items.map(idOf));
  });

  const paged = ENDPOINTS.filter(({ endpoint }) => {
    const { query } = endpoint as { query?: { def?: { shape?: object } } };
    return query?.def?.shape !== undefined && 'after' in query.def.shape;
  });

  test.each(paged)('$name goes on from no made-up place', async ({ endpoint }) => {
    const url = urlFor(endpoint, params);
    for (const at of ['nonsense', Buffer.from('["\\u0000", 1]').toString('base64url'), 'x'.repeat(1001)]) {
      const who = endpoint.access === 'admin' ? admin : owner;
      const answer = await who.send({ method: 'GET', url: `${url}?after=${at}` });
      expect([answer.status, answer.body.code], answer.text).toEqual([422, 'invalid_input']);
    }
  });
});

test('whoever has many sessions gets the newest hundred', async () => {
  await sql`
    insert into sessions (id, user_id, token, expires_at, created_at, updated_at)
    select gen_random_uuid(), ${owner.id}::uuid, 'many' || i, ${app.clock.now()}::timestamptz + interval '1 day', now(), now()
    from generate_series(1, 150) i
  `.execute(app.db.engine);
  const { body } = await owner.send({ method: 'GET', url: '/api/v1/account/sessions' });
  expect(body.items).toHaveLength(100);
  expect(body.items[0].current).toBe(true);
});
