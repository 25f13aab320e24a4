import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAutomation } from '#contract/automations.ts';
import { createReply, deleteReply, getReply, listReplies, type ReplyInput, updateReply } from '#contract/replies.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let named = 0;

beforeAll(async () => {
  app = await createTestApp({});
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
});
afterAll(() => app.close());

function input(over: Partial<ReplyInput> = {}): ReplyInput {
  named++;
  return { name: `Replies ${named}`, kind: 'public_reply', texts: ['Sent!'], translations: [], ...over };
}

const create = (over: Partial<ReplyInput> = {}) => anna.call(createReply, { params: { creatorId }, body: input(over) });
const made = async (over: Partial<ReplyInput> = {}) => {
  const answer = await create(over);
  expect(answer.body).toMatchObject({ version: 1 });
  return answer.body;
};
const problems = async (over: Partial<ReplyInput>) => {
  const answer = await create(over);
  expect(answer.status).toBe(422);
  return (answer.body as unknown as { errors: { path: string; message: string }[] }).errors;
};

describe('texts that cannot be sent', () => {
  test('are refused with how much too long they are', async () => {
    expect(await problems({ texts: ['ok', 'x'.repeat(5000)] })).toEqual([
      { path: 'texts.1', message: 'This is 5000 characters long. The limit is 300.' },
    ]);
    const [problem] = await problems({ kind: 'message', texts: ['é'.repeat(5000)] });
    expect(problem?.message).toContain('This is 10000 bytes long. The limit is 1000.');
  });

  test('are refused for a variable inside of a variable', async () => {
    expect(await problems({ texts: ['Hi {{username|{{word}}}}'] })).toEqual([
      { path: 'texts.0', message: expect.stringContaining('a { or } too many') },
    ]);
  });

  test('are refused in every language', async () => {
    const translations = [{ language: 'es', texts: ['¡Enviado!', '{{nadie}}'] }];
    expect((await problems({ translations })).map(({ path }) => path)).toEqual(['translations.0.texts.1']);
    const twice = [translations[0]!, translations[0]!].map((one) => ({ ...one, texts: ['¡Enviado!'] }));
    expect((await problems({ translations: twice })).map(({ path }) => path)).toEqual(['translations.1.language']);
  });

  test('are refused without a text', async () => {
    expect((await problems({ texts: [] })).map(({ path }) => path)).toEqual(['texts']);
  });
});

describe('a library', () => {
  test('comes back as it was entered', async () => {
    const translations = [{ language: 'es', texts: ['¡Enviado!'] }];
    const { id } = await made({ texts: ['Sent!', 'Look in your inbox 👀'], translations });
    expect((await anna.call(getReply, { params: { creatorId, replyId: id } })).body).toMatchObject({
      texts: ['Sent!', 'Look in your inbox 👀'],
      translations,
      usedBy: [],
    });
  });

  test('may have the name of one of the other kind', async () => {
    await made({ name: 'Thanks' });
    await made({ name: 'Thanks', kind: 'message' });
    expect((await create({ name: 'thanks' })).body).toMatchObject({ code: 'already_exists' });
  });

  test('is not overwritten by somebody who began before', async () => {
    const { id } = await made();
    const params = { creatorId, replyId: id };
    expect((await anna.call(updateReply, { params, body: { ...input(), version: 1 } })).status).toBe(200);
    expect((await anna.call(updateReply, { params, body: { ...input(), version: 1 } })).body).toMatchObject({
      code: 'changed_meanwhile',
    });
  });

  test('stays, and stays public, while an automation that is on uses it', async () => {
    const connectionId = await insertConnection(app.db, creatorId);
    const { id } = await made({ name: 'Roast replies' });
    const params = { creatorId, replyId: id };
    const body = automationInput(connectionId);
    const used = (await anna.call(createAutomation, { params: { creatorId }, body })).body;
    const switchTo = (at: Date | null) =>
      app.db.engine
        .updateTable('automations')
        .set({ reply_id: id, switched_on_at: at })
        .where('id', '=', used.id)
        .execute();
    await switchTo(new Date());
    for (const answer of [
      await anna.call(deleteReply, { params }),
      await anna.call(updateReply, { params, body: { ...input({ kind: 'message' }), version: 1 } }),
    ]) {
      expect(answer.body).toMatchObject({
        code: 'not_possible_now',
        detail: expect.stringContaining('“Roast replies” is used by “Pasta”'),
      });
    }
    await switchTo(null);
    expect((await anna.call(deleteReply, { params })).status).toBe(200);
    const { items } = (await anna.call(listReplies, { params: { creatorId } })).body;
    expect(items.map((item: { id: string }) => item.id)).not.toContain(id);
  });
});
