/** The Facebook Addon: a Page's comments and messages, end to end, with the simulator's Messenger. */
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readUnreadMessages } from '#server/features/catch-up/unread-messages.ts';
import { pauseWebhooks } from '#server/features/connections/paused-webhooks.ts';
import { wantedWebhooks } from '#server/features/connections/permissions.ts';
import { createMeasures } from '#server/observability/measures.ts';
import { seal } from '#server/secrets.ts';
import type { Engine } from './engine.ts';
import {
  type AutomationGiven,
  createEngineWorld,
  type EngineWorld,
  type WorldCreator,
} from './testing/engine-world.ts';

const HOUR_MS = 3_600_000;

let world: EngineWorld;
let engine: Engine;
let page: WorldCreator;
beforeAll(async () => {
  world = await createEngineWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.simulator.control.clearLedger();
  engine = await world.startEngine();
  const creator = await world.addCreator();
  page = { ...creator, connectionId: world.ids.uuid(world.clock.now()) };
  const pool = world.db.enginePool;
  await pool.query(
    `insert into connections (creator_id, id, platform, account_id, page_id, username, connected_at)
     values ($1, $2, 'facebook', $3, $3, 'Page', $4)`,
    [page.creatorId, page.connectionId, page.pageId, world.clock.now()],
  );
  await pool.query(
    `insert into tokens (creator_id, id, kind, subject_id, secret, issued_at)
     values ($1, $2, 'FACEBOOK_BUSINESS_PAGE', $3, $4, $5)`,
    [
      page.creatorId,
      world.ids.uuid(world.clock.now()),
      page.pageId,
      seal([{ id: 'test', key: Buffer.alloc(32, 7) }], page.tokens.page.token),
      world.clock.now(),
    ],
  );
  const speaker = { platform: 'facebook', via: 'page', senderId: page.pageId, token: page.tokens.page.token } as const;
  const fields = wantedWebhooks('facebook');
  expect(await world.meta.subscribe({ ...speaker, fields })).toMatchObject({ ok: true });
});

const control = () => world.simulator.control;

async function automation(given: AutomationGiven, addon = true): Promise<void> {
  await world.addAutomation(page, given);
  await switchAddon(addon);
}

async function switchAddon(on: boolean): Promise<void> {
  await world.db.enginePool.query('update creators set facebook_addon = $2 where id = $1', [page.creatorId, on]);
  await engine.connectionChanged(page.creatorId, page.connectionId);
}

async function settle(): Promise<void> {
  await world.webhooksArrived();
  await world.settle(engine, 60_000);
  await world.webhooksArrived();
  await world.settle(engine, 60_000);
}

const person = (index: number) => page.followers[index]!.personId;

async function comment(index = 0): Promise<string> {
  const { commentId } = await control().comment({
    mediaId: page.pagePosts[0]!.mediaId,
    personId: person(index),
    text: 'recipe please',
  });
  await settle();
  return commentId;
}

async function write(text: string, index = 0): Promise<void> {
  await control().directMessage({ accountId: page.pageId, personId: person(index), text });
  await settle();
}

const thread = (index = 0) => control().thread(person(index), page.pageId);
const got = async (index = 0) =>
  (await thread(index)).messages.filter(({ from }) => from === 'account').map(({ text }) => text);
const calls = async (operation: 'private_reply' | 'message') =>
  (await control().ledgerSummary()).byOperation[operation] ?? 0;
const outcomes = async () =>
  (await world.interactions(page)).map(({ outcome, reason }) => `${outcome} ${reason}`).toSorted();

test('a comment on a Page is answered in Messenger and beneath the comment', async () => {
  await automation({ messageText: 'Here it is.', publicReplies: ['Look into Messenger'] });
  const commentId = await comment();
  expect(await got()).toEqual(['Here it is.']);
  const [delivered] = await control().deliveries([commentId]);
  expect(delivered).toMatchObject({ privateReplies: 1, publicReplies: 1 });
  expect(await outcomes()).toEqual(['replied sent', 'skipped own_comment']);
});

test('while the addon is off everything is on record and nothing is answered', async () => {
  await automation({}, false);
  await comment(1);
  await write('recipe', 2);
  expect([await got(1), await got(2)]).toEqual([[], []]);
  expect(await outcomes()).toEqual(['skipped facebook_addon_off', 'skipped facebook_addon_off']);
  await switchAddon(true);
  await comment(3);
  expect(await got(3)).toHaveLength(1);
});

test('a message to a Page that comes as an edit is read and answered', async () => {
  await automation({ trigger: 'direct_message', messageText: 'Hello from the Page.' });
  // Nothing else is told of it.
  await control().updateApp({ mode: 'dev' });
  const { messageId } = await control().directMessage({ accountId: page.pageId, personId: person(0), text: 'recipe' });
  await control().updateApp({ mode: 'live' });
  const time = world.clock.now().getTime();
  const messaging = [
    { recipient: { id: page.pageId }, timestamp: time, message_edit: { mid: messageId, num_edit: 0 } },
  ];
  const body = JSON.stringify({ object: 'page', entry: [{ id: page.pageId, time, messaging }] });
  await world.deliver({ accountId: page.pageId, body });
  await settle();
  expect(await got()).toEqual([]);
  const observed = { measures: createMeasures() };
  expect(await readUnreadMessages({ ...world, observed, log: pino({ level: 'silent' }) }, new Map())).toBe(1);
  await settle();
  expect(await got()).toEqual(['Hello from the Page.']);
});

test('a block of a Page by Meta is heard of, and so is its end', async () => {
  const blocked = async () => {
    await settle();
    const { rows } = await world.db.enginePool.query(
      'select policy_blocked as blocked, policy_reason as reason from connections where id = $1',
      [page.connectionId],
    );
    return rows[0];
  };
  await control().enforcePolicy({ accountId: page.pageId, action: 'block', reason: 'Spam rules.' });
  expect(await blocked()).toEqual({ blocked: true, reason: 'Spam rules.' });
  await world.advance(1000);
  await control().enforcePolicy({ accountId: page.pageId, action: 'unblock' });
  expect(await blocked()).toMatchObject({ blocked: false });
});

test('what a blocked Page has to send waits, and goes out when Meta lets it', async () => {
  await automation({});
  await control().enforcePolicy({ accountId: page.pageId, action: 'block', reason: 'Spam rules.' });
  const commentId = await comment();
  expect(await outcomes()).toEqual(['waiting barred']);
  await world.settle(engine, 24 * HOUR_MS);
  expect(await outcomes()).toEqual(['waiting barred']);
  expect(await calls('private_reply')).toBeLessThan(10);
  await control().enforcePolicy({ accountId: page.pageId, action: 'unblock' });
  await world.settle(engine, 5 * HOUR_MS);
  expect(await control().deliveries([commentId])).toMatchObject([{ privateReplies: 1 }]);
  expect(await outcomes()).toEqual(['replied sent']);
});

test('what a Page that stays blocked has to send is given up with its deadline', async () => {
  await automation({ trigger: 'direct_message', messageText: 'Hello from the Page.' });
  await control().enforcePolicy({ accountId: page.pageId, action: 'block' });
  const people = [0, 1, 2, 3, 4];
  for (const index of people) await write('recipe', index);
  await world.settle(engine, 2 * 24 * HOUR_MS);
  expect(await outcomes()).toEqual(people.map(() => 'expired deadline_passed'));
  // One at a time asks whether it still does: after half an hour, an hour, two hours, then every four.
  expect(await calls('message')).toBeLessThan(people.length + 10);
});

test('a message to a Page is answered', async () => {
  await automation({ trigger: 'direct_message', messageText: 'Hello from the Page.' });
  await write('recipe');
  expect(await got()).toEqual(['Hello from the Page.']);
  expect(await outcomes()).toEqual(['replied sent']);
});

test('a tap in Messenger brings what was promised', async () => {
  await automation({ messageText: 'Here it is.', opening: { text: 'Shall I?', buttonTitle: 'Send it' } });
  await comment();
  const [opening] = (await thread()).messages;
  expect(opening).toMatchObject({ text: 'Shall I?', buttons: [{ kind: 'postback', title: 'Send it' }] });
  await control().tap({ personId: person(0), messageId: opening!.messageId, button: 0 });
  await settle();
  expect(await got()).toEqual(['Shall I?', 'Here it is.']);
});

test('what they read in Messenger counts as opened, though no message is named', async () => {
  await automation({ messageText: 'Here it is.' });
  await comment();
  await world.advance(1000);
  await control().read({ accountId: page.pageId, personId: person(0) });
  await settle();
  const { rows } = await world.db.enginePool.query('select read_at from deliveries where creator_id = $1', [
    page.creatorId,
  ]);
  expect(rows).toEqual([{ read_at: expect.any(Date) }]);
});

test('a second private reply to a comment is nothing to try again', async () => {
  await automation({});
  const { commentId } = await control().comment({
    mediaId: page.pagePosts[0]!.mediaId,
    personId: person(0),
    text: 'recipe',
  });
  await control().ownerPrivateReply({ commentId, text: 'By hand' });
  await settle();
  expect(await got()).toEqual(['By hand']);
});

test.each([
  ['edited', 'recipe please'],
  ['hide', 'recipe please'],
  ['remove', ''],
])('a comment that was changed (%s) does not get its waiting reply', async (verb, textLeft) => {
  await automation({ publicReplies: ['Look into Messenger'] });
  await pauseWebhooks(world.db, 'facebook', true, world.clock.now());
  await engine.refreshAll();
  const commentId = await comment();
  expect(await outcomes()).toEqual(['waiting paused']);
  const value = { item: 'comment', verb, comment_id: commentId, post_id: page.pagePosts[0]!.mediaId, created_time: 1 };
  const entry = { id: page.pageId, time: 1, changes: [{ field: 'feed', value }] };
  await world.deliver({ accountId: page.pageId, body: JSON.stringify({ object: 'page', entry: [entry] }) });
  await pauseWebhooks(world.db, 'facebook', false, world.clock.now());
  await engine.refreshAll();
  await settle();
  expect(await got()).toEqual([]);
  expect(await control().deliveries([commentId])).toMatchObject([{ privateReplies: 0, publicReplies: 0 }]);
  expect(await world.interactions(page)).toMatchObject([
    { outcome: 'skipped', reason: 'comment_changed', text: textLeft, waiting_until: null },
  ]);
});
