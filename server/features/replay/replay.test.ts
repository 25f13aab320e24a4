import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAutomation, switchAutomation } from '#contract/automations.ts';
import { replayAutomation } from '#contract/prepared-posts.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection, insertInteraction, insertPost } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;

beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  connectionId = await insertConnection(app.db, creatorId);
  for (const id of ['soup', 'bread']) await insertPost(app.db, creatorId, connectionId, { id });
});
afterAll(() => app.close());

const draftOf = (over: object = {}) =>
  automationInput(connectionId, { id: null, name: 'Draft', postId: 'soup', words: ['RECIPE'], buttons: [], ...over });
const replay = async (over: object = {}, days = 7) =>
  anna.call(replayAutomation, { params: { creatorId }, body: { draft: draftOf(over) as never, days } });
const comment = (text: string, over: object = {}) =>
  insertInteraction(app.db, creatorId, connectionId, { text, post_id: 'soup', ...over });

test('refuses a draft that could not be saved, and an account of somebody else', async () => {
  expect((await replay({ words: [] })).body).toMatchObject({ code: 'invalid_input' });
  expect((await replay({ connectionId: crypto.randomUUID() })).status).toBe(404);
  expect((await replay({ id: crypto.randomUUID() })).status).toBe(404);
});

test('nothing was written: nothing is found', async () => {
  expect((await replay()).body).toEqual({
    comments: 0,
    capped: false,
    wouldMatch: { count: 0, people: 0, examples: [] },
    wouldMiss: { count: 0, examples: [], words: [] },
    falseAlarms: { count: 0, examples: [] },
    clashes: [],
  });
});

test('says what it would answer, miss, answer wrongly, and who else wants it', async () => {
  await comment('recipe please', { person_id: 'ida' });
  await comment('RECIPE!', { person_id: 'ida' });
  await comment('I made this recipe and loved it so much');
  await comment('receta porfa');
  await comment('receta!');
  await comment('Rceeeip pls');
  await comment('Looks lovely');
  await comment('recipe', { reason: 'own_comment' });
  await comment('recipe', { post_id: 'bread' });
  await comment('recipe', { received_at: new Date(Date.now() - 3 * DAY_MS) });
  await comment('recipe by message', { kind: 'direct_message', post_id: null });
  const made = await anna.call(createAutomation, {
    params: { creatorId },
    body: draftOf({ name: 'Older', words: ['please'] }) as never,
  });
  const params = { creatorId, automationId: made.body.id };
  expect((await anna.call(switchAutomation, { params, body: { on: true } })).status).toBe(200);

  const { body } = await replay({}, 2);
  expect(body).toMatchObject({
    comments: 7,
    capped: false,
    wouldMatch: { count: 2, people: 2 },
    falseAlarms: { count: 1, examples: [{ text: 'I made this recipe and loved it so much' }] },
    clashes: [{ automationId: made.body.id, name: 'Older', winner: 'other', count: 1, examples: ['recipe please'] }],
  });
  expect(body.wouldMatch.examples[0]).toMatchObject({ matchedWords: ['RECIPE'], how: expect.any(String) });
  expect(body.wouldMiss.count).toBe(3);
  expect(body.wouldMiss.words[0]).toEqual({ word: 'receta', count: 2 });
  expect((await replay({}, 7)).body.comments).toBe(8);
  expect((await replay({ postId: null, scope: 'next' }, 2)).body.comments).toBe(8);
  expect((await replay({ postId: null, trigger: 'direct_message' }, 2)).body.wouldMatch.count).toBe(1);
});

test('of a flood the newest are read, and it says so', async () => {
  await app.db.enginePool.query(
    `insert into interactions (creator_id, id, connection_id, kind, platform_id, post_id, person_id, text, occurred_at,
       received_at, outcome, reason, outcome_at)
     select $1, gen_random_uuid(), $2, 'comment', 'flood-' || n, 'bread', 'p' || n, 'recipe ' || n, $3, $3, 'skipped',
       'no_match', $3
     from generate_series(1, 20500) n`,
    [creatorId, connectionId, new Date()],
  );
  const { body } = await replay({ postId: 'bread' });
  expect(body).toMatchObject({ comments: 20_000, capped: true, wouldMatch: { count: 20_000 } });
  expect(body.wouldMatch.examples).toHaveLength(10);
});
