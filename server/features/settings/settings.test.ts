import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeBillingEmail, changeNotifications, getBillingEmail, getNotifications } from '#contract/settings.ts';
import { systemIds } from '#server/clock.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let bert: Person;
let creatorId: string;
beforeAll(async () => {
  app = await createTestApp();
  [anna, bert] = [await app.signUpAndIn(), await app.signUpAndIn()];
  creatorId = (await anna.createCreator()).id;
  await app.db.engine
    .insertInto('memberships')
    .values({
      creator_id: creatorId,
      id: systemIds.uuid(new Date()),
      user_id: bert.id,
      role: 'collaborator',
      created_at: app.clock.now(),
    })
    .execute();
});
afterAll(() => app?.close());

const params = () => ({ params: { creatorId } });
const everything = { connectionTrouble: true, invites: true, weeklyFigures: true, brokenLinks: true, newAccess: true };

describe('which mails somebody gets', () => {
  test('is for members to read and choose', async () => {
    const stranger = await app.signUpAndIn();
    expect((await stranger.call(getNotifications, params())).status).toBe(404);
    const answer = await stranger.call(changeNotifications, { ...params(), body: everything });
    expect(answer.status).toBe(404);
  });

  test('is refused when half of it is missing', async () => {
    const answer = await anna.send({
      method: 'PUT',
      url: `/api/v1/creators/${creatorId}/settings/notifications`,
      body: { invites: false },
    });
    expect(answer.status).toBe(422);
    expect((await anna.call(getNotifications, params())).body).toEqual(everything);
  });

  test('is everything until they choose, and their own choice for this creator', async () => {
    const other = (await anna.createCreator()).id;
    const chosen = {
      connectionTrouble: true,
      invites: false,
      weeklyFigures: false,
      brokenLinks: false,
      newAccess: true,
    };
    expect((await anna.call(changeNotifications, { ...params(), body: everything })).body).toEqual(everything);
    expect((await anna.call(changeNotifications, { ...params(), body: chosen })).body).toEqual(chosen);
    expect((await anna.call(getNotifications, params())).body).toEqual(chosen);
    expect((await bert.call(getNotifications, params())).body).toEqual(everything);
    expect((await anna.call(getNotifications, { params: { creatorId: other } })).body).toEqual(everything);
  });
});

describe('the billing email', () => {
  test('is changed by owners only', async () => {
    const body = { email: 'bert@example.test' };
    expect(await bert.call(changeBillingEmail, { ...params(), body })).toMatchObject({
      status: 403,
      body: { code: 'not_allowed' },
    });
    expect((await bert.call(getBillingEmail, params())).body).toEqual({ email: anna.email });
  });

  test.each(['', 'not an address', 'a@b@c.test', `${'x'.repeat(250)}@example.test`])('refuses %j', async (email) => {
    expect((await anna.call(changeBillingEmail, { ...params(), body: { email } })).status).toBe(422);
  });

  test('is the first owner’s address until another is given', async () => {
    expect((await anna.call(getBillingEmail, params())).body).toEqual({ email: anna.email });
    await anna.call(changeBillingEmail, { ...params(), body: { email: 'Books@Example.test' } });
    expect((await bert.call(getBillingEmail, params())).body).toEqual({ email: 'books@example.test' });
  });
});
