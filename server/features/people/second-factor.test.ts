import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  confirmSecondFactor,
  getMe,
  login,
  loginSecondFactor,
  removeSecondFactor,
  resetPassword,
  startSecondFactor,
} from '#contract/session.ts';
import { codeOf as codeInApp, secretOf } from '#server/testing/authenticator.ts';
import { createTestApp, logIn, type Person, type TestApp, type Visitor } from '#server/testing/test-app.ts';
import { issueLink } from './mailed-links.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

test('is set up with the password and a first code only', async () => {
  const ada = await app.signUpAndIn();
  expect((await app.visitor().call(startSecondFactor, { body: { password: ada.password } })).status).toBe(401);
  expect((await ada.call(startSecondFactor, { body: { password: 'wrong password' } })).body.code).toBe(
    'wrong_credentials',
  );
  const early = await ada.call(confirmSecondFactor, { body: { code: '123456' } });
  expect(early.body.code).toBe('not_possible_now');

  const { totpUri, backupCodes } = (await ada.call(startSecondFactor, { body: { password: ada.password } })).body;
  expect(totpUri).toMatch(/^otpauth:\/\/totp\/Creator%20HQ:/);
  expect(backupCodes).toHaveLength(10);
  // Not on yet: a phone that was never set up must not lock anybody out.
  expect((await passwordStep(app.visitor(), ada)).body).toEqual({ secondFactorNeeded: false });

  for (const code of ['abcdef', '12345', '1234567']) {
    expect((await ada.call(confirmSecondFactor, { body: { code } })).status).toBe(422);
  }
  expect((await ada.call(confirmSecondFactor, { body: { code: wrongCode(totpUri) } })).body.code).toBe(
    'wrong_credentials',
  );
  expect((await ada.call(confirmSecondFactor, { body: { code: codeOf(totpUri, 0) } })).status).toBe(200);
  expect((await ada.call(getMe)).body.account.twoFactorEnabled).toBe(true);
  expect((await app.mails(ada.email)).at(-1)).toMatchObject({ subject: 'Two-step login was turned on' });
  expect((await ada.call(startSecondFactor, { body: { password: ada.password } })).body.code).toBe('not_possible_now');
});

test('keeps the creator whose screens are shown', async () => {
  const ada = await app.signUpAndIn();
  await ada.createCreator();
  const second = await ada.createCreator();
  await switchOn(ada);
  expect((await ada.call(getMe)).body.creatorAccount._id).toBe(second.id);
});

test('lets nobody in with the password alone', async () => {
  const ada = await app.signUpAndIn();
  const { uri } = await switchOn(ada);
  const visitor = app.visitor();
  expect((await passwordStep(visitor, ada)).body).toEqual({ secondFactorNeeded: true });
  expect((await visitor.call(getMe)).status).toBe(401);
  expect((await codeStep(visitor, wrongCode(uri))).body.code).toBe('wrong_credentials');
  expect((await visitor.call(getMe)).status).toBe(401);
  expect((await codeStep(visitor, codeOf(uri))).status).toBe(200);
  expect((await visitor.call(getMe)).body.account._id).toBe(ada.id);
});

test('takes no code without the password step, nor for somebody else', async () => {
  const ada = await app.signUpAndIn();
  const bert = await app.signUpAndIn();
  const { uri } = await switchOn(ada);
  expect((await codeStep(app.visitor(), codeOf(uri))).body.code).toBe('wrong_credentials');
  expect((await codeStep(bert, codeOf(uri))).body.code).toBe('wrong_credentials');
  expect((await bert.call(getMe)).body.account._id).toBe(bert.id);
});

test('takes a code of the app once', async () => {
  const ada = await app.signUpAndIn();
  const { uri } = await switchOn(ada);
  const code = codeOf(uri);
  const [visitor, spy] = [app.visitor(), app.visitor()];
  await passwordStep(visitor, ada);
  await passwordStep(spy, ada);
  expect((await codeStep(visitor, code)).status).toBe(200);
  expect((await codeStep(spy, code)).body.code).toBe('wrong_credentials');
  expect((await spy.call(getMe)).status).toBe(401);
  expect((await visitor.call(getMe)).status).toBe(200);
});

test('opens no session with the code that switched it on', async () => {
  const ada = await app.signUpAndIn();
  const { totpUri } = (await ada.call(startSecondFactor, { body: { password: ada.password } })).body;
  const code = codeOf(totpUri, 0);
  expect((await ada.call(confirmSecondFactor, { body: { code } })).status).toBe(200);
  const spy = app.visitor();
  await passwordStep(spy, ada);
  expect((await codeStep(spy, code)).body.code).toBe('wrong_credentials');
  expect((await spy.call(getMe)).status).toBe(401);
});

test('takes each backup code once', async () => {
  const ada = await app.signUpAndIn();
  const { backupCodes } = await switchOn(ada);
  const visitor = app.visitor();
  await passwordStep(visitor, ada);
  expect((await codeStep(visitor, 'aaaaa-bbbbb')).body.code).toBe('wrong_credentials');
  expect((await codeStep(visitor, ` ${backupCodes[0]} `)).status).toBe(200);
  expect((await visitor.call(getMe)).status).toBe(200);
  const again = app.visitor();
  await passwordStep(again, ada);
  expect((await codeStep(again, backupCodes[0]!)).body.code).toBe('wrong_credentials');
  expect((await codeStep(again, backupCodes[1]!)).status).toBe(200);
});

test('keeps neither the secret nor a backup code so that the database would tell it', async () => {
  const ada = await app.signUpAndIn();
  const { uri, backupCodes } = await switchOn(ada);
  const row = await app.db.engine
    .selectFrom('two_factors')
    .select(['secret', 'backup_codes'])
    .where('user_id', '=', ada.id)
    .executeTakeFirstOrThrow();
  const stored = JSON.stringify(row);
  const kept = JSON.parse(row.backup_codes) as string[];
  expect(kept).toHaveLength(10);
  // N, r, p, salt, key: one salt for a person's codes, another one for everybody else's.
  for (const code of kept) expect(code).toMatch(/^scrypt\$\d+\$\d+\$\d+\$[\w-]{22}\$[\w-]{43}$/);
  expect(new Set(kept.map((code) => code.split('$')[4])).size).toBe(1);
  const inTheApp = new URL(uri).searchParams.get('secret')!;
  for (const told of [inTheApp, secretOf(uri).toString(), ...backupCodes]) expect(stored).not.toContain(told);
});

test('stops guesses at codes', async () => {
  const ada = await app.signUpAndIn();
  const { uri } = await switchOn(ada);
  for (let round = 0; round < 2; round++) {
    const visitor = app.visitor();
    await passwordStep(visitor, ada);
    for (let i = 0; i < 5; i++) expect((await codeStep(visitor, wrongCode(uri))).status).toBe(401);
    // The login itself is used up, also for the right code.
    expect((await codeStep(visitor, codeOf(uri))).status).not.toBe(200);
  }
  const visitor = app.visitor();
  await passwordStep(visitor, ada);
  const refused = await codeStep(visitor, codeOf(uri));
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('900');
});

test('asks a trusted device for the password only, until the password changes', async () => {
  const ada = await app.signUpAndIn();
  const { uri } = await switchOn(ada);
  const device = app.visitor();
  await passwordStep(device, ada);
  expect((await device.call(loginSecondFactor, { body: { code: codeOf(uri), trustDevice: true } })).status).toBe(200);
  expect((await passwordStep(device, ada)).body).toEqual({ secondFactorNeeded: false });
  expect((await passwordStep(app.visitor(), ada)).body).toEqual({ secondFactorNeeded: true });

  const password = 'quite another password';
  const token = await app.db.engine
    .transaction()
    .execute((trx) => issueLink(trx, app.clock.now(), 'reset_password', ada.id));
  expect((await app.visitor().call(resetPassword, { body: { token, password } })).status).toBe(200);
  expect((await passwordStep(device, { ...ada, password })).body).toEqual({ secondFactorNeeded: true });
});

test('ends with a new second factor: no device is trusted, and every other session is over', async () => {
  const ada = await app.signUpAndIn();
  const before = await logIn(app, ada);
  const first = await switchOn(ada);
  expect((await before.call(getMe)).status).toBe(401);

  const device = app.visitor();
  await passwordStep(device, ada);
  const trusted = { code: codeOf(first.uri), trustDevice: true };
  expect((await device.call(loginSecondFactor, { body: trusted })).status).toBe(200);
  const off = { password: ada.password, code: first.backupCodes[0]! };
  expect((await ada.call(removeSecondFactor, { body: off })).status).toBe(200);
  expect((await device.call(getMe)).status).toBe(401);
  expect((await ada.call(getMe)).status).toBe(200);

  await app.db.engine.deleteFrom('tries').execute();
  await switchOn(ada);
  expect((await passwordStep(device, ada)).body).toEqual({ secondFactorNeeded: true });
});

test('is switched off with the password and a code', async () => {
  const ada = await app.signUpAndIn();
  const { uri, backupCodes } = await switchOn(ada);
  const off = (password: string, code: string, who: Visitor = ada) =>
    who.call(removeSecondFactor, { body: { password, code } });
  expect((await off(ada.password, codeOf(uri), app.visitor())).status).toBe(401);
  expect((await off(ada.password, '')).status).toBe(422);
  expect((await off(ada.password, wrongCode(uri))).body.code).toBe('wrong_credentials');
  expect((await off(ada.password, 'aaaaa-bbbbb')).body.code).toBe('wrong_credentials');
  expect((await off('wrong password', backupCodes[0]!)).body.code).toBe('wrong_credentials');
  // The one that switched it on.
  expect((await off(ada.password, codeOf(uri, 0))).body.code).toBe('wrong_credentials');
  expect((await ada.call(getMe)).body.account.twoFactorEnabled).toBe(true);
  // A wrong password used no code up.
  expect((await off(ada.password, backupCodes[0]!)).status).toBe(200);
  expect((await ada.call(getMe)).body.account.twoFactorEnabled).toBe(false);
  expect((await app.mails(ada.email)).at(-1)).toMatchObject({ subject: 'Two-step login was turned off' });
  expect((await passwordStep(app.visitor(), ada)).body).toEqual({ secondFactorNeeded: false });
});

test('is switched off with a code of the app, too', async () => {
  const ada = await app.signUpAndIn();
  const { uri } = await switchOn(ada);
  const body = { password: ada.password, code: codeOf(uri) };
  expect((await ada.call(removeSecondFactor, { body })).status).toBe(200);
  expect((await ada.call(getMe)).body.account.twoFactorEnabled).toBe(false);
});

test('stops guesses at codes by somebody at an unlocked computer', async () => {
  const ada = await app.signUpAndIn();
  const { uri } = await switchOn(ada);
  await app.db.engine.deleteFrom('tries').execute();
  const body = { password: ada.password, code: wrongCode(uri) };
  for (let i = 0; i < 10; i++) expect((await ada.call(removeSecondFactor, { body })).status).toBe(401);
  expect((await ada.call(removeSecondFactor, { body })).status).toBe(429);
});

async function switchOn(person: Person): Promise<{ uri: string; backupCodes: string[] }> {
  const { totpUri, backupCodes } = (await person.call(startSecondFactor, { body: { password: person.password } })).body;
  expect((await person.call(confirmSecondFactor, { body: { code: codeOf(totpUri, 0) } })).status).toBe(200);
  return { uri: totpUri, backupCodes };
}

function passwordStep(visitor: Visitor, { email, password }: { email: string; password: string }) {
  return visitor.call(login, { body: { email, password } });
}

function codeStep(visitor: Visitor, code: string) {
  return visitor.call(loginSecondFactor, { body: { code } });
}

/** The code of half a minute later, as the one of now was used up at setting up. */
function codeOf(uri: string, step = 1): string {
  return codeInApp(uri, step);
}

/** Six digits that are wrong a moment before and after, too: far from the right ones. */
function wrongCode(uri: string): string {
  return String((Number(codeOf(uri)) + 500_000) % 1_000_000).padStart(6, '0');
}
