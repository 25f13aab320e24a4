import { afterAll, beforeAll, expect, test } from 'vitest';
import { changePassword, forgotPassword, getMe, login, resetPassword, signUp, verifyEmail } from '#contract/session.ts';
import { createTestApp, logIn, type Person, type TestApp, tokenIn } from '#server/testing/test-app.ts';

const HOUR_MS = 60 * 60_000;
const password = 'quite another password';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

test('answers the same whether the address is known, and mails its owner only', async () => {
  const ada = await app.signUpAndIn();
  const before = (await app.mails()).length;
  const unknown = await app.visitor().call(forgotPassword, { body: { email: 'nobody@example.test' } });
  expect(await app.mails()).toHaveLength(before);
  const known = await app.visitor().call(forgotPassword, { body: { email: ada.email } });
  expect(known.status).toBe(200);
  expect(known.body).toEqual(unknown.body);
  expect((await app.mails(ada.email)).at(-1)).toMatchObject({ kind: 'reset_password' });
});

test('sets a new password, logs every device out and tells the owner', async () => {
  const ada = await app.signUpAndIn();
  const phone = await logIn(app, ada);
  expect((await reset(await resetToken(ada))).status).toBe(200);
  expect((await ada.call(getMe)).status).toBe(401);
  expect((await phone.call(getMe)).status).toBe(401);
  expect((await app.visitor().call(login, { body: { email: ada.email, password: ada.password } })).status).toBe(401);
  await logIn(app, { email: ada.email, password });
  expect((await app.mails(ada.email)).at(-1)).toMatchObject({ kind: 'password_changed' });
});

test('takes a link once, for an hour, and only real ones', async () => {
  const ada = await app.signUpAndIn();
  const [first, second] = [await resetToken(ada), await resetToken(ada)];
  expect((await reset('made up')).status).toBe(410);
  expect((await reset(first, 'short')).status).toBe(422);
  expect((await reset(first)).status).toBe(200);
  expect((await reset(first)).body.code).toBe('link_expired');
  expect((await reset(second)).body.code).toBe('link_expired');
  const late = await resetToken(ada);
  await app.clock.advance(HOUR_MS);
  expect((await reset(late)).body.code).toBe('link_expired');
});

test('takes a link once even when it comes twice at the same moment', async () => {
  const token = await resetToken(await app.signUpAndIn());
  const both = await Promise.all([reset(token), reset(token)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 410]);
});

test('takes no link for another purpose', async () => {
  const ada = await app.signUpAndIn();
  const visitor = app.visitor();
  expect((await visitor.call(verifyEmail, { body: { token: await resetToken(ada) } })).status).toBe(410);
  expect((await visitor.call(getMe)).status).toBe(401);
});

test('counts as confirmation: who resets has read the mail', async () => {
  const email = 'unconfirmed@example.test';
  await app.visitor().call(signUp, { body: { name: 'Mallory', email, password: 'a secret of his own' } });
  const confirmation = tokenIn((await app.mails(email))[0]);
  expect((await reset(await resetToken({ email }))).status).toBe(200);
  await logIn(app, { email, password });
  expect((await app.visitor().call(verifyEmail, { body: { token: confirmation } })).status).toBe(410);
});

test('lets the owner back in whom a stranger locked out', async () => {
  const ada = await app.signUpAndIn();
  for (let i = 0; i < 11; i++) {
    await app.visitor().call(login, { body: { email: ada.email, password: 'wrong password' } });
  }
  expect((await app.visitor().call(login, { body: { email: ada.email, password: ada.password } })).status).toBe(429);
  await reset(await resetToken(ada));
  await logIn(app, { email: ada.email, password });
});

test('changes the password with the current one, and logs other devices out', async () => {
  const ada = await app.signUpAndIn();
  const phone = await logIn(app, ada);
  const change = (currentPassword: string, who = app.visitor()) =>
    who.call(changePassword, { body: { currentPassword, newPassword: password } });
  expect((await change(ada.password)).status).toBe(401);
  expect((await change('wrong password', ada)).body.code).toBe('wrong_credentials');
  expect((await phone.call(getMe)).status).toBe(200);
  const link = await resetToken(ada);
  expect((await change(ada.password, ada)).status).toBe(200);
  expect((await ada.call(getMe)).status).toBe(200);
  expect((await phone.call(getMe)).status).toBe(401);
  expect((await reset(link)).status).toBe(410);
  await logIn(app, { email: ada.email, password });
  expect((await app.mails(ada.email)).at(-1)).toMatchObject({ kind: 'password_changed' });
});

test('stops guesses at the current password', async () => {
  const ada = await app.signUpAndIn();
  const guess = () => ada.call(changePassword, { body: { currentPassword: 'wrong password', newPassword: password } });
  for (let i = 0; i < 10; i++) expect((await guess()).status).toBe(401);
  expect((await guess()).status).toBe(429);
});

async function resetToken({ email }: Pick<Person, 'email'>): Promise<string> {
  await app.visitor().call(forgotPassword, { body: { email } });
  return tokenIn((await app.mails(email)).at(-1));
}

function reset(token: string, newPassword = password) {
  return app.visitor().call(resetPassword, { body: { token, password: newPassword } });
}
