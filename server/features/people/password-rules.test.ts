import { afterAll, beforeAll, expect, test } from 'vitest';
import { changePassword, forgotPassword, resetPassword, signUp } from '#contract/session.ts';
import { createTestApp, type TestApp, tokenIn } from '#server/testing/test-app.ts';
import { refuseCommonPassword, refusePersonalPassword } from './password-rules.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

test('a common password is refused wherever one is chosen', async () => {
  const common = 'Manchester2024!';
  const ada = await app.signUpAndIn();
  const refused = { status: 422, body: { code: 'invalid_input' } };

  const body = { name: 'Bea', email: 'bea@example.test', password: common };
  expect(await app.visitor().call(signUp, { body })).toMatchObject(refused);
  expect(await app.mails('bea@example.test')).toEqual([]);

  const passwords = { currentPassword: ada.password, newPassword: common };
  const changed = await ada.call(changePassword, { body: passwords });
  expect(changed).toMatchObject(refused);
  expect(changed.body.errors).toEqual([{ path: 'newPassword', message: expect.stringContaining('too common') }]);

  await app.visitor().call(forgotPassword, { body: { email: ada.email } });
  const token = tokenIn((await app.mails(ada.email)).at(-1));
  for (const password of [common, `${ada.email}!`]) {
    expect(await app.visitor().call(resetPassword, { body: { token, password } })).toMatchObject(refused);
  }
  // The link is good for a better one.
  const better = { token, password: 'a few words of mine' };
  expect((await app.visitor().call(resetPassword, { body: better })).status).toBe(200);
});

test.each([
  '1234567890',
  'qwertyuiop',
  'Password123',
  'manchester',
  '2024Manchester!!',
  'passwordpassword',
  'aaaaaaaaaa',
  'ababababab',
])('the common %s is refused', async (password) => {
  await expect(refuseCommonPassword(password, 'password')).rejects.toMatchObject({ code: 'invalid_input' });
});

test.each([
  'correct horse',
  'a new pinch of pepper',
  'xK9#mv2!Lq',
  'мой любимый рецепт',
  '私の一番好きなレシピ',
  '🍞🥖🥐🥨🥯🧈🧂🍋',
])('%s is taken: any characters will do', async (password) => {
  await refuseCommonPassword(password, 'password');
  refusePersonalPassword(password, { name: 'Ada Lovelace', email: 'ada@example.test' }, 'password');
});

test.each([
  ['our name', 'CreatorHQ2026'],
  ['our name', 'creator-hq-1234'],
  ['a platform’s name', 'Instagram!2026'],
  ['names in a row', 'facebook password'],
  ['their name', 'AdaLovelace1'],
  ['their name turned round', 'lovelace.ada.42'],
  ['their address', 'ada.kitchen@example.test'],
  ['their address before the @', 'AdaKitchen123'],
])('a password of little more than %s is refused', (_what, password) => {
  const person = { name: 'Ada Lovelace', email: 'ada.kitchen@example.test' };
  expect(() => refusePersonalPassword(password, person, 'password')).toThrow(/too easy to guess/);
});
