import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createAutomation,
  deleteAutomation,
  getAutomation,
  listAutomations,
  switchAutomation,
  testComment,
  updateAutomation,
} from '#contract/automations.ts';
import { automationInput } from '#server/testing/inputs.ts';
import { insertConnection, insertPost } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let connectionId: string;
const changes: string[] = [];

beforeAll(async () => {
  app = await createTestApp({
    deps: {
      automationsChanged: ({ creatorId }) => {
        changes.push(creatorId);
      },
    },
  });
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  connectionId = await insertConnection(app.db, creatorId);
  await insertPost(app.db, creatorId, connectionId, { id: 'post-1', caption: 'Comment PASTA' });
});
afterAll(() => app.close());

function input(over: object = {}) {
  return automationInput(connectionId, {
    name: '',
    postId: 'post-1',
    words: ['PASTA'],
    messageText: 'Here is the recipe',
    buttons: [{ title: 'Recipe', url: 'https://example.test/pasta' }],
    publicReplies: ['Sent!'],
    repeatAfterMinutes: 1440,
    ...over,
  });
}

async function made(over: object = {}) {
  const answer = await anna.call(createAutomation, { params: { creatorId }, body: input(over) });
  expect(answer.body).toMatchObject({ version: 1 });
  return answer.body;
}

describe('making an automation', () => {
  test('needs somebody signed in', async () => {
    const answer = await app.visitor().call(createAutomation, { params: { creatorId }, body: input() });
    expect(answer.status).toBe(401);
  });

  test('is not possible in someone else’s account', async () => {
    const stranger = await app.signUpAndIn();
    await stranger.createCreator();
    const answer = await stranger.call(createAutomation, { params: { creatorId }, body: input() });
    expect(answer.status).toBe(404);
    expect((await stranger.call(listAutomations, { params: { creatorId } })).status).toBe(404);
  });

  test('names each field that is wrong', async () => {
    const answer = await anna.call(createAutomation, {
      params: { creatorId },
      body: input({ words: ['!'], messageText: ' ', buttons: [{ title: '', url: 'javascript:alert(1)' }] }),
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toEqual(
      expect.arrayContaining(['messageText', 'buttons.0.title', 'buttons.0.url']),
    );
  });

  test('refuses an automation without words', async () => {
    const answer = await anna.call(createAutomation, { params: { creatorId }, body: input({ words: [] }) });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([{ path: 'words', message: expect.stringContaining('at least one keyword') }]);
  });

  test('refuses a message, a link and a public reply that Instagram would refuse', async () => {
    const answer = await anna.call(createAutomation, {
      params: { creatorId },
      body: input({ messageText: 'a'.repeat(641), publicReplies: ['Sent!', '#a #b #c #d #e'] }),
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toEqual(['messageText', 'publicReplies.1']);
  });

  test('refuses a post that is not the account’s', async () => {
    const answer = await anna.call(createAutomation, { params: { creatorId }, body: input({ postId: 'elsewhere' }) });
    expect(answer.status).toBe(404);
    expect(answer.body.detail).toContain('post');
  });

  test('starts switched off, named after its word, and tells the engine', async () => {
    const automation = await made();
    expect(automation).toMatchObject({ name: 'PASTA', switchedOnAt: null, clashes: [], blockedBecause: null });
    expect(changes).toContain(creatorId);
    const read = await anna.call(getAutomation, { params: { creatorId, automationId: automation.id } });
    expect(read.body).toEqual(automation);
  });
});

describe('changing an automation', () => {
  test('keeps the short link of an address that stays, and of one that comes back', async () => {
    const { id } = await made();
    const save = async (version: number, urls: string[]) => {
      const body = { ...input({ buttons: urls.map((url, n) => ({ title: `Link ${n}`, url })) }), version };
      const answer = await anna.call(updateAutomation, { params: { creatorId, automationId: id }, body });
      expect(answer.status).toBe(200);
      const row = await app.db.engine
        .selectFrom('automations')
        .select('buttons')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return (row.buttons as { code: string; url: string }[]).map((button) => button.code);
    };
    const [pasta] = await save(1, ['https://example.test/pasta']);
    expect(pasta).toMatch(/^[0-9A-Za-z]{7}$/);
    const [soup, again] = await save(2, ['https://example.test/soup', 'https://example.test/pasta']);
    expect(again).toBe(pasta);
    expect(soup).not.toBe(pasta);
    expect(await save(3, [])).toEqual([]);
    expect(await save(4, ['https://example.test/soup'])).toEqual([soup]);
  });

  test('is refused when someone changed it meanwhile', async () => {
    const { id } = await made();
    const params = { creatorId, automationId: id };
    const both = await Promise.all(
      ['One', 'Two'].map((name) => anna.call(updateAutomation, { params, body: { ...input({ name }), version: 1 } })),
    );
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409]);
    expect(both.find((answer) => answer.status === 409)!.body.code).toBe('changed_meanwhile');
    expect((await anna.call(getAutomation, { params })).body.version).toBe(2);
  });
});

describe('switching', () => {
  test('on twice keeps the time of the first, off clears it', async () => {
    const { id } = await made({ words: ['LASAGNE'] });
    const params = { creatorId, automationId: id };
    const first = await anna.call(switchAutomation, { params, body: { on: true } });
    expect(first.body.switchedOnAt).toBe(app.clock.now().toISOString());
    await app.clock.advance(60_000);
    const second = await anna.call(switchAutomation, { params, body: { on: true } });
    expect(second.body.switchedOnAt).toBe(first.body.switchedOnAt);
    const off = await anna.call(switchAutomation, { params, body: { on: false } });
    expect(off.body.switchedOnAt).toBeNull();
  });

  test.each([
    ['not_connected', { disconnected_at: new Date() }],
    ['needs_reconnect', { requires_auth_at: new Date() }],
    ['needs_reconnect', { missing_permissions: ['instagram_business_manage_comments'] }],
    ['needs_reconnect', { missing_webhooks: ['comments'] }],
  ])('on is refused with %s and the reason while it could not fire (%o)', async (code, state) => {
    const other = await insertConnection(app.db, creatorId);
    const { id } = await made({ connectionId: other, postId: null, words: ['broken'] });
    const params = { creatorId, automationId: id };
    await app.db.engine.updateTable('connections').set(state).where('id', '=', other).execute();
    const answer = await anna.call(switchAutomation, { params, body: { on: true } });
    expect(answer.body).toMatchObject({ code, detail: expect.stringMatching(/Settings|reconnect/) });
    expect((await anna.call(getAutomation, { params })).body.switchedOnAt).toBeNull();
  });

  test('one that is on says why it can no longer fire', async () => {
    const other = await insertConnection(app.db, creatorId);
    const { id } = await made({ connectionId: other, postId: null, words: ['later'] });
    const params = { creatorId, automationId: id };
    await anna.call(switchAutomation, { params, body: { on: true } });
    await app.db.engine
      .updateTable('connections')
      .set({ requires_auth_at: new Date() })
      .where('id', '=', other)
      .execute();
    expect((await anna.call(getAutomation, { params })).body.blockedBecause).toContain('reconnected');
  });
});

describe('several automations', () => {
  test('that listen for one word in one place are named to each other', async () => {
    await insertPost(app.db, creatorId, connectionId, { id: 'post-2' });
    const first = await made({ postId: 'post-2', words: ['soup', 'broth'], name: 'Soup' });
    await anna.call(switchAutomation, { params: { creatorId, automationId: first.id }, body: { on: true } });
    await app.clock.advance(1000);
    const second = await made({ postId: 'post-2', words: ['Soup'], name: 'Soup again' });
    expect(second.clashes).toEqual([
      { automationId: first.id, name: 'Soup', words: expect.any(Array), winner: 'other' },
    ]);
    const list = await anna.call(listAutomations, { params: { creatorId }, query: { postId: 'post-2' } });
    const query = { postId: 'post-2', trigger: 'story_reply' as const };
    expect((await anna.call(listAutomations, { params: { creatorId }, query })).body.items).toEqual([]);
    expect(list.body.items.map((item: { name: string }) => item.name)).toEqual(['Soup again', 'Soup']);
    expect(list.body.items[0].figures).toEqual({ matched: 0, sent: 0, waiting: 0, failed: 0, opened: 0, clicked: 0 });
    expect(list.body.items[0].post).toEqual({ caption: expect.any(String), pictureUrl: null });
  });

  test('the tester says who answers and why the others do not', async () => {
    await insertPost(app.db, creatorId, connectionId, { id: 'post-3' });
    const saved = await made({ postId: 'post-3', words: ['stew'], name: 'Stew' });
    const asked = (text: string, draft?: object) =>
      anna.call(testComment, {
        params: { creatorId },
        body: { connectionId, postId: 'post-3', text, ...(draft && { draft: { ...input(), ...draft, id: null } }) },
      });
    expect((await asked('stew please')).body.answer).toBeNull();
    await anna.call(switchAutomation, { params: { creatorId, automationId: saved.id }, body: { on: true } });
    const answer = await asked('STEW please', { postId: 'post-3', words: ['please'], priority: 5, name: 'Draft' });
    expect(answer.body).toEqual({
      answer: {
        automationId: null,
        name: 'Draft',
        matchedWords: ['please'],
        how: expect.stringContaining('is in the comment'),
        message: 'Here is the recipe',
      },
      others: [{ automationId: saved.id, name: 'Stew', why: expect.stringContaining('priority') }],
    });
    const none = await asked('nothing of that');
    expect(none.body).toMatchObject({ answer: null, others: [{ why: 'The comment doesn’t contain its keyword.' }] });
  });
});

test('a deleted automation is gone, deleting it twice says so, its links go on working', async () => {
  const { id } = await made();
  const params = { creatorId, automationId: id };
  const answers = await Promise.all([anna.call(deleteAutomation, { params }), anna.call(deleteAutomation, { params })]);
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404]);
  expect((await anna.call(getAutomation, { params })).status).toBe(404);
  expect((await anna.call(switchAutomation, { params, body: { on: true } })).status).toBe(404);
  const links = await app.db.engine.selectFrom('links').select('url').where('automation_id', '=', id).execute();
  expect(links).toEqual([{ url: 'https://example.test/pasta' }]);
});

describe('triggers and steps', () => {
  const steps = {
    trigger: 'direct_message',
    postId: null,
    variants: [{ id: 'b', text: 'Here you are' }],
    translations: [{ language: 'es', words: ['receta'], messageText: 'Aquí está', publicReplies: [] }],
    card: { title: 'Pasta', subtitle: '', imageUrl: null },
    opening: { text: 'Shall I send it?', buttonTitle: 'Send it to me' },
    followAsk: { text: 'Follow first', buttonTitle: 'I follow' },
    emailAsk: { text: 'Your address?', consent: 'You get my letter.' },
    followUp: { text: 'Did you see it?', afterMinutes: 60 },
  };

  test('are stored and given back', async () => {
    const { id } = await made(steps);
    const { body } = await anna.call(getAutomation, { params: { creatorId, automationId: id } });
    expect(body).toMatchObject({ ...steps, scope: 'any' });
    const changed = await anna.call(updateAutomation, {
      params: { creatorId, automationId: id },
      body: { ...input({ ...steps, opening: null, card: null }), version: 1 },
    });
    expect(changed.body).toMatchObject({ opening: null, card: null, followAsk: steps.followAsk, version: 2 });
  });

  test('left out are those of a comment on the post, or on any without one', async () => {
    expect(await made()).toMatchObject({ trigger: 'comment', scope: 'one', opening: null, variants: [] });
    expect(await made({ postId: null })).toMatchObject({ trigger: 'comment', scope: 'any' });
    expect(await made({ postId: null, scope: 'next' })).toMatchObject({ scope: 'next', postId: null });
  });

  test.each<[object, string]>([
    [{ postId: null, scope: 'one' }, 'postId'],
    [{ scope: 'any' }, 'postId'],
    [{ postId: null, scope: 'caption' }, 'captionWords'],
    [{ postId: null, scope: 'caption', trigger: 'direct_message' }, 'scope'],
    [{ opening: { text: 'x'.repeat(641), buttonTitle: 'Go' } }, 'opening.text'],
    [{ followAsk: { text: 'Hi', buttonTitle: 'x'.repeat(21) } }, 'followAsk.buttonTitle'],
    [{ variants: [{ id: 'b', text: 'x'.repeat(641) }] }, 'variants.0.text'],
    [{ emailAsk: { text: 'ä'.repeat(501), consent: 'Yes' } }, 'emailAsk.text'],
    [
      { translations: [{ language: 'es', words: ['a'], messageText: 'x'.repeat(641), publicReplies: [] }] },
      'translations.0.messageText',
    ],
  ])('%j is refused at %s', async (over, path) => {
    const answer = await anna.call(createAutomation, { params: { creatorId }, body: input(over) });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  test('of stories and lives are not for Pages', async () => {
    const page = await insertConnection(app.db, creatorId, { platform: 'facebook' });
    const story = input({ connectionId: page, postId: null, trigger: 'story_mention' });
    const answer = await anna.call(createAutomation, { params: { creatorId }, body: story });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([{ path: 'trigger' }]);
  });

  test.each<[object, string, string | null]>([
    [{ trigger: 'direct_message', postId: null }, 'messages', 'messages to'],
    [{ trigger: 'direct_message', postId: null }, 'comments', null],
    [{ trigger: 'story_mention', postId: null }, 'messages', 'story mentions of'],
    [{ trigger: 'live_comment', postId: null }, 'live_comments', 'comments in live videos of'],
    [{ postId: null }, 'messages', null],
    [{ postId: null, opening: steps.opening }, 'messaging_postbacks', 'button taps on'],
  ])('%j without the webhook %s: %s', async (over, webhook, because) => {
    const account = await insertConnection(app.db, creatorId, { missing_webhooks: [webhook] });
    const { id } = await made({ ...over, connectionId: account });
    const switched = await anna.call(switchAutomation, { params: { creatorId, automationId: id }, body: { on: true } });
    if (because === null) expect(switched.status).toBe(200);
    else expect(switched.body.detail ?? JSON.stringify(switched.body)).toContain(because);
  });
});
