import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeHandle, createCreator, getCreator } from '#contract/creators.ts';
import { getMe } from '#contract/session.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

test('is for people signed in', async () => {
  expect((await app.visitor().call(createCreator, { body: { handle: 'nobody' } })).status).toBe(401);
  expect(await handles('nobody')).toEqual([]);
});

test.each([
  '',
  'a',
  'x'.repeat(31),
  'with space',
  'emoji🍝',
  'ümlaut',
  "x'; drop table creators; --",
  '<b>x</b>',
  'nul\u0000',
  'line\nbreak',
])('refuses the handle %j', async (handle) => {
  const ada = await app.signUpAndIn();
  const answer = await ada.call(createCreator, { body: { handle } });
  expect(answer.status).toBe(422);
  expect(answer.body.errors[0].path).toBe('handle');
  expect((await ada.call(getMe)).body.creatorAccount).toBeNull();
});

test('answers for itself what auth/me says of it', async () => {
  const [ada, bert] = [await app.signUpAndIn(), await app.signUpAndIn()];
  const { id } = await ada.createCreator();
  const { creatorAccount, subscription, billing, tokenDetails, queue, toolsToReconnect, mailServerFails } = (
    await ada.call(getMe)
  ).body;
  const answer = await ada.call(getCreator, { params: { creatorId: id } });
  const troubles = { toolsToReconnect, mailServerFails };
  expect(answer.body).toEqual({ ...creatorAccount, subscription, billing, tokenDetails, queue, ...troubles });
  expect((await bert.call(getCreator, { params: { creatorId: id } })).status).toBe(404);
  expect((await app.visitor().call(getCreator, { params: { creatorId: id } })).status).toBe(401);
});

test('refuses a handle that somebody else has, in any spelling', async () => {
  const [ada, bert] = [await app.signUpAndIn(), await app.signUpAndIn()];
  await ada.createCreator('Golden.Fork');
  const answer = await bert.call(createCreator, { body: { handle: ' gOLDEN.fORK ' } });
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ code: 'already_exists', errors: [{ path: 'handle' }] });
  expect((await bert.call(getMe)).body).toMatchObject({ creatorAccount: null, memberships: [] });
});

test('strips an @ before the handle', async () => {
  const ada = await app.signUpAndIn();
  expect((await ada.call(createCreator, { body: { handle: ' @stripped.at' } })).body.handle).toBe('stripped.at');
  expect((await ada.call(createCreator, { body: { handle: '@@twice' } })).status).toBe(422);
});

test('changes the handle, but not to one that somebody else has', async () => {
  const [ada, bert] = [await app.signUpAndIn(), await app.signUpAndIn()];
  const { id: creatorId } = await ada.createCreator('before.it');
  await bert.createCreator('taken.already');
  const change = (handle: string) => ada.call(changeHandle, { params: { creatorId }, body: { handle } });
  const refused = await change('Taken.Already');
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ code: 'already_exists', errors: [{ path: 'handle' }] });
  expect((await change('@after.it')).body).toEqual({ handle: 'after.it' });
  expect((await change('After.It')).status).toBe(200);
  expect((await ada.call(getMe)).body.creatorAccount.handle).toBe('After.It');
});

test('gives one handle to one of two people who ask at the same moment', async () => {
  const both = [await app.signUpAndIn(), await app.signUpAndIn()];
  const answers = await Promise.all(
    both.map((person) => person.call(createCreator, { body: { handle: 'contested' } })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await handles('contested')).toHaveLength(1);
});

test('makes one creator of two clicks', async () => {
  const ada = await app.signUpAndIn();
  const answers = await Promise.all([1, 2].map(() => ada.call(createCreator, { body: { handle: 'TwoClicks' } })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]!.body).toEqual(answers[1]!.body);
  const { memberships } = (await ada.call(getMe)).body;
  expect(memberships).toHaveLength(1);
});

test('lets a person start another creator, which becomes the current one', async () => {
  const ada = await app.signUpAndIn();
  await ada.createCreator('first.kitchen');
  await ada.createCreator('second.kitchen');
  const { body } = await ada.call(getMe);
  expect(body.creatorAccount.handle).toBe('second.kitchen');
  expect(
    body.memberships.map(({ displayName, current }: { displayName: string; current: boolean }) => [
      displayName,
      current,
    ]),
  ).toEqual([
    ['first.kitchen', false],
    ['second.kitchen', true],
  ]);
});

function handles(handle: string) {
  return app.db.engine.selectFrom('creators').select('handle').where('handle', '=', handle).execute();
}
