import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adminGetFlags, adminSetFlag } from '#contract/admin.ts';
import { evaluateFlags, FLAG_NAMES, type FlagName } from '#contract/flags.ts';
import { createTestApp, type Person, type TestApp, type Visitor } from '#server/testing/test-app.ts';

const URL = '/api/v1/ofrep/v1/evaluate/flags';

let app: TestApp;
let sam: Person;
let anna: Person;
let bert: Person;
let annas: string;

beforeAll(async () => {
  app = await createTestApp();
  sam = await app.signUpAndIn({ name: 'Sam' });
  await app.db.engine.updateTable('users').set({ is_admin: true }).where('id', '=', sam.id).execute();
  [anna, bert] = [await app.signUpAndIn(), await app.signUpAndIn()];
  annas = (await anna.createCreator('anna.cooks')).id;
  await bert.createCreator('bert.bakes');
});
beforeEach(() => app.db.engine.deleteFrom('flag_values').execute());
afterAll(() => app?.close());

async function set(flag: FlagName, creatorId: string | null, on: boolean | null) {
  const answer = await sam.call(adminSetFlag, { body: { flag, creatorId, on } });
  expect(answer.status).toBe(200);
}

async function flagOf(who: Visitor, flag: FlagName) {
  const { body } = await who.call(evaluateFlags, { body: {} });
  return body.flags.find(({ key }: { key: string }) => key === flag);
}

describe('a flag', () => {
  test('is off until somebody sets it', async () => {
    const { status, body } = await anna.call(evaluateFlags, { body: { context: { targetingKey: anna.id } } });
    expect(status).toBe(200);
    expect(body.flags).toEqual(FLAG_NAMES.map((key) => ({ key, value: false, reason: 'DEFAULT', variant: 'off' })));
  });

  test('for everyone holds for everyone, also without a creator', async () => {
    await set('storyMentions', null, true);
    const on = { key: 'storyMentions', value: true, reason: 'STATIC', variant: 'on' };
    for (const who of [anna, bert, sam]) expect(await flagOf(who, 'storyMentions')).toEqual(on);
    await set('storyMentions', null, null);
    expect(await flagOf(anna, 'storyMentions')).toMatchObject({ value: false, reason: 'DEFAULT' });
  });

  test.each([true, false])('for one creator wins over everyone: %s', async (on) => {
    await set('appLinksEnabled', null, !on);
    await set('appLinksEnabled', annas, on);
    expect(await flagOf(anna, 'appLinksEnabled')).toMatchObject({ value: on, reason: 'TARGETING_MATCH' });
    expect(await flagOf(bert, 'appLinksEnabled')).toMatchObject({ value: !on, reason: 'STATIC' });
    await set('appLinksEnabled', annas, null);
    expect(await flagOf(anna, 'appLinksEnabled')).toMatchObject({ value: !on, reason: 'STATIC' });
  });

  test('is shown to admins for everyone and where a creator differs', async () => {
    await set('mealPlansEnabled', null, true);
    await set('storyMentions', annas, true);
    await set('mealPlansEnabled', annas, false);
    expect((await sam.call(adminGetFlags)).body).toEqual({
      everyone: { mealPlansEnabled: true, appLinksEnabled: false, storyMentions: false, referralFactoryEnabled: false },
      next: null,
      items: [{ creatorId: annas, handle: 'anna.cooks', flags: { mealPlansEnabled: false, storyMentions: true } }],
    });
  });

  test('is refused for a creator or a name that does not exist', async () => {
    const creatorId = '01890000-0000-7000-8000-000000000001';
    expect((await sam.call(adminSetFlag, { body: { flag: 'storyMentions', creatorId, on: true } })).status).toBe(404);
    const body = { flag: 'nonsense', creatorId: null, on: true };
    expect((await sam.send({ method: 'PUT', url: '/api/v1/admin/flags', body })).status).toBe(422);
    expect(await app.db.engine.selectFrom('flag_values').selectAll().execute()).toEqual([]);
  });

  test('leaves a line in the audit log when it is set', async () => {
    await set('storyMentions', annas, true);
    const [row] = await app.db.engine.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).execute();
    expect(row).toMatchObject({
      admin_id: sam.id,
      creator_id: annas,
      what: 'Set the flag storyMentions',
      detail: 'on',
    });
  });
});

describe('the protocol', () => {
  test('answers 304 without a body while nothing changed, and a body again after a change', async () => {
    const ask = (tag?: string) =>
      anna.send({ method: 'POST', url: URL, body: {}, ...(tag && { headers: { 'if-none-match': tag } }) });
    const etag = (await ask()).headers.etag as string;
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      expect(await ask(tag)).toMatchObject({ status: 304, text: '', headers: { etag } });
    }
    expect((await ask('"other"')).status).toBe(200);
    await set('storyMentions', annas, true);
    const changed = await ask(etag);
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
  });

  test('says in its own words what is wrong with a request', async () => {
    const bad = await anna.send({ method: 'POST', url: URL, body: { context: 'me' } });
    expect(bad).toMatchObject({
      status: 400,
      body: { errorCode: 'INVALID_CONTEXT', errorDetails: expect.any(String) },
    });
    const headers = { 'content-type': 'application/json' };
    const broken = await anna.send({ method: 'POST', url: URL, body: '{"context":', headers });
    expect(broken).toMatchObject({ status: 400, body: { errorCode: 'PARSE_ERROR' } });
  });

  test('is for people signed in', async () => {
    expect((await app.visitor().call(evaluateFlags, { body: {} })).status).toBe(401);
  });

  test('believes the session, not the context, about whose flags these are', async () => {
    await set('storyMentions', annas, true);
    const { body } = await bert.call(evaluateFlags, { body: { context: { targetingKey: anna.id, creatorId: annas } } });
    expect(body.flags.find(({ key }: { key: string }) => key === 'storyMentions').value).toBe(false);
  });
});
