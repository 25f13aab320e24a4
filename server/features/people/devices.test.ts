import { afterAll, beforeAll, expect, test } from 'vitest';
import { getMe } from '#contract/session.ts';
import { endOtherSessions, endSession, listSessions } from '#contract/settings.ts';
import { createTestApp, logIn, type Person, type TestApp, type Visitor } from '#server/testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

async function listed(who: Visitor) {
  return (await who.call(listSessions)).body.items as { id: string; current: boolean; [field: string]: unknown }[];
}

async function withThreeDevices(): Promise<[Person, Visitor, Visitor]> {
  const ada = await app.signUpAndIn();
  return [ada, await logIn(app, ada), await logIn(app, ada)];
}

test('lists where a person is signed in, this device first', async () => {
  const [, phone] = await withThreeDevices();
  const items = await listed(phone);
  expect(items.map(({ current }) => current)).toEqual([true, false, false]);
  expect(items[0]).toMatchObject({ address: phone.address, device: 'Unknown device' });
});

test('names the device by what its browser says', async () => {
  const ada = await app.signUpAndIn();
  const phone = app.visitor();
  await phone.send({
    method: 'POST',
    url: '/api/v1/auth/login',
    body: { email: ada.email, password: ada.password },
    headers: {
      'user-agent': 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
    },
  });
  expect((await listed(phone))[0]).toMatchObject({ device: 'Chrome on Android' });
});

test('remembers when a device was last seen', async () => {
  const ada = await app.signUpAndIn();
  await app.clock.advance(6 * 60_000);
  await ada.call(getMe);
  expect((await listed(ada))[0]).toMatchObject({ seenAt: app.clock.now().toISOString() });
});

test('ends one session, and no other', async () => {
  const [ada, phone, tablet] = await withThreeDevices();
  const [own] = await listed(phone);
  expect((await ada.call(endSession, { params: { sessionId: own!.id } })).status).toBe(200);
  expect((await phone.call(getMe)).status).toBe(401);
  expect((await tablet.call(getMe)).status).toBe(200);
  expect((await ada.call(endSession, { params: { sessionId: own!.id } })).status).toBe(404);
});

test('ends nobody else’s session', async () => {
  const [ada, mallory] = [await app.signUpAndIn(), await app.signUpAndIn()];
  const [own] = await listed(ada);
  expect((await mallory.call(endSession, { params: { sessionId: own!.id } })).status).toBe(404);
  expect((await ada.call(getMe)).status).toBe(200);
});

test('ends every other session', async () => {
  const [ada, phone, tablet] = await withThreeDevices();
  const bert = await app.signUpAndIn();
  expect((await ada.call(endOtherSessions)).status).toBe(200);
  expect((await phone.call(getMe)).status).toBe(401);
  expect((await tablet.call(getMe)).status).toBe(401);
  expect((await ada.call(getMe)).status).toBe(200);
  expect((await bert.call(getMe)).status).toBe(200);
});
