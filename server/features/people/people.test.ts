import { afterAll, beforeAll, expect, test } from 'vitest';
import { getEnv, getMe, loginDemo, logout } from '#contract/session.ts';
import { createTestApp, logIn, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

test('says nothing about anybody to a stranger', async () => {
  const answer = await app.visitor().call(getMe);
  expect(answer.status).toBe(401);
  expect(answer.body).toMatchObject({ code: 'not_signed_in', title: 'Please log in' });
});

test('signs up, confirms, and knows who is there', async () => {
  const ada = await app.signUpAndIn({ name: 'Ada 🍝 بيرت' });
  const answer = await ada.call(getMe);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    account: { _id: ada.id, name: 'Ada 🍝 بيرت', email: ada.email, emailVerified: true, isAdmin: false },
    creatorAccount: null,
    subscription: null,
    tokenDetails: {},
    memberships: [],
    currentMembership: null,
    intercomUserHash: null,
  });
});

test('logs in in another browser, and out of it only', async () => {
  const ada = await app.signUpAndIn();
  const other = await logIn(app, ada);
  expect((await other.call(getMe)).body.account._id).toBe(ada.id);
  expect((await other.call(logout)).body).toEqual({ message: 'Logged out successfully' });
  expect((await other.call(getMe)).status).toBe(401);
  expect((await ada.call(getMe)).status).toBe(200);
});

test('shows the creator that a person starts', async () => {
  const ada = await app.signUpAndIn();
  const creator = await ada.createCreator('Ada.Cooks');
  const { body } = await ada.call(getMe);
  expect(body.creatorAccount).toMatchObject({ _id: creator.id, handle: 'Ada.Cooks', instagramFollowersCount: null });
  expect(body.subscription).toMatchObject({
    plan: { name: 'Free', productId: 'free-plan', price: {} },
    status: 'active',
    isActive: true,
    isFree: true,
  });
  expect(body.subscription.stripeSubscriptionId).toMatch(/^inhouse_/);
  expect(body.currentMembership).toMatchObject({ displayName: 'Ada.Cooks', current: true });
});

test('opens the demo to everybody, once', async () => {
  const visitor = app.visitor();
  expect((await visitor.call(loginDemo)).status).toBe(200);
  expect((await visitor.call(getMe)).body.creatorAccount.handle).toBe('thegoldenspoon');
  expect((await app.visitor().call(loginDemo)).status).toBe(200);
  expect((await app.visitor().call(getEnv)).body).toMatchObject({ simulated: true, mailboxUrl: expect.any(String) });
});
