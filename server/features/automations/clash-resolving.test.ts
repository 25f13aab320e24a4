import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAutomation, getAutomation, switchAutomation, updateAutomation } from '#contract/automations.ts';
import { type ClashAnswer, resolveClash } from '#contract/clashes.ts';
import { createKeyword } from '#contract/keywords.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;
let here: string;
let there: string;

beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
});
afterAll(() => app.close());

const made = async (over: object) => {
  const body = automationInput(connectionId, { ...over });
  const { id } = (await anna.call(createAutomation, { params: { creatorId }, body })).body;
  await anna.call(switchAutomation, { params: { creatorId, automationId: id }, body: { on: true } });
  return id;
};
const clashesOf = async (automationId: string) =>
  (await anna.call(getAutomation, { params: { creatorId, automationId } })).body.clashes;
const decide = (how: ClashAnswer, words: string[] = ['pasta']) =>
  anna.call(resolveClash, { params: { creatorId, automationId: here }, body: { otherId: there, how, words } });

beforeEach(async () => {
  connectionId = await insertConnection(app.db, creatorId);
  there = await made({ name: 'Older', words: ['pasta', 'soup'] });
  here = await made({ name: 'Newer', words: ['pasta', 'cake'] });
  expect(await clashesOf(here)).toMatchObject([{ automationId: there, words: ['pasta'], winner: 'other' }]);
});

test('words that are not its own cannot be taken out of it', async () => {
  const answer = await decide('remove_here', ['soup']);
  expect(answer.body).toMatchObject({ code: 'not_possible_now', detail: expect.stringContaining('“soup”') });
});

test('its last word cannot be taken out of it', async () => {
  const { body } = await anna.call(getAutomation, { params: { creatorId, automationId: there } });
  const params = { creatorId, automationId: there };
  await anna.call(updateAutomation, { params, body: { ...body, words: ['pasta'] } });
  expect((await decide('remove_there')).body).toMatchObject({ code: 'not_possible_now' });
});

test('an automation that is gone cannot be decided about', async () => {
  there = '01890000-0000-7000-8000-000000000009';
  expect((await decide('answer_here')).status).toBe(404);
});

test('priority goes to this one, and back', async () => {
  expect((await decide('answer_here')).body).toMatchObject({ message: '“Newer” now replies instead of “Older”.' });
  expect(await clashesOf(here)).toMatchObject([{ winner: 'this' }]);
  await decide('answer_there');
  expect(await clashesOf(here)).toMatchObject([{ winner: 'other' }]);
});

test('priority is given even against the highest there is', async () => {
  const params = { creatorId, automationId: there };
  const { body } = await anna.call(getAutomation, { params });
  await anna.call(updateAutomation, { params, body: { ...body, priority: 1000 } });
  await decide('answer_here');
  expect(await clashesOf(here)).toMatchObject([{ winner: 'this' }]);
});

test('the word is taken out on either side, and a draft of the older version is not lost', async () => {
  await decide('remove_there', ['PASTA']);
  expect(await clashesOf(here)).toEqual([]);
  const { body } = await anna.call(getAutomation, { params: { creatorId, automationId: there } });
  expect(body).toMatchObject({ words: ['soup'], version: 2 });
  const late = await anna.call(updateAutomation, {
    params: { creatorId, automationId: there },
    body: { ...body, version: 1 },
  });
  expect(late.body).toMatchObject({ code: 'changed_meanwhile' });
});

test('a word of Custom Keywords clashes too', async () => {
  const body = {
    name: 'Soups',
    words: ['ramen'],
    mode: 'whole_word' as const,
    excludedWords: [],
    typoTolerance: false,
  };
  const { id } = (await anna.call(createKeyword, { params: { creatorId }, body })).body;
  const set = await made({ name: 'By set', words: [], keywordIds: [id] });
  const word = await made({ name: 'By word', words: ['ramen'] });
  expect(await clashesOf(set)).toMatchObject([{ automationId: word, words: ['ramen'], winner: 'this' }]);
});
