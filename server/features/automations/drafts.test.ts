import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { discardDraft, publishDraft, saveDraft } from '#contract/automation-drafts.ts';
import {
  type Automation,
  createAutomation,
  getAutomation,
  switchAutomation,
  testComment,
  updateAutomation,
} from '#contract/automations.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;
let live: Automation;
let params: { creatorId: string; automationId: string };
let heard = 0;

beforeAll(async () => {
  app = await createTestApp({
    deps: {
      automationsChanged: () => {
        heard++;
      },
    },
  });
  anna = await app.signUpAndIn({ name: 'Anna Draft' });
});
afterAll(() => app.close());
beforeEach(async () => {
  creatorId = (await anna.createCreator()).id;
  connectionId = await insertConnection(app.db, creatorId);
  const body = automationInput(connectionId);
  const { id } = (await anna.call(createAutomation, { params: { creatorId }, body })).body;
  params = { creatorId, automationId: id };
  live = (await anna.call(switchAutomation, { params, body: { on: true } })).body;
});

const keep = (over: object, seen: { version?: number; draftVersion?: number } = {}) =>
  anna.call(saveDraft, {
    params,
    body: automationInput(connectionId, { version: 1, draftVersion: 0, ...seen, ...over }),
  });
const now = async (): Promise<Automation> => (await anna.call(getAutomation, { params })).body;
const answerTo = async (text: string) =>
  (await anna.call(testComment, { params: { creatorId }, body: { connectionId, postId: null, text } })).body.answer;

describe('a draft', () => {
  test('is refused when it could not be published, naming the field', async () => {
    const answer = await keep({ words: [] });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([{ path: 'words' }]);
    expect((await now()).draft).toBeNull();
  });

  test('changes nothing of what is live', async () => {
    const before = heard;
    const kept = (await keep({ words: ['soup'], messageText: 'Here is the soup' })).body;
    expect(kept).toMatchObject({
      version: 1,
      words: ['pasta'],
      messageText: 'Here',
      switchedOnAt: live.switchedOnAt,
      draftVersion: 1,
      draft: {
        version: 1,
        base: 1,
        savedBy: 'Anna Draft',
        input: { words: ['soup'], messageText: 'Here is the soup' },
      },
    });
    expect(heard).toBe(before);
    expect(await answerTo('soup')).toBeNull();
    expect(await answerTo('pasta')).toMatchObject({ message: 'Here' });
  });

  test('is tried as it stands in the tester', async () => {
    await keep({ words: ['soup'] });
    const { draft } = await now();
    const body = { connectionId, postId: null, text: 'soup', draft: { ...draft!.input, id: params.automationId } };
    const tested = await anna.call(testComment, { params: { creatorId }, body });
    expect(tested.body.answer).toMatchObject({ automationId: params.automationId, matchedWords: ['soup'] });
  });

  test('becomes the live version when it is published, with the same links and since the same time', async () => {
    await keep({ words: ['soup'] });
    const published = await anna.call(publishDraft, { params, body: { version: 1, draftVersion: 1 } });
    expect(published.body).toMatchObject({
      version: 2,
      words: ['soup'],
      draft: null,
      switchedOnAt: live.switchedOnAt,
    });
    expect(await answerTo('soup')).toMatchObject({ automationId: params.automationId });
    expect(
      await app.db.engine.selectFrom('links').select('id').where('automation_id', '=', params.automationId).execute(),
    ).toHaveLength(1);
    expect((await anna.call(publishDraft, { params, body: { version: 2, draftVersion: 2 } })).body).toMatchObject({
      code: 'changed_meanwhile',
    });
  });

  test('is forgotten when it is discarded', async () => {
    await keep({ words: ['soup'] });
    const left = await anna.call(discardDraft, { params, body: { draftVersion: 1 } });
    expect(left.body).toMatchObject({ version: 1, words: ['pasta'], draft: null, draftVersion: 2 });
  });

  test('from before a field was known is still a draft', async () => {
    await keep({ words: ['soup'] });
    await app.db.enginePool.query(`update automations set draft = draft #- '{input,followUp}' where id = $1`, [
      params.automationId,
    ]);
    expect((await now()).draft!.input).toMatchObject({ words: ['soup'], followUp: null });
  });
});

describe('two people at one automation', () => {
  test('do not save one draft over the other', async () => {
    expect((await keep({ words: ['theirs'] })).status).toBe(200);
    expect((await keep({ words: ['his'] })).body).toMatchObject({ code: 'changed_meanwhile' });
    expect((await now()).draft!.input.words).toEqual(['theirs']);
    expect((await keep({ words: ['his'] }, { draftVersion: 1 })).body).toMatchObject({ draftVersion: 2 });
  });

  test('at the same moment let one through', async () => {
    const answers = await Promise.all(['one', 'two', 'three'].map((word) => keep({ words: [word] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test('do not publish or discard a draft that they did not see', async () => {
    await keep({ words: ['theirs'] });
    await keep({ words: ['his'] }, { draftVersion: 1 });
    const seen = { version: 1, draftVersion: 1 };
    expect((await anna.call(publishDraft, { params, body: seen })).body.code).toBe('changed_meanwhile');
    expect((await anna.call(discardDraft, { params, body: { draftVersion: 1 } })).body.code).toBe('changed_meanwhile');
    expect(await now()).toMatchObject({ version: 1, draftVersion: 2 });
  });

  test('do not publish over a live version that was changed since the draft began', async () => {
    await keep({ words: ['theirs'] });
    const body = automationInput(connectionId, { words: ['his'], version: 1 });
    expect((await anna.call(updateAutomation, { params, body })).body).toMatchObject({ version: 2 });
    const refused = await anna.call(publishDraft, { params, body: { version: 2, draftVersion: 1 } });
    expect(refused.body).toMatchObject({ code: 'changed_meanwhile' });
    expect(refused.body.detail).toContain('after you started this draft');
    // Compared, and meant.
    expect((await keep({ words: ['theirs'] }, { version: 2, draftVersion: 1 })).status).toBe(200);
    const published = await anna.call(publishDraft, { params, body: { version: 2, draftVersion: 2 } });
    expect(published.body).toMatchObject({ version: 3, words: ['theirs'], draft: null });
  });
});
