import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listTokens, makeToken, revokeToken } from '#contract/api-tokens.ts';
import { getFigures } from '#contract/figures.ts';
import { listInteractions } from '#contract/interactions.ts';
import { systemIds } from '#server/clock.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

const DAY_MS = 24 * 3_600_000;

let app: TestApp;
let anna: Person;
let creatorId: string;
beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
});
afterAll(() => app?.close());

const make = async (over: object = {}, by: Person = anna) =>
  by.call(makeToken, {
    params: { creatorId },
    body: { name: 'Spreadsheet', scopes: ['read:figures'], days: null, ...over },
  });
const figures = (token: string, headers: Record<string, string> = {}) =>
  app.visitor().send({
    method: 'GET',
    url: `/api/v1${getFigures.path.replace(':creatorId', creatorId)}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
const list = async () => (await anna.call(listTokens, { params: { creatorId } })).body.items;

describe('a token', () => {
  test.each([{ name: ' ' }, { scopes: [] }, { scopes: ['write:billing'] }, { days: 0 }, { days: 4000 }])(
    'is refused with %j',
    async (over) => expect((await make(over)).status).toBe(422),
  );

  test.each(['', 'x', `chqt_${'x'.repeat(40)}`, "chqt_x'or'1'='1"])('%j opens nothing', async (token) => {
    expect(await figures(token)).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
  });

  test('is shown once and kept as a hash', async () => {
    const { token, ...rest } = (await make()).body;
    expect(token).toMatch(/^chqt_[0-9A-Za-z]{40}$/);
    expect((await list())[0]).toEqual(rest);
    const rows = await app.db.engine.selectFrom('api_tokens').selectAll().execute();
    expect(JSON.stringify([rows, await list()])).not.toContain(token);
  });

  test('opens what its scopes name, and tells when it was used', async () => {
    const { token, id } = (await make()).body;
    expect((await figures(token)).status).toBe(200);
    expect((await list()).find((one: { id: string }) => one.id === id)).toMatchObject({
      lastUsedAt: app.clock.now().toISOString(),
    });
    const other = await app.visitor().send({
      method: 'GET',
      url: `/api/v1${listInteractions.path.replace(':creatorId', creatorId)}`,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(other).toMatchObject({
      status: 403,
      body: { detail: 'This API token needs the scope read:interactions.' },
    });
  });

  test('counts alone: a cookie beside it opens nothing more', async () => {
    const answer = await anna.send({
      method: 'GET',
      url: `/api/v1${listInteractions.path.replace(':creatorId', creatorId)}`,
      headers: { authorization: `Bearer ${(await make()).body.token}` },
    });
    expect(answer.status).toBe(403);
  });

  test('ends with its days, and when it is revoked', async () => {
    const short = (await make({ days: 1 })).body;
    const revoked = (await make()).body;
    await anna.call(revokeToken, { params: { creatorId, tokenId: revoked.id } });
    expect((await figures(revoked.token)).status).toBe(401);
    expect((await figures(short.token)).status).toBe(200);
    app.clock.advance(DAY_MS);
    expect((await figures(short.token)).status).toBe(401);
    const left = (await list()).map((one: { id: string }) => one.id);
    expect(left).not.toContain(short.id);
    expect(left).not.toContain(revoked.id);
    expect(await anna.call(revokeToken, { params: { creatorId, tokenId: revoked.id } })).toMatchObject({ status: 404 });
  });

  test('ends when its person leaves the team', async () => {
    const bert = await app.signUpAndIn();
    const row = { id: systemIds.uuid(new Date()), user_id: bert.id, role: 'collaborator' as const };
    await app.db.engine
      .insertInto('memberships')
      .values({ ...row, creator_id: creatorId, created_at: app.clock.now() })
      .execute();
    const his = (await make({}, bert)).body;
    expect((await figures(his.token)).status).toBe(200);
    await app.db.engine.deleteFrom('memberships').where('id', '=', row.id).execute();
    expect((await figures(his.token)).status).toBe(404);
  });
});
