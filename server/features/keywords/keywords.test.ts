import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAutomation, getAutomation, testComment } from '#contract/automations.ts';
import {
  createKeyword,
  deleteKeyword,
  getKeyword,
  type KeywordInput,
  listKeywords,
  updateKeyword,
} from '#contract/keywords.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;
const changes: string[] = [];
let named = 0;

beforeAll(async () => {
  app = await createTestApp({
    deps: {
      automationsChanged: (change) => {
        changes.push(change.creatorId);
      },
    },
  });
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  connectionId = await insertConnection(app.db, creatorId);
});
afterAll(() => app.close());

function input(over: Partial<KeywordInput> = {}): KeywordInput {
  named++;
  return {
    name: `Words ${named}`,
    words: ['RECIPE'],
    mode: 'whole_word',
    excludedWords: [],
    typoTolerance: true,
    ...over,
  };
}

const create = (over: Partial<KeywordInput> = {}) =>
  anna.call(createKeyword, { params: { creatorId }, body: input(over) });
const made = async (over: Partial<KeywordInput> = {}) => {
  const answer = await create(over);
  expect(answer.body).toMatchObject({ version: 1 });
  return answer.body;
};
const usedByAutomation = async (keywordId: string, { on }: { on: boolean }) => {
  const body = automationInput(connectionId, { name: 'Sunday roast', words: [], keywordIds: [keywordId] });
  const { id } = (await anna.call(createAutomation, { params: { creatorId }, body: body as never })).body;
  if (on) {
    await app.db.engine.updateTable('automations').set({ switched_on_at: new Date() }).where('id', '=', id).execute();
  }
  return id;
};

describe('a set of words', () => {
  test('is refused without a word, naming the field', async () => {
    const answer = await create({ words: [] });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: 'invalid_input', errors: [{ path: 'words' }] });
  });

  test('is refused when its excluded words take everything away', async () => {
    expect((await create({ words: ['pasta'], excludedWords: ['PASTA'] })).body).toMatchObject({
      errors: [{ path: 'excludedWords' }],
    });
  });

  test('is refused under a name that another one has, in whatever case', async () => {
    await made({ name: 'Sunday words' });
    const answer = await create({ name: 'SUNDAY WORDS' });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'already_exists', errors: [{ path: 'name' }] });
    const other = await made();
    const renamed = await anna.call(updateKeyword, {
      params: { creatorId, keywordId: other.id },
      body: { ...input({ name: 'sunday words' }), version: 1 },
    });
    expect(renamed.body).toMatchObject({ code: 'already_exists' });
  });

  test('is not to be seen in someone else’s account', async () => {
    const { id } = await made();
    const stranger = await app.signUpAndIn();
    const theirs = (await stranger.createCreator()).id;
    const answer = await stranger.call(getKeyword, { params: { creatorId: theirs, keywordId: id } });
    expect(answer.status).toBe(404);
  });

  test('comes back as it was entered, and the engine hears of it', async () => {
    const before = changes.length;
    const set = await made({ words: ['(a+)+$', '👨‍👩‍👧‍👦', 'crème brûlée'], mode: 'contains' });
    const answer = await anna.call(getKeyword, { params: { creatorId, keywordId: set.id } });
    expect(answer.body).toMatchObject({ words: ['(a+)+$', '👨‍👩‍👧‍👦', 'crème brûlée'], mode: 'contains', usedBy: [] });
    expect(changes.slice(before)).toEqual([creatorId]);
  });

  test('holds a thousand words and not one more', async () => {
    const words = Array.from({ length: 1000 }, (_, at) => `word${at}`);
    expect((await made({ words })).words).toHaveLength(1000);
    const answer = await create({ words: [...words, 'last'] });
    expect(answer.body).toMatchObject({ errors: [{ path: 'words', message: 'At most 1,000 keywords.' }] });
  });
});

describe('an automation', () => {
  test('needs no word of its own beside a set, and answers to the set', async () => {
    const set = await made({ words: ['RECIPE', '(a+)+$'], excludedWords: ['no'] });
    await usedByAutomation(set.id, { on: true });
    const tested = async (text: string) =>
      (await anna.call(testComment, { params: { creatorId }, body: { connectionId, postId: null, text } })).body.answer;
    expect(await tested('the recipe please')).toMatchObject({ name: 'Sunday roast', matchedWords: ['RECIPE'] });
    expect(await tested('recipe? no!')).toBeNull();
    expect(await tested(`${'a'.repeat(5000)}!`)).toBeNull();
    await app.db.engine.updateTable('automations').set({ switched_on_at: null }).execute();
  });

  test('cannot use a set that is deleted, or another creator’s', async () => {
    const set = await made();
    await anna.call(deleteKeyword, { params: { creatorId, keywordId: set.id } });
    const body = automationInput(connectionId, { keywordIds: [set.id] });
    expect((await anna.call(createAutomation, { params: { creatorId }, body })).body).toMatchObject({
      code: 'not_found',
    });
  });
});

describe('changing', () => {
  test('is refused when somebody saved in between, and loses nothing', async () => {
    const set = await made();
    const params = { creatorId, keywordId: set.id };
    const mine = { ...input({ words: ['MINE'] }), version: 1 };
    const theirs = { ...input({ words: ['THEIRS'] }), version: 1 };
    expect((await anna.call(updateKeyword, { params, body: theirs })).body).toMatchObject({ version: 2 });
    const late = await anna.call(updateKeyword, { params, body: mine });
    expect(late.body).toMatchObject({ code: 'changed_meanwhile' });
    expect((await anna.call(getKeyword, { params })).body).toMatchObject({ words: ['THEIRS'], version: 2 });
    expect((await anna.call(updateKeyword, { params, body: { ...mine, version: 2 } })).body).toMatchObject({
      words: ['MINE'],
      version: 3,
    });
  });

  test('at the same moment lets one through', async () => {
    const set = await made();
    const params = { creatorId, keywordId: set.id };
    const answers = await Promise.all(
      ['ONE', 'TWO', 'THREE'].map((word) =>
        anna.call(updateKeyword, { params, body: { ...input({ words: [word] }), version: 1 } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});

describe('deleting', () => {
  test('is refused while an automation that is on listens for it, naming that', async () => {
    const set = await made({ name: 'Roast words' });
    await usedByAutomation(set.id, { on: true });
    const answer = await anna.call(deleteKeyword, { params: { creatorId, keywordId: set.id } });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      code: 'not_possible_now',
      detail: expect.stringContaining('“Roast words” is used by “Sunday roast”, which is on.'),
    });
  });

  test('takes it out of automations that are off', async () => {
    const set = await made();
    const automationId = await usedByAutomation(set.id, { on: false });
    const params = { creatorId, keywordId: set.id };
    expect((await anna.call(getKeyword, { params })).body).toMatchObject({
      usedBy: [{ automationId, name: 'Sunday roast', on: false, postId: null }],
    });
    expect((await anna.call(deleteKeyword, { params })).status).toBe(200);
    expect((await anna.call(getKeyword, { params })).status).toBe(404);
    const { items } = (await anna.call(listKeywords, { params: { creatorId } })).body;
    expect(items.map((item: { id: string }) => item.id)).not.toContain(set.id);
    const left = await app.db.engine
      .selectFrom('automations')
      .select('keyword_ids')
      .where('id', '=', automationId)
      .executeTakeFirstOrThrow();
    expect(left.keyword_ids).toEqual([]);
    expect((await anna.call(getAutomation, { params: { creatorId, automationId } })).body).toMatchObject({
      version: 2,
    });
  });

  test('makes its name free again', async () => {
    const set = await made({ name: 'Once' });
    await anna.call(deleteKeyword, { params: { creatorId, keywordId: set.id } });
    await made({ name: 'Once' });
  });
});
