/** Messages followers get only because the Test tab of a post is open: answered, and in no figure. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAutomations } from '#contract/automations.ts';
import { listContacts } from '#contract/contacts.ts';
import { getComparison, getFigures } from '#contract/figures.ts';
import { getHome } from '#contract/home.ts';
import { listInteractions } from '#contract/interactions.ts';
import { getPost, listPosts, testPost } from '#contract/posts.ts';
import { rollUpCounts } from '#server/engine/outcomes/counts.ts';
import type { WorldCreator } from '#server/engine/testing/engine-world.ts';
import { type Asked, createFollowers, type Followers } from '#server/testing/followers.ts';
import { insertPost } from '#server/testing/rows.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

let app: TestApp;
let anna: Person;
let creatorId: string;
let followers: Followers;
let account: WorldCreator;
let postId: string;
let automationId: string;

beforeAll(async () => {
  app = await createTestApp({
    deps: { automationsChanged: (change) => followers.engine.automationsChanged(change.creatorId) },
  });
  followers = await createFollowers(app);
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
  account = await followers.connect(creatorId);
  postId = account.posts[0]!.mediaId;
  await insertPost(app.db, creatorId, account.connectionId, { id: postId });
  automationId = await followers.automation(anna, account, {
    repeatAfterMinutes: DAY_MINUTES,
    variants: [{ id: 'b', text: 'Hi! Here it is' }],
  });
});
afterAll(async () => {
  await followers?.close();
  await app?.close();
});

const [FAN, TESTER] = [0, 1];

const testing = (open: boolean) => anna.call(testPost, { params: { creatorId, postId }, body: { open } });
const ask = (person: number) => followers.ask(account, { person });

/** They ask once more. @returns what became of it */
async function comment(person: number): Promise<{ reason: string; isTest: boolean }> {
  const { personId } = account.followers[person]!;
  await followers.simulator.control.comment({ mediaId: postId, personId, text: 'pasta' });
  await followers.work();
  const { body } = await anna.call(listInteractions, { params: { creatorId }, query: { limit: 1 } });
  return body.items[0];
}

async function see(asked: Asked): Promise<void> {
  await followers.open(account, asked);
  await followers.tap(asked.deliveryId);
}

/** In every place, before and after counts are added up. */
async function expectFigures(
  whole: { comments: number; matched: number; sent: number; opened: number; clicked: number },
  notSent: number,
): Promise<void> {
  const { comments, matched, sent, clicked } = whole;
  for (const rolledUp of [false, true]) {
    if (rolledUp) await rollUpCounts(app.db);
    const { body: home } = await anna.call(getHome, { params: { creatorId }, query: {} });
    expect(home).toMatchObject({ figures: whole, topPosts: [{ id: postId, ...whole }] });
    expect(home.outcomes.find(({ reason }: { reason: string }) => reason === 'sent').count).toBe(sent);
    const { body: cards } = await anna.call(listPosts, { params: { creatorId } });
    expect(cards.items).toMatchObject([{ comments, matched, sent }]);
    const { body: panel } = await anna.call(getPost, { params: { creatorId, postId } });
    expect(panel.reconciliation).toMatchObject({ ...whole, notSent });
    for (const query of [{}, { postId }, { automationId }]) {
      const { body } = await anna.call(getFigures, { params: { creatorId }, query });
      expect(body.total, JSON.stringify(query)).toMatchObject(whole);
    }
    const { body: listed } = await anna.call(listAutomations, { params: { creatorId } });
    expect(listed.items[0].figures).toMatchObject({ matched, sent, clicked });
    const { body: contacts } = await anna.call(listContacts, { params: { creatorId }, query: { automationId } });
    expect(contacts.items).toHaveLength(2);
  }
}

test('a test answers everybody again, counts for nothing, and leaves them as they were', async () => {
  // An hour before the creator looks.
  const fan = await ask(FAN);
  await followers.open(account, fan);
  await followers.advance(60 * MINUTE_MS);

  expect((await testing(true)).body.until).toBe(new Date(app.clock.now().getTime() + 10 * MINUTE_MS).toISOString());
  // Who was not answered yet may be a stranger: that counts.
  const first = await ask(TESTER);
  await see(first);
  await expectFigures({ comments: 2, matched: 2, sent: 2, opened: 2, clicked: 1 }, 0);

  // Each is a comment with the word; what it got is in no figure.
  const again = [await ask(FAN), await ask(TESTER), await ask(TESTER)];
  for (const asked of again) await see(asked);
  const { body } = await anna.call(listInteractions, { params: { creatorId }, query: {} });
  expect(
    body.items.map(({ isTest, sentAt }: { isTest: boolean; sentAt: string }) => [isTest, sentAt !== null]),
  ).toEqual([...again.map(() => [true, true]), [false, true], [false, true]]);
  await expectFigures({ comments: 5, matched: 5, sent: 2, opened: 2, clicked: 1 }, 3);
  const { body: comparison } = await anna.call(getComparison, { params: { creatorId, automationId } });
  expect(
    comparison.wordings.map(({ people, clicked }: { people: number; clicked: number }) => [people, clicked]).sort(),
  ).toEqual([
    [1, 0],
    [1, 1],
  ]);

  // The tab is closed: one message for each person and automation, as ever.
  await testing(false);
  for (const person of [FAN, TESTER]) {
    expect(await comment(person)).toMatchObject({ reason: 'already_answered', isTest: false });
  }
  await expectFigures({ comments: 7, matched: 7, sent: 2, opened: 2, clicked: 1 }, 5);

  // A day after their first message each gets it again, whatever the test sent since.
  await followers.advance((DAY_MINUTES - 60) * MINUTE_MS);
  expect(await comment(FAN)).toMatchObject({ reason: 'sent', isTest: false });
  expect(await comment(TESTER)).toMatchObject({ reason: 'already_answered', isTest: false });
  await followers.advance(60 * MINUTE_MS);
  expect(await comment(TESTER)).toMatchObject({ reason: 'sent', isTest: false });
});

test('what is said in a conversation that a test began belongs to the test', async () => {
  const chat = await followers.connect(creatorId);
  const { mediaId } = chat.posts[0]!;
  await insertPost(app.db, creatorId, chat.connectionId, { id: mediaId });
  const opening = { text: 'Want it?', buttonTitle: 'Yes please!' };
  const given = { repeatAfterMinutes: DAY_MINUTES, opening };
  const params = { creatorId, automationId: await followers.automation(anna, chat, given) };
  const { personId } = chat.followers[0]!;
  const { control } = followers.simulator;
  const askAndTap = async () => {
    await followers.ask(chat, { person: 0 });
    const { messages } = await control.thread(personId, chat.instagramAccountId);
    const [last] = messages
      .filter(({ buttons }) => buttons.some(({ title }) => title === opening.buttonTitle))
      .slice(-1);
    await control.tap({ personId, messageId: last!.messageId, button: opening.buttonTitle });
    await followers.work();
    const after = await control.thread(personId, chat.instagramAccountId);
    expect(after.messages.length).toBe(messages.length + 2);
  };
  const figures = async () => {
    const query = { automationId: params.automationId };
    return (await anna.call(getFigures, { params: { creatorId }, query })).body.total;
  };

  await askAndTap();
  await followers.advance(60 * MINUTE_MS);
  await anna.call(testPost, { params: { creatorId, postId: mediaId }, body: { open: true } });
  await askAndTap();
  const { body } = await anna.call(listInteractions, {
    params: { creatorId },
    query: { automationId: params.automationId },
  });
  expect(body.items.map(({ kind, isTest }: { kind: string; isTest: boolean }) => `${kind} ${isTest}`)).toEqual([
    'button_tap true',
    'comment true',
    'button_tap false',
    'comment false',
  ]);
  expect(await figures()).toMatchObject({ comments: 2, matched: 2, sent: 1 });
  await anna.call(testPost, { params: { creatorId, postId: mediaId }, body: { open: false } });

  await followers.advance((DAY_MINUTES - 60) * MINUTE_MS);
  await askAndTap();
  expect(await figures()).toMatchObject({ comments: 3, matched: 3, sent: 2 });
});

test('a test ends by itself when nobody looks any more', async () => {
  const stranger = 2;
  await ask(stranger);
  await testing(true);
  await followers.advance(10 * MINUTE_MS);
  expect(await comment(stranger)).toMatchObject({ reason: 'already_answered', isTest: false });
});
