/** Sessions: born at a sign-in, replaced by the next one, ended for good. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changePassword, getMe, login, logout } from '#contract/session.ts';
import { listSessions } from '#contract/settings.ts';
import { removeMember } from '#contract/team.ts';
import { furnishCreator } from '#server/testing/endpoint-walk.ts';
import { createTestApp, logIn, type Person, type TestApp, type Visitor } from '#server/testing/test-app.ts';
import { removeExpired } from './expired-rows.ts';

const DAY_MS = 24 * 3_600_000;
const COOKIE = 'creator-hq.session_token';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

const asks = (cookie: string) =>
  app.visitor().send({ method: 'GET', url: '/api/v1/auth/me', headers: { cookie: `${COOKIE}=${cookie}` } });

describe('signing in', () => {
  test('takes over no session that somebody planted in the browser', async () => {
    const [mallory, ada] = [await app.signUpAndIn(), await app.signUpAndIn()];
    const planted = mallory.cookies.get(COOKIE)!;
    const browser = app.visitor();
    browser.cookies.set(COOKIE, planted);
    expect((await browser.call(login, { body: ada })).status).toBe(200);
    expect(browser.cookies.get(COOKIE)).not.toBe(planted);
    expect((await browser.call(getMe)).body.account._id).toBe(ada.id);
    // Nor does it stay good for whoever planted it.
    expect((await asks(planted)).status).toBe(401);
  });

  test('ends the session that the browser had until then', async () => {
    const ada = await app.signUpAndIn();
    const before = ada.cookies.get(COOKIE)!;
    expect((await ada.call(login, { body: { email: ada.email, password: ada.password } })).status).toBe(200);
    expect(ada.cookies.get(COOKIE)).not.toBe(before);
    expect((await asks(before)).status).toBe(401);
    expect((await ada.call(listSessions)).body.items).toHaveLength(1);
  });

  test('leaves the session alone when it fails', async () => {
    const ada = await app.signUpAndIn();
    const body = { email: ada.email, password: 'wrong password' };
    expect((await ada.call(login, { body })).status).toBe(401);
    expect((await ada.call(getMe)).status).toBe(200);
  });
});

test('a new password gives a new session, with the same creator, and ends the old one', async () => {
  const ada = await app.signUpAndIn();
  await ada.createCreator();
  const { id } = await ada.createCreator();
  const before = ada.cookies.get(COOKIE)!;
  const body = { currentPassword: ada.password, newPassword: 'quite another password' };
  expect((await ada.call(changePassword, { body })).status).toBe(200);
  expect(ada.cookies.get(COOKIE)).not.toBe(before);
  expect((await asks(before)).status).toBe(401);
  expect((await ada.call(getMe)).body.creatorAccount._id).toBe(id);
});

test('ends after 90 days however often it is used, and is listed and kept no longer', async () => {
  const other = await createTestApp();
  try {
    const ada = await other.signUpAndIn();
    const phone = await logIn(other, ada);
    const setAge = (days: number) =>
      other.db.engine
        .updateTable('sessions')
        .set({
          created_at: new Date(other.clock.now().getTime() - days * DAY_MS),
          expires_at: new Date(other.clock.now().getTime() + 30 * DAY_MS),
        })
        .execute();
    await setAge(89);
    expect((await phone.call(getMe)).status).toBe(200);
    await setAge(90);
    expect((await phone.call(getMe)).status).toBe(401);
    expect((await (await logIn(other, ada)).call(listSessions)).body.items).toHaveLength(1);
    await removeExpired(other.db, other.clock.now());
    expect(await other.db.engine.selectFrom('sessions').select('id').execute()).toHaveLength(1);
  } finally {
    await other.close();
  }
});

test('a logged out cookie is worth nothing, and the answer before it is not kept', async () => {
  const ada = await app.signUpAndIn();
  const cookie = ada.cookies.get(COOKIE)!;
  expect((await ada.call(getMe)).headers['cache-control']).toBe('no-store');
  await ada.call(logout);
  expect((await asks(cookie)).status).toBe(401);
});

test('a right that is taken away is gone with the next request, the session notwithstanding', async () => {
  const [owner, helper] = [await app.signUpAndIn(), await app.signUpAndIn()];
  const { creatorId, membershipId } = await furnishCreator(app, owner, helper);
  const url = `/api/v1/creators/${creatorId}/automations`;
  expect((await helper.send({ method: 'GET', url })).status).toBe(200);
  const params = { creatorId, membershipId: membershipId! };
  expect((await owner.call(removeMember, { params })).status).toBe(200);
  expect((await helper.send({ method: 'GET', url })).status).toBe(404);
  expect((await helper.call(getMe)).status).toBe(200);
});

test('every cookie is of this host alone, over https, and out of reach of scripts', async () => {
  const secure = await createTestApp({ settings: { BASE_URL: 'https://hq.example.test', SIMULATORS: 'on' } });
  try {
    const set: string[] = [];
    const ada = await secure.signUpAndIn();
    const { id } = await ada.createCreator();
    const collect = async (who: Person | Visitor, method: string, url: string, body?: unknown) => {
      const { headers } = await who.send({ method, url: `/api/v1${url}`, body });
      set.push(...[headers['set-cookie'] ?? []].flat().map(String));
    };
    await collect(secure.visitor(), 'POST', '/auth/signup', { ...ada, email: 'new@example.test' });
    await collect(secure.visitor(), 'POST', '/auth/login', { email: ada.email, password: ada.password });
    await collect(secure.visitor(), 'POST', '/auth/login/demo', {});
    await collect(ada, 'GET', `/creators/${id}/connections/instagram/start`);
    await collect(ada, 'GET', '/auth/logout');
    expect(set.length).toBeGreaterThan(3);
    for (const cookie of set) {
      expect(cookie).toMatch(/^__Host-/);
      expect(cookie).toMatch(/; Secure/);
      expect(cookie).toMatch(/; HttpOnly/);
      expect(cookie).toMatch(/; SameSite=Lax/);
      expect(cookie).toMatch(/; Path=\/(;|$)/);
      expect(cookie).not.toMatch(/; Domain=/i);
      expect(cookie.split(';')[0]!.length).toBeLessThan(4096);
    }
  } finally {
    await secure.close();
  }
});
