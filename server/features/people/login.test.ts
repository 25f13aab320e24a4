import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgotPassword, getMe, login, logout, updateProfile, verifyEmail } from '#contract/session.ts';
import { networksOf } from '#server/http/rate-limits.ts';
import { createTestApp, logIn, type TestApp, type Visitor } from '#server/testing/test-app.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

test('answers a wrong password and an unknown address alike', async () => {
  const ada = await app.signUpAndIn();
  const wrong = await app.visitor().call(login, { body: { email: ada.email, password: 'wrong password' } });
  const unknown = await app
    .visitor()
    .call(login, { body: { email: 'nobody@example.test', password: 'wrong password' } });
  expect(wrong.status).toBe(401);
  expect(wrong.body).toEqual(unknown.body);
  expect(wrong.headers['set-cookie']).toBeUndefined();
});

test('gives a cookie that scripts cannot read and other sites cannot use', async () => {
  const ada = await app.signUpAndIn();
  const visitor = app.visitor();
  const answer = await visitor.call(login, { body: { email: ` ${ada.email.toUpperCase()} `, password: ada.password } });
  expect(answer.body).toEqual({ secondFactorNeeded: false });
  const cookies = [answer.headers['set-cookie']].flat();
  expect(cookies).toHaveLength(2);
  const [session, device] = cookies.toSorted();
  expect(session).toMatch(/^creator-hq\.session_token=.*; Max-Age=2592000/);
  expect(device).toMatch(/^creator_hq_device=.*; Max-Age=34560000/);
  for (const cookie of cookies) {
    for (const flag of ['HttpOnly', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(flag);
    expect(cookie).not.toContain('Secure');
  }
});

test('sends cookies over https only where the site is https', async () => {
  const secure = await createTestApp({ settings: { BASE_URL: 'https://hq.example.test' } });
  try {
    const ada = await secure.signUpAndIn();
    const answer = await secure.visitor().call(login, { body: { email: ada.email, password: ada.password } });
    const cookies = [answer.headers['set-cookie']].flat().toSorted();
    expect(cookies[0]).toMatch(/^__Host-creator-hq\.session_token=.*; Secure/);
    expect(cookies[1]).toMatch(/^__Host-creator_hq_device=.*; Secure/);
    expect((await ada.call(getMe)).status).toBe(200);
  } finally {
    await secure.close();
  }
});

test('believes no cookie that it did not sign', async () => {
  const ada = await app.signUpAndIn();
  const [[name, value]] = [...ada.cookies] as [[string, string]];
  const token = decodeURIComponent(value).split('.')[0]!;
  const other = await app.signUpAndIn();
  const signature = decodeURIComponent([...other.cookies.values()][0]!).split('.')[1];
  for (const forged of [
    token,
    `${token}.`,
    `${token}.${signature}`,
    `.${signature}`,
    `${value}x`,
    '',
    '.',
    'x'.repeat(4000),
  ]) {
    const answer = await app.visitor().send({
      method: 'GET',
      url: '/api/v1/auth/me',
      headers: { cookie: `${name}=${encodeURIComponent(forged)}` },
    });
    expect(answer.status).toBe(401);
  }
});

test('logs out of this browser only, and twice does no harm', async () => {
  const ada = await app.signUpAndIn();
  const other = await logIn(app, ada);
  const cookies = new Map(other.cookies);
  expect((await other.call(logout)).body).toEqual({ message: 'Logged out successfully' });
  expect([...other.cookies.keys()]).toEqual(['creator_hq_device']);
  for (const [name, value] of cookies) other.cookies.set(name, value);
  expect((await other.call(getMe)).status).toBe(401);
  expect((await other.call(logout)).status).toBe(200);
  expect((await app.visitor().call(logout)).status).toBe(200);
  expect((await ada.call(getMe)).status).toBe(200);
});

test('ends a session that was not used for 30 days', async () => {
  const other = await createTestApp();
  try {
    const ada = await other.signUpAndIn();
    await other.clock.advance(29 * DAY_MS);
    expect((await ada.call(getMe)).status).toBe(200);
    await other.clock.advance(30 * DAY_MS);
    expect((await ada.call(getMe)).status).toBe(401);
  } finally {
    await other.close();
  }
});

test('prolongs a session that is used', async () => {
  const ada = await app.signUpAndIn();
  const soon = new Date(Date.now() + 2 * DAY_MS);
  await app.db.engine.updateTable('sessions').set({ expires_at: soon }).where('user_id', '=', ada.id).execute();
  const answer = await ada.call(getMe);
  expect([answer.headers['set-cookie']].flat()[0]).toContain('Max-Age=2592000');
  const { expires_at } = await app.db.engine
    .selectFrom('sessions')
    .select('expires_at')
    .where('user_id', '=', ada.id)
    .executeTakeFirstOrThrow();
  expect(expires_at.getTime()).toBeGreaterThan(soon.getTime() + 20 * DAY_MS);
  expect([(await ada.call(getMe)).headers['set-cookie']].flat()).toEqual([undefined]);
});

test('stops guesses at one account from many addresses, for a while', async () => {
  const ada = await app.signUpAndIn();
  const bert = await app.signUpAndIn();
  const guess = (password: string) => app.visitor().call(login, { body: { email: ada.email, password } });
  for (let i = 0; i < 10; i++) expect((await guess(`guess number ${i}`)).status).toBe(401);
  const refused = await guess(ada.password);
  expect(refused.status).toBe(429);
  expect(refused.body.detail).toBe('Too many attempts. Try again in 15 minutes.');
  expect(refused.headers['retry-after']).toBe('900');
  await logIn(app, bert);
  await app.clock.advance(15 * MINUTE_MS);
  await logIn(app, ada);
});

test('lets in who logged in on this device before, whatever strangers guess', async () => {
  const ada = await app.signUpAndIn();
  await ada.call(logout);
  const guess = (who: Visitor, password: string) => who.call(login, { body: { email: ada.email, password } });
  const stranger = app.visitor();
  for (let i = 0; i < 10; i++) expect((await guess(stranger, `guess number ${i}`)).status).toBe(401);
  expect((await guess(stranger, ada.password)).status).toBe(429);
  expect((await guess(app.visitor(), ada.password)).status).toBe(429);

  expect((await guess(ada, ada.password)).status).toBe(200);
  // That opens nothing for the stranger.
  expect((await guess(stranger, ada.password)).status).toBe(429);
  // Who has the device guesses no more often than anybody else.
  for (let i = 0; i < 10; i++) expect((await guess(ada, `guess number ${i}`)).status).toBe(401);
  expect((await guess(ada, ada.password)).status).toBe(429);
});

test('lets in a device that is known, also from a network where somebody guesses', async () => {
  const [ada, bert] = [await app.signUpAndIn(), await app.signUpAndIn()];
  await ada.call(logout);
  const from = (address: string, who: Visitor, email: string, password: string) =>
    app.app.inject({
      method: 'POST',
      url: '/api/v1/auth/login',
      payload: { email, password },
      remoteAddress: address,
      headers: { cookie: [...who.cookies].map((pair) => pair.join('=')).join('; ') },
    });
  const stranger = app.visitor();
  for (let i = 0; i < 50; i++) {
    expect((await from(stranger.address, stranger, `nobody${i}@example.test`, 'wrong password')).statusCode).toBe(401);
  }
  expect((await from(stranger.address, stranger, ada.email, ada.password)).statusCode).toBe(429);
  expect((await from(stranger.address, ada, ada.email, ada.password)).statusCode).toBe(200);
  // A device is known for its own people only.
  expect((await from(stranger.address, ada, bert.email, bert.password)).statusCode).toBe(429);
});

test('knows the devices of several people, and none that it did not sign', async () => {
  const [ada, bert] = [await app.signUpAndIn(), await app.signUpAndIn()];
  const lockOut = async (email: string) => {
    for (let i = 0; i < 11; i++) await app.visitor().call(login, { body: { email, password: 'wrong password' } });
  };
  await ada.call(login, { body: bert });
  await lockOut(ada.email);
  await lockOut(bert.email);
  for (const person of [ada, bert]) expect((await ada.call(login, { body: person })).status).toBe(200);
  const known = ada.cookies.get('creator_hq_device')!;
  for (const forged of ['', 'x'.repeat(4000), known.replaceAll('.', '.x'), known.slice(0, 60), `${known}x`.slice(1)]) {
    const thief = app.visitor();
    thief.cookies.set('creator_hq_device', forged);
    expect((await thief.call(login, { body: bert })).status).toBe(429);
  }
});

test('mails a new password to who knows the device, however many a stranger asked for', async () => {
  const ada = await app.signUpAndIn();
  const ask = (who: Visitor) => who.call(forgotPassword, { body: { email: ada.email } });
  const stranger = app.visitor();
  while ((await ask(stranger)).status === 200);
  expect((await ask(app.visitor())).status).toBe(429);
  expect((await ask(ada)).status).toBe(200);
});

test('forgets wrong tries after a right one', async () => {
  const ada = await app.signUpAndIn();
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 4; i++) {
      await app.visitor().call(login, { body: { email: ada.email, password: 'wrong password' } });
    }
    await logIn(app, ada);
  }
});

test('stops guesses from one address at many links', async () => {
  const visitor = app.visitor();
  const guess = (who = visitor) => who.call(verifyEmail, { body: { token: 'a guess' } });
  for (let i = 0; i < 30; i++) expect((await guess()).status).toBe(410);
  expect((await guess()).status).toBe(429);
  expect((await guess(app.visitor())).status).toBe(410);
});

test('believes the address in a header only behind a proxy of ours', async () => {
  const addressSeen = async (test: TestApp, forwarded: string) => {
    const ada = await test.signUpAndIn();
    await test.db.engine.deleteFrom('sessions').execute();
    await test.visitor().send({
      method: 'POST',
      url: '/api/v1/auth/login',
      body: { email: ada.email, password: ada.password },
      headers: { 'x-forwarded-for': forwarded, 'x-caller-address': '6.6.6.6' },
    });
    return test.db.engine.selectFrom('sessions').select('ip_address').executeTakeFirstOrThrow();
  };
  expect((await addressSeen(app, '203.0.113.9')).ip_address).toMatch(/^10\./);
  const proxied = await createTestApp({ settings: { TRUSTED_PROXIES: '1' } });
  try {
    expect(await addressSeen(proxied, '6.6.6.6, 203.0.113.9')).toEqual({ ip_address: '203.0.113.9' });
  } finally {
    await proxied.close();
  }
});

test('counts all addresses of a home as one, and all homes of a network', () => {
  expect(networksOf('203.0.113.7')).toEqual(['203.0.113.7']);
  expect(networksOf('::ffff:203.0.113.7')).toEqual(['::ffff:203.0.113.7']);
  const network = (home: string, street = home) => [`${home}::/64`, `${street}::/56`, '2001:db8:1::/48'];
  expect(networksOf('2001:db8:1:2:aaaa::1')).toEqual(network('2001:db8:1:2', '2001:db8:1:0'));
  expect(networksOf('2001:0db8:0001:0002:bbbb:cccc:dddd:eeee')).toEqual(network('2001:db8:1:2', '2001:db8:1:0'));
  expect(networksOf('2001:db8:1:ab02::1')).toEqual(network('2001:db8:1:ab02', '2001:db8:1:ab00'));
  expect(networksOf('2001:db8::1')).toEqual(['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']);
  expect(networksOf('fe80::1%eth0')).toEqual(['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48']);
});

test('refuses tries from sixty networks of one /48 in the end, and lets in who comes from elsewhere', async () => {
  const from = (address: string) =>
    app.app.inject({
      method: 'POST',
      url: '/api/v1/auth/verification/confirm',
      payload: { token: 'a guess' },
      remoteAddress: address,
    });
  const answers: number[] = [];
  for (let i = 0; i < 60 * 3; i++)
    answers.push((await from(`2001:db8:7:${((i % 60) * 256).toString(16)}::1`)).statusCode);
  // A link may be tried 30 times from a home, so 120 times from a /48.
  expect(answers.filter((status) => status === 410)).toHaveLength(120);
  expect(answers.slice(120).every((status) => status === 429)).toBe(true);
  expect((await from('2001:db8:8::1')).statusCode).toBe(410);
});

test('looks at no more than ten of sixty guesses that are made at the same moment', async () => {
  const ada = await app.signUpAndIn();
  const guesses = Array.from({ length: 60 }, () =>
    app.visitor().call(login, { body: { email: ada.email, password: 'wrong password' } }),
  );
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  // Fewer where the line for hashing is short.
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect((await app.visitor().call(login, { body: { email: ada.email, password: ada.password } })).status).toBe(429);
});

test('changes the name of the person signed in, nobody else', async () => {
  const [ada, bert] = [await app.signUpAndIn(), await app.signUpAndIn({ name: 'Bert' })];
  expect((await app.visitor().call(updateProfile, { body: { name: 'X' } })).status).toBe(401);
  expect((await ada.call(updateProfile, { body: { name: '' } })).status).toBe(422);
  expect((await ada.call(updateProfile, { body: { name: '  Ada Lovelace ' } })).status).toBe(200);
  expect((await ada.call(getMe)).body.account.name).toBe('Ada Lovelace');
  expect((await bert.call(getMe)).body.account.name).toBe('Bert');
});
