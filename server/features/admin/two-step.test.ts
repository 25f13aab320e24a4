import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminEnterCreator, adminListCreators } from '#contract/admin.ts';
import { confirmSecondFactor, getMe, removeSecondFactor, startSecondFactor } from '#contract/session.ts';
import { ENDPOINTS } from '#server/features/registered.ts';
import { codeOf } from '#server/testing/authenticator.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let creatorId: string;
beforeAll(async () => {
  app = await createTestApp({ settings: { ADMINS_NEED_TWO_STEP: 'on' } });
  creatorId = (await (await app.signUpAndIn()).createCreator()).id;
});
afterAll(() => app?.close());

async function signUpAdmin(): Promise<Person> {
  const admin = await app.signUpAndIn();
  await app.db.engine.updateTable('users').set({ is_admin: true }).where('id', '=', admin.id).execute();
  return admin;
}

async function switchOn(admin: Person): Promise<string[]> {
  const { totpUri, backupCodes } = (await admin.call(startSecondFactor, { body: { password: admin.password } })).body;
  expect((await admin.call(confirmSecondFactor, { body: { code: codeOf(totpUri, 0) } })).status).toBe(200);
  return backupCodes;
}

function enter(admin: Person) {
  const body = { reason: 'They asked why their reel does not answer.' };
  return admin.call(adminEnterCreator, { params: { adminCreatorId: creatorId }, body });
}

test('an admin without two-step login has no admin’s rights, and is told how to get them', async () => {
  const admin = await signUpAdmin();
  expect((await admin.call(getMe)).body.account).toMatchObject({ isAdmin: false, needsTwoStep: true });
  for (const { endpoint } of ENDPOINTS.filter(({ endpoint }) => endpoint.access === 'admin')) {
    const url = `/api/v1${endpoint.path.replace(':adminCreatorId', creatorId)}`;
    const answer = await admin.send({ method: endpoint.method, url, ...(endpoint.method !== 'GET' && { body: {} }) });
    expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('two-step login') } });
  }
  await switchOn(admin);
  expect((await admin.call(getMe)).body.account).toMatchObject({ isAdmin: true, needsTwoStep: false });
  expect((await admin.call(adminListCreators)).status).toBe(200);
  expect((await enter(admin)).status).toBe(200);
});

test('an admin who switches it off loses the rights at once', async () => {
  const admin = await signUpAdmin();
  const [code] = await switchOn(admin);
  expect((await admin.call(removeSecondFactor, { body: { password: admin.password, code: code! } })).status).toBe(200);
  expect((await admin.call(adminListCreators)).status).toBe(403);
  expect((await enter(admin)).status).toBe(403);
});

test('a visit shows nothing any more once the second factor is gone', async () => {
  const admin = await signUpAdmin();
  await switchOn(admin);
  expect((await enter(admin)).status).toBe(200);
  expect((await admin.call(getMe)).body).toMatchObject({ role: 'admin', creatorAccount: { _id: creatorId } });
  // As an operator would, by hand.
  await app.db.engine.updateTable('users').set({ two_factor_enabled: false }).where('id', '=', admin.id).execute();
  expect((await admin.call(getMe)).body).toMatchObject({ role: null, creatorAccount: null, adminAccess: null });
  const url = `/api/v1/creators/${creatorId}/automations`;
  expect((await admin.send({ method: 'GET', url })).status).toBe(404);
});

test('nobody else needs it, or hears of it', async () => {
  const ada = await app.signUpAndIn();
  expect((await ada.call(getMe)).body.account).toMatchObject({ isAdmin: false, needsTwoStep: false });
  expect((await ada.call(adminListCreators)).status).toBe(404);
});
