/** Where signing up is for the invited only, or closed. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { forgotPassword, getEnv, getMe, login, sendVerification, signUp } from '#contract/session.ts';
import { lookUpInvite, sendInvite } from '#contract/team.ts';
import { readConfig } from '#server/config.ts';
import { createTestApp, type TestApp, tokenIn } from '#server/testing/test-app.ts';
import { inviteToSignUp } from './sign-up-invites.ts';

const DAY_MS = 24 * 60 * 60_000;
const password = 'a long enough password';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => set('invited'));
afterAll(() => app?.close());

/** The settings are read at each call. */
function set(signingUp: 'open' | 'invited' | 'closed') {
  app.deps.config.signUp = signingUp;
}

const invite = (email: string) => inviteToSignUp({ ...app.deps, baseUrl: app.deps.config.baseUrl }, email);

function tryToSignUp(email: string, inviteToken?: string) {
  return app.visitor().call(signUp, { body: { name: 'Ada', email, password, ...(inviteToken && { inviteToken }) } });
}

const accountOf = (email: string) =>
  app.db.engine.selectFrom('users').select('email_verified').where('email', '=', email).executeTakeFirst();

test('is for the invited only where BASE_URL is public, and open nearby', () => {
  expect(readConfig({ BASE_URL: 'https://hq.example.com' }).signUp).toBe('invited');
  expect(readConfig({}).signUp).toBe('open');
  expect(readConfig({ BASE_URL: 'https://hq.example.com', SIGN_UP: 'open' }).signUp).toBe('open');
});

test('without an invite refuses known and unknown addresses with the same answer and the same work', async () => {
  set('open');
  const ada = await app.signUpAndIn();
  set('invited');
  const known = await counted(() => tryToSignUp(ada.email));
  const unknown = await counted(() => tryToSignUp('free@example.test'));
  expect(known.answer).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
  expect(known.answer.body).toEqual(unknown.answer.body);
  expect(known.statements).toEqual(unknown.statements);
  expect(await accountOf('free@example.test')).toBeUndefined();
  expect(await app.mails('free@example.test')).toEqual([]);
});

test('where it is open, a known address costs as many statements as a new one', async () => {
  set('open');
  const ada = await app.signUpAndIn();
  const known = await counted(() => tryToSignUp(ada.email));
  const unknown = await counted(() => tryToSignUp('new@example.test'));
  const waiting = await counted(() => tryToSignUp('new@example.test'));
  expect(known.answer.body).toEqual(unknown.answer.body);
  expect(known.statements).toHaveLength(unknown.statements.length);
  expect(waiting.statements).toHaveLength(unknown.statements.length);
});

test('a forgotten password and one more confirmation cost the same for known and unknown addresses', async () => {
  set('open');
  await tryToSignUp('forgets@example.test');
  for (const endpoint of [forgotPassword, sendVerification]) {
    const ask = (email: string) => counted(() => app.visitor().call(endpoint, { body: { email } }));
    const known = await ask('forgets@example.test');
    const unknown = await ask('stranger@example.test');
    expect(known.answer.body).toEqual(unknown.answer.body);
    expect(known.statements).toHaveLength(unknown.statements.length);
  }
});

describe('an invite of the operator', () => {
  test('opens an account, with its address confirmed, once', async () => {
    const link = await invite('first@example.test');
    const [mail] = await app.mails('first@example.test');
    expect(mail).toMatchObject({ kind: 'sign_up_invitation', text: expect.stringContaining(link) });
    const token = tokenIn(mail);
    expect((await app.visitor().call(lookUpInvite, { body: { token } })).body).toEqual({
      creatorAccountHandle: null,
      email: 'first@example.test',
      invitedBy: null,
    });

    const browser = app.visitor();
    const answer = await browser.call(signUp, {
      body: { name: 'Ada', email: 'First@example.test', password, inviteToken: token },
    });
    expect(answer).toMatchObject({ status: 200, body: { signedIn: true } });
    expect((await browser.call(getMe)).body.account).toMatchObject({
      email: 'first@example.test',
      emailVerified: true,
    });
    expect((await app.visitor().call(lookUpInvite, { body: { token } })).status).toBe(410);
    expect((await tryToSignUp('first@example.test', token)).status).toBe(403);
    expect((await app.visitor().call(login, { body: { email: 'first@example.test', password } })).status).toBe(200);
  });

  test('is for its address, for seven days, and the newest one only', async () => {
    await invite('late@example.test');
    await invite('late@example.test');
    const [first, second] = (await app.mails('late@example.test')).map(tokenIn);
    expect((await tryToSignUp('late@example.test', first)).status).toBe(403);
    expect((await tryToSignUp('somebody.else@example.test', second)).status).toBe(403);
    await app.clock.advance(7 * DAY_MS);
    expect((await tryToSignUp('late@example.test', second)).status).toBe(403);
    expect(await accountOf('late@example.test')).toBeUndefined();
  });

  test('is not made for somebody with an account', async () => {
    set('open');
    const ada = await app.signUpAndIn();
    await expect(invite(ada.email)).rejects.toMatchObject({ code: 'already_exists' });
  });
});

test('an invite to a team opens an account too', async () => {
  set('open');
  const owner = await app.signUpAndIn();
  const { id: creatorId } = await owner.createCreator();
  await owner.call(sendInvite, { params: { creatorId }, body: { email: 'helper@example.test', role: 'collaborator' } });
  set('invited');
  const token = tokenIn((await app.mails('helper@example.test'))[0]);
  expect(await tryToSignUp('helper@example.test', token)).toMatchObject({ status: 200, body: { signedIn: true } });
});

test('where it is closed, nobody signs up, not even with an invite', async () => {
  const token = new URL(await invite('kept.out@example.test')).searchParams.get('invite')!;
  set('closed');
  expect((await app.visitor().call(getEnv)).body.signUp).toBe('closed');
  expect(await tryToSignUp('kept.out@example.test', token)).toMatchObject({
    status: 403,
    body: { detail: 'This Creator HQ isn’t taking new accounts.' },
  });
});

/** The answer, and what the database was asked on the way. */
async function counted<T>(work: () => Promise<T>): Promise<{ answer: T; statements: string[] }> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    const answer = await work();
    const statements = query.mock.calls.map(([asked]) => String((asked as { text?: string }).text ?? asked));
    return { answer, statements };
  } finally {
    query.mockRestore();
  }
}
