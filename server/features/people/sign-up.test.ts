import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  forgotPassword,
  getMe,
  login,
  resetPassword,
  sendVerification,
  signUp,
  verifyEmail,
} from '#contract/session.ts';
import { createTestApp, logIn, type TestApp, tokenIn } from '#server/testing/test-app.ts';

const DAY_MS = 24 * 60 * 60_000;
const password = 'a long enough password';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

test.each([
  ['no name', { name: ' ', email: 'x@example.test', password }],
  ['a name without end', { name: 'x'.repeat(10_000), email: 'x@example.test', password }],
  ['a name that cannot be stored', { name: 'A\u0000da', email: 'x@example.test', password }],
  ['no address', { name: 'Ada', email: 'ada', password }],
  ['two addresses', { name: 'Ada', email: 'a@example.test, b@example.test', password }],
  ['an address with a header in it', { name: 'Ada', email: 'a@example.test\r\nBcc: b@example.test', password }],
  ['a short password', { name: 'Ada', email: 'x@example.test', password: '123456789' }],
  ['a huge password', { name: 'Ada', email: 'x@example.test', password: 'x'.repeat(129) }],
  ['wrong types', { name: 1, email: ['x@example.test'], password: null }],
  ['nothing', undefined],
])('refuses %s', async (_what, body) => {
  const answer = await app.visitor().send({ method: 'POST', url: '/api/v1/auth/signup', body: body ?? {} });
  expect(answer.status).toBe(422);
  expect(answer.body.code).toBe('invalid_input');
  expect(await app.mails('x@example.test')).toEqual([]);
});

test('refuses what is not JSON, broken or too large', async () => {
  const post = (payload: string, type = 'application/json') =>
    app.app.inject({ method: 'POST', url: '/api/v1/auth/signup', payload, headers: { 'content-type': type } });
  expect((await post('{"name":')).statusCode).toBe(400);
  expect((await post('<xml/>', 'text/xml')).statusCode).toBe(415);
  expect((await post(JSON.stringify({ name: 'x'.repeat(300_000) }))).statusCode).toBe(413);
});

test('lets nobody in before the address is confirmed, and signs in with the link', async () => {
  const email = 'new@example.test';
  const visitor = app.visitor();
  expect(
    (await visitor.call(signUp, { body: { name: 'Ünï 👩🏽‍🍳', email: ' NEW@example.test ', password } })).status,
  ).toBe(200);
  expect((await visitor.call(login, { body: { email, password } })).body.code).toBe('email_not_verified');
  expect((await visitor.call(login, { body: { email, password: 'wrong password' } })).body.code).toBe(
    'wrong_credentials',
  );
  expect((await visitor.call(getMe)).status).toBe(401);

  const [mail] = await app.mails(email);
  expect(mail).toMatchObject({ kind: 'confirm_email', subject: 'Confirm your email for Creator HQ' });
  expect((await visitor.call(verifyEmail, { body: { token: tokenIn(mail) } })).status).toBe(200);
  expect((await visitor.call(getMe)).body.account).toMatchObject({ name: 'Ünï 👩🏽‍🍳', email, emailVerified: true });
});

test('takes a link once, for a day, and only real ones', async () => {
  const visitor = app.visitor();
  const confirm = async (token: string) => (await visitor.call(verifyEmail, { body: { token } })).body.code;
  await visitor.call(signUp, { body: { name: 'Ada', email: 'link@example.test', password } });
  const token = tokenIn((await app.mails('link@example.test'))[0]);
  expect(await confirm('made up')).toBe('link_expired');
  expect(await confirm(`${token}x`)).toBe('link_expired');
  await app.clock.advance(DAY_MS);
  expect(await confirm(token)).toBe('link_expired');

  await visitor.call(sendVerification, { body: { email: 'link@example.test' } });
  const fresh = tokenIn((await app.mails('link@example.test'))[1]);
  expect(await confirm(fresh)).toBeUndefined();
  expect(await confirm(fresh)).toBe('link_expired');
});

test('keeps links as hashes', async () => {
  await app.visitor().call(signUp, { body: { name: 'Ada', email: 'hash@example.test', password } });
  const token = tokenIn((await app.mails('hash@example.test'))[0]);
  const stored = await app.db.engine.selectFrom('emailed_links').select('token_hash').execute();
  expect(stored.map(({ token_hash }) => token_hash)).not.toContain(token);
});

test('answers the same for an address that has an account, and tells its owner', async () => {
  const ada = await app.signUpAndIn();
  const known = await app
    .visitor()
    .call(signUp, { body: { name: 'Mallory', email: ada.email, password: 'a secret of his own' } });
  const unknown = await app.visitor().call(signUp, { body: { name: 'Mallory', email: 'free@example.test', password } });
  expect(known.status).toBe(200);
  expect(known.body).toEqual(unknown.body);
  const mail = (await app.mails(ada.email)).at(-1);
  expect(mail).toMatchObject({ kind: 'already_have_account' });
  expect(mail!.text).not.toContain('Mallory');
  await logIn(app, ada);
});

test('holds with the newest of two sign-ups for one address', async () => {
  const email = 'squat@example.test';
  await app.visitor().call(signUp, { body: { name: 'Mallory', email, password: 'a secret of his own' } });
  await app.visitor().call(signUp, { body: { name: 'Ada', email, password } });
  const [first, second] = await app.mails(email);
  const visitor = app.visitor();
  expect((await visitor.call(verifyEmail, { body: { token: tokenIn(first), password } })).status).toBe(410);
  expect((await visitor.call(verifyEmail, { body: { token: tokenIn(second), password } })).status).toBe(200);
  expect((await visitor.call(login, { body: { email, password: 'a secret of his own' } })).status).toBe(401);
  expect((await (await logIn(app, { email, password })).call(getMe)).body.account.name).toBe('Ada');
});

test('opens no account to a stranger when its owner follows the link of his sign-up', async () => {
  const email = 'victim@example.test';
  const mallory = app.visitor();
  await mallory.call(signUp, { body: { name: 'Mallory', email, password: 'a secret of his own' } });
  const token = tokenIn((await app.mails(email))[0]);

  const victim = app.visitor();
  const asked = await victim.call(verifyEmail, { body: { token } });
  expect(asked.body).toMatchObject({
    code: 'wrong_credentials',
    detail: expect.stringMatching(/^For your security, type the password/),
  });
  expect((await victim.call(verifyEmail, { body: { token, password: 'a guess of theirs' } })).status).toBe(401);
  expect((await victim.call(getMe)).status).toBe(401);
  expect((await mallory.call(login, { body: { email, password: 'a secret of his own' } })).body.code).toBe(
    'email_not_verified',
  );
});

test('confirms in another browser with the password, and the proof of one sign-up is none for the next', async () => {
  const email = 'two.browsers@example.test';
  const desk = app.visitor();
  await desk.call(signUp, { body: { name: 'Ada', email, password } });
  await app.visitor().call(signUp, { body: { name: 'Mallory', email, password: 'a secret of his own' } });
  const token = tokenIn((await app.mails(email)).at(-1));
  expect((await desk.call(verifyEmail, { body: { token } })).body.code).toBe('wrong_credentials');
  await desk.call(signUp, { body: { name: 'Ada', email, password } });
  const fresh = tokenIn((await app.mails(email)).at(-1));
  const phone = app.visitor();
  expect((await phone.call(verifyEmail, { body: { token: fresh, password } })).status).toBe(200);
  expect((await phone.call(getMe)).status).toBe(200);
});

test.each(['Prize at https://evil.test', 'www.evil.test', 'two\nlines'])('takes no name like %j', async (name) => {
  const answer = await app.visitor().call(signUp, { body: { name, email: 'named@example.test', password } });
  expect(answer.body).toMatchObject({ code: 'invalid_input', errors: [{ path: 'name' }] });
  expect(await app.mails('named@example.test')).toEqual([]);
});

test.each(['Claim your prize at evil.example/now', 'evil．example', 'prize@evil.example', 'You won! Call 555 0100'])(
  'sends nothing that a stranger typed (%j) to an address that nobody has confirmed',
  async (name) => {
    const [typed, plain] = [`typed-${name.length}@example.test`, `plain-${name.length}@example.test`];
    for (const [email, as] of [
      [typed, name],
      [plain, 'Ada'],
    ] as const) {
      const visitor = app.visitor();
      expect((await visitor.call(signUp, { body: { name: as, email, password } })).status).toBe(200);
      await visitor.call(sendVerification, { body: { email } });
      await visitor.call(forgotPassword, { body: { email } });
      const reset = (await app.mails(email)).find(({ kind }) => kind === 'reset_password');
      await visitor.call(resetPassword, { body: { token: tokenIn(reset), password: 'a new long password' } });
    }
    const withoutTokens = (mails: { subject: string; html: string; text: string }[]) =>
      mails.map(({ subject, html, text }) => [subject, html, text].map((part) => part.replaceAll(/token=[\w-]+/g, '')));
    const sent = await app.mails(typed);
    expect(sent.map(({ kind }) => kind)).toEqual([
      'confirm_email',
      'confirm_email',
      'reset_password',
      'password_changed',
    ]);
    expect(withoutTokens(sent)).toEqual(withoutTokens(await app.mails(plain)));
  },
);

test('makes one account of two sign-ups at the same moment', async () => {
  const email = 'race@example.test';
  const both = await Promise.all(
    [1, 2].map(() => app.visitor().call(signUp, { body: { name: 'Ada', email, password } })),
  );
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const users = await app.db.engine.selectFrom('users').select('id').where('email', '=', email).execute();
  expect(users).toHaveLength(1);
});

test('sends the confirmation again to those who wait for it, and answers everybody the same', async () => {
  const ada = await app.signUpAndIn();
  const before = (await app.mails()).length;
  const known = await app.visitor().call(sendVerification, { body: { email: ada.email } });
  const unknown = await app.visitor().call(sendVerification, { body: { email: 'stranger@example.test' } });
  expect(known.status).toBe(200);
  expect(known.body).toEqual(unknown.body);
  expect(await app.mails()).toHaveLength(before);
});

test('floods nobody with mails', async () => {
  const ask = () => app.visitor().call(sendVerification, { body: { email: 'flooded@example.test' } });
  for (let i = 0; i < 5; i++) expect((await ask()).status).toBe(200);
  const answer = await ask();
  expect(answer.status).toBe(429);
  expect(answer.body).toMatchObject({
    code: 'too_many_requests',
    detail: 'Too many attempts. Try again in 60 minutes.',
  });
  expect(answer.headers['retry-after']).toBe('3600');
  await app.clock.advance(60 * 60_000);
  expect((await ask()).status).toBe(200);
});
