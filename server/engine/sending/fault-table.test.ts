/**
 * A creator's view of each fault: every row of the error table (reference 4.3) and every fault of
 * the simulator's check list (reference 7), from the comment to its outcome. `first` is told after the first try, `last`
 * when the fault is over; the simulator's ledger says what really reached the follower.
 */
import { afterAll, afterEach, beforeAll, expect, describe as group, test } from 'vitest';
import type { Engine } from '#server/engine/engine.ts';
import { createEngineWorld, type EngineWorld, type WorldCreator } from '#server/engine/testing/engine-world.ts';
import type { FaultAction, TokenDeath } from '#simulators/meta/control/types.ts';

let world: EngineWorld;
let engine: Engine;
beforeAll(async () => {
  world = await createEngineWorld({ timeoutMs: 400 });
  engine = await world.startEngine();
});
afterAll(() => world.close());
afterEach(forget);

/** The outcome and reason shown. */
type Shown = `${'replied' | 'waiting' | 'failed' | 'skipped' | 'missed' | 'expired'} ${string}`;

const shownOf = async (creator: WorldCreator): Promise<string[]> =>
  (await world.interactions(creator)).map(({ outcome, reason }) => `${outcome} ${reason}`).toSorted();

async function asked(): Promise<{ creator: WorldCreator; commentId: string; body: string }> {
  const creator = await world.addCreator();
  await world.addAutomation(creator);
  const webhook = await world.comment(creator, { text: 'recipe please' });
  await world.deliver(webhook);
  await engine.ingestOnce();
  return { creator, commentId: webhook.id, body: webhook.body };
}

const reached = async (commentId: string) =>
  (await world.simulator.control.deliveries([commentId]))[0]?.privateReplies ?? 0;

async function meet(creator: WorldCreator, action: FaultAction): Promise<void> {
  await world.simulator.control.addFault({
    match: { operation: 'private_reply', accountId: creator.instagramAccountId },
    action,
  });
}

const SENT: Shown = 'replied sent';
const SENT_LATER: Shown = 'replied sent_confirmed_later';
const AGAIN: Shown = 'waiting trying_again';
const CHECKING: Shown = 'waiting checking';
const LIMITED: Shown = 'waiting rate_limited';
const BARRED: Shown = 'waiting barred';
const RECONNECT: Shown = 'waiting needs_reconnect';
const NOT_ALLOWED: Shown = 'waiting missing_permission';
const GONE: Shown = 'failed person_unavailable';
const NOT_READY: Shown = 'failed account_not_ready';
const REJECTED: Shown = 'failed message_rejected';
const USED: Shown = 'failed already_replied_elsewhere';

/** Code, subcode, sense, after the first try, when the fault is over. */
const ERRORS: [number, number | undefined, string, Shown, Shown][] = [
  [1, undefined, 'unknown, nothing was sent', CHECKING, SENT_LATER],
  [1, 99, 'missing permission or access level', NOT_ALLOWED, SENT],
  [2, undefined, 'service error', AGAIN, SENT],
  [2, 2018344, 'page privacy terms not accepted', NOT_READY, NOT_READY],
  [3, undefined, 'capability', NOT_READY, NOT_READY],
  [4, undefined, 'app limit', LIMITED, SENT],
  [4, 2018022, 'too many sends to phone numbers', LIMITED, SENT],
  [9, undefined, 'too many actions', LIMITED, SENT],
  [9, 2018352, 'too many actions', LIMITED, SENT],
  [10, undefined, 'permission denied or removed', NOT_ALLOWED, SENT],
  [10, 2534022, 'outside the 24 hours', 'failed outside_window', 'failed outside_window'],
  [10, 2018278, 'Messenger window', 'failed outside_window', 'failed outside_window'],
  [10, 2018065, 'needs the news permission', 'failed outside_window', 'failed outside_window'],
  [10, 2018108, 'cannot receive now', GONE, GONE],
  [10, 2534077, 'link of account, Page and user broken', RECONNECT, RECONNECT],
  [10, 1893063, 'temporarily barred from messaging', BARRED, SENT],
  [17, undefined, 'user limit', LIMITED, SENT],
  [17, 2446079, 'user limit', LIMITED, SENT],
  [32, undefined, 'page limit', LIMITED, SENT],
  [80001, undefined, 'business use: Page', LIMITED, SENT],
  [80002, undefined, 'business use: Instagram', LIMITED, SENT],
  [80004, undefined, 'business use: ads', LIMITED, SENT],
  [80006, undefined, 'business use: Messenger', LIMITED, SENT],
  [100, undefined, 'bad parameter', REJECTED, REJECTED],
  [100, 33, 'object gone, private or not yours', 'failed comment_unavailable', 'failed comment_unavailable'],
  [100, 2018001, 'no such user', GONE, GONE],
  [100, 2534014, 'no such user', GONE, GONE],
  [100, 2534015, 'message data not allowed', REJECTED, REJECTED],
  [100, 2534013, 'Page not linked to Instagram', NOT_READY, NOT_READY],
  [100, 2534025, 'comment invalid for a private reply', USED, USED],
  [100, 2534029, 'blocked from the messaging API', NOT_READY, NOT_READY],
  [100, 2534037, 'not the thread owner', 'failed not_thread_owner', 'failed not_thread_owner'],
  [100, 2018300, 'not the thread owner', 'failed not_thread_owner', 'failed not_thread_owner'],
  [100, 2018008, 'attachment could not be fetched', REJECTED, REJECTED],
  [100, 2018047, 'attachment of a wrong type', REJECTED, REJECTED],
  [100, 2018109, 'attachment too large', REJECTED, REJECTED],
  [100, 2018294, 'attachment took too long', REJECTED, REJECTED],
  [100, 2534068, 'several images not enabled', REJECTED, REJECTED],
  [102, undefined, 'session', RECONNECT, RECONNECT],
  [190, undefined, 'token invalid', RECONNECT, RECONNECT],
  [190, 458, 'app removed', RECONNECT, RECONNECT],
  [190, 459, 'checkpoint', RECONNECT, RECONNECT],
  [190, 460, 'password changed', RECONNECT, RECONNECT],
  [190, 463, 'expired', RECONNECT, RECONNECT],
  [190, 464, 'unconfirmed user', RECONNECT, RECONNECT],
  [190, 467, 'token invalid', RECONNECT, RECONNECT],
  [190, 492, 'role on the Page lost', RECONNECT, RECONNECT],
  [200, undefined, 'permission missing', NOT_ALLOWED, SENT],
  [200, 2018028, 'recipient without a role on an app in development', NOT_READY, NOT_READY],
  [200, 2018027, 'recipient without a role on an app in development', NOT_READY, NOT_READY],
  [200, 1545041, 'person unavailable', GONE, GONE],
  [200, 2534041, 'message access switched off', 'waiting message_access_off', SENT],
  [230, undefined, 'profile consent missing', GONE, GONE],
  [341, undefined, 'app limit', LIMITED, SENT],
  [368, undefined, 'blocked for policy', BARRED, SENT],
  [506, undefined, 'same text posted before', REJECTED, REJECTED],
  [551, undefined, 'blocked or not receiving', GONE, GONE],
  [551, 1545041, 'person unavailable', GONE, GONE],
  [613, undefined, 'custom limit', LIMITED, SENT],
  [613, 2534040, 'Instagram API limit', LIMITED, SENT],
  [613, 1996, 'odd traffic', LIMITED, SENT],
  [613, 2018338, 'spam warning', BARRED, SENT],
  [2022, undefined, 'Page blocked from messaging for a while', BARRED, SENT],
  [2018218, undefined, 'profile unavailable', GONE, GONE],
  [2018247, undefined, 'profile unavailable', GONE, GONE],
  [9000001, undefined, 'message deleted', 'failed comment_unavailable', 'failed comment_unavailable'],
  [9010, undefined, 'no Instagram user', GONE, GONE],
  [10900, undefined, 'already privately replied', USED, USED],
  [10903, undefined, 'cannot reply to this activity', 'failed comment_unavailable', 'failed comment_unavailable'],
  [2534122, undefined, 'messaging restriction', BARRED, SENT],
];

group('an error of Meta ends in the outcome that the table names', () => {
  test.each(ERRORS)('%s/%s, %s', async (code, subcode, _sense, first, last) => {
    const { creator, commentId } = await asked();
    await meet(creator, { kind: 'error', code, ...(subcode !== undefined && { subcode }) });
    await engine.dispatchOnce();
    expect(await shownOf(creator)).toEqual([first]);
    await world.settle(engine);
    expect(await shownOf(creator)).toEqual([last]);
    expect(await reached(commentId)).toBe(last.startsWith('replied') ? 1 : 0);
  });
  test('100 without a subcode for an account that has no role on the app', async () => {
    const { creator } = await asked();
    await meet(creator, { kind: 'error', code: 100, message: 'Unsupported request - method type: post' });
    await world.settle(engine);
    expect(await shownOf(creator)).toEqual([NOT_READY]);
  });
});

/** The fault on the line, and whether the follower got the message at the first try. */
const LINE: [string, FaultAction, Shown, Shown][] = [
  ['a success that looks like an error', { kind: 'success_but_error' }, CHECKING, SENT_LATER],
  ['error 1 after the message arrived', { kind: 'error', code: 1, afterEffect: true }, CHECKING, SENT_LATER],
  ['a yes without a message id', { kind: 'no_message_id' }, CHECKING, SENT_LATER],
  ['a connection lost before Meta took it', { kind: 'reset', when: 'before' }, CHECKING, SENT_LATER],
  ['a connection lost after Meta took it', { kind: 'reset', when: 'after' }, CHECKING, SENT_LATER],
  ['no answer, nothing taken', { kind: 'hang', when: 'before' }, CHECKING, SENT_LATER],
  ['no answer, but taken', { kind: 'hang', when: 'after' }, CHECKING, SENT_LATER],
  ['an answer too slow, but taken', { kind: 'slow', delayMs: 2500, when: 'before' }, CHECKING, SENT_LATER],
  ['an answer just in time', { kind: 'slow', delayMs: 20 }, SENT, SENT],
  ['a page of HTML, nothing taken', { kind: 'html', status: 502, when: 'before' }, CHECKING, SENT_LATER],
  ['a page of HTML, but taken', { kind: 'html', status: 502, when: 'after' }, CHECKING, SENT_LATER],
  ['a garbled answer', { kind: 'garbled', when: 'after' }, CHECKING, SENT_LATER],
  ['a limit with the minutes to wait in a header', { kind: 'rate_limited', regainMinutes: 19 }, LIMITED, SENT],
  ['the echo before the answer', { kind: 'echo_first' }, SENT, SENT],
];

group('an answer that goes wrong ends in one message', () => {
  test.each(LINE)('%s', async (_name, action, first, last) => {
    const { creator, commentId } = await asked();
    await meet(creator, action);
    await engine.dispatchOnce();
    expect(await shownOf(creator)).toEqual([first]);
    await world.settle(engine);
    expect(await shownOf(creator)).toEqual([last]);
    expect(await reached(commentId)).toBe(1);
  });
  test('half an hour of being barred holds everything back, and nothing is lost', async () => {
    const { creator, commentId } = await asked();
    await world.simulator.control.addFault({
      match: { accountId: creator.instagramAccountId },
      action: { kind: 'error', code: 10, subcode: 1893063 },
      forMs: 30 * 60_000,
    });
    await engine.dispatchOnce();
    await world.settle(engine);
    expect(await shownOf(creator)).toEqual([SENT]);
    expect(await reached(commentId)).toBe(1);
  });
  test('a limit waits as long as its header says', async () => {
    const { creator } = await asked();
    await meet(creator, { kind: 'rate_limited', regainMinutes: 19 });
    const before = world.clock.now().getTime();
    await engine.dispatchOnce();
    const [{ waiting_until } = { waiting_until: null }] = await world.interactions(creator);
    expect(waiting_until!.getTime() - before).toBeGreaterThanOrEqual(19 * 60_000);
    await world.settle(engine);
  });
});

group('webhooks that come as they like', () => {
  test('twice, a hundred times, and in one body of a thousand: one message', async () => {
    const { creator, commentId, body } = await asked();
    const [entry] = (JSON.parse(body) as { entry: object[] }).entry;
    const thousand = JSON.stringify({ object: 'instagram', entry: Array.from({ length: 1000 }, () => entry) });
    await world.deliver({ body, accountId: creator.instagramAccountId });
    await world.deliver({ body: thousand, accountId: creator.instagramAccountId });
    await world.settle(engine);
    expect(await shownOf(creator)).toEqual([SENT]);
    expect(await reached(commentId)).toBe(1);
  });
  test('a comment under a boosted post, told twice, once as the ad’s: one message', async () => {
    const { creator, commentId, body } = await asked();
    const envelope = JSON.parse(body);
    const { value } = envelope.entry[0].changes[0];
    value.media = { id: '99', ad_id: '7', ad_title: 'Ad', original_media_id: value.media.id };
    await world.deliver({ body: JSON.stringify(envelope), accountId: creator.instagramAccountId });
    await world.settle(engine);
    expect(await shownOf(creator)).toEqual([SENT]);
    expect(await reached(commentId)).toBe(1);
  });
  test('out of order and hours late: each has its own answer', async () => {
    const { creator } = await asked();
    const late = await world.comment(creator, { text: 'recipe', person: 1 });
    const early = await world.comment(creator, { text: 'recipe', person: 2 });
    await engine.dispatchOnce();
    await world.advance(5 * 3_600_000);
    await world.deliver(early);
    await world.deliver(late);
    await world.settle(engine);
    expect(await shownOf(creator)).toEqual([SENT, SENT, SENT]);
  });
  test('eight days late: missed, with the reason', async () => {
    const { creator } = await asked();
    await world.settle(engine);
    const late = await world.comment(creator, { text: 'recipe', person: 1 });
    await world.advance(8 * 24 * 3_600_000);
    const body = JSON.parse(late.body);
    await world.deliver({ ...late, body: JSON.stringify(body) });
    await world.settle(engine);
    expect(await shownOf(creator)).toEqual(['missed too_old', SENT]);
  });
});

group('what changes between the comment and the message', () => {
  test('the comment was deleted', async () => {
    const { creator, commentId } = await asked();
    await world.simulator.control.deleteComment(commentId);
    await world.settle(engine);
    expect(await shownOf(creator)).toEqual([USED]);
  });
  test.each([{ text: 'never mind' }, { hidden: true }])(
    'the comment was changed: %j: it keeps its answer',
    async (change) => {
      const { creator, commentId } = await asked();
      await world.simulator.control.editComment(commentId, change);
      await world.settle(engine);
      expect(await shownOf(creator)).toEqual([SENT]);
    },
  );
  test('they blocked the account', async () => {
    const { creator } = await asked();
    const { personId } = creator.followers[0]!;
    await world.simulator.control.setRelation(personId, creator.instagramAccountId, { blocked: true });
    await world.settle(engine);
    expect(await shownOf(creator)).toEqual([GONE]);
  });
  test('the creator answered it by hand in the app', async () => {
    const { creator, commentId } = await asked();
    await world.simulator.control.ownerPrivateReply({ commentId, text: 'Sure!' });
    await world.settle(engine);
    expect(await shownOf(creator)).toEqual([USED]);
  });
  test('the live was closed', async () => {
    const creator = await world.addCreator();
    await world.addAutomation(creator, { trigger: 'live_comment' });
    const { control } = world.simulator;
    const { mediaId } = await control.seedPost({ accountId: creator.instagramAccountId, product: 'LIVE' });
    const { commentId } = await control.comment({
      mediaId,
      personId: creator.followers[0]!.personId,
      text: 'recipe',
      notify: false,
    });
    const { body } = await control.webhookForComment(commentId);
    await world.deliver({ body, accountId: creator.instagramAccountId });
    await engine.ingestOnce();
    await control.endLive(mediaId);
    await world.settle(engine);
    expect(await shownOf(creator)).toEqual(['missed live_over']);
  });
});

group('a token that dies', () => {
  test.each<TokenDeath>([
    'expired',
    'app_removed',
    'password_changed',
    'checkpoint',
    'role_lost',
    'invalid',
    'unconfirmed',
  ])('%s: everything waits for the creator, and goes out once they are back', async (reason) => {
    const { creator, commentId } = await asked();
    const { control } = world.simulator;
    await control.killTokens({ subjectId: creator.instagramAccountId, reason });
    await world.settle(engine, 3_600_000);
    expect(await shownOf(creator)).toEqual([RECONNECT]);
    const { token } = await control.issueToken({
      kind: 'INSTAGRAM_BUSINESS_USER',
      subjectId: creator.instagramAccountId,
    });
    await world.reconnect(creator, token);
    await engine.connectionChanged(creator.creatorId, creator.connectionId);
    await world.settle(engine);
    expect(await shownOf(creator)).toEqual([SENT]);
    expect(await reached(commentId)).toBe(1);
  });
  test('a scope taken back waits for it', async () => {
    const { creator } = await asked();
    await world.simulator.control.removeScopes(creator.instagramAccountId, [
      'instagram_business_manage_messages',
      'instagram_business_manage_comments',
    ]);
    await engine.dispatchOnce();
    expect(await shownOf(creator)).toEqual([NOT_ALLOWED]);
  });
  test('access to messages switched off waits for the switch', async () => {
    const { creator } = await asked();
    const { control } = world.simulator;
    await control.updateAccount(creator.instagramAccountId, { messageAccess: false });
    await engine.dispatchOnce();
    expect(await shownOf(creator)).toEqual(['waiting message_access_off']);
    await control.updateAccount(creator.instagramAccountId, { messageAccess: true });
    await world.settle(engine);
    expect(await shownOf(creator)).toEqual([SENT]);
  });
});

/** The next row begins with Meta in order and with nothing waiting. */
async function forget(): Promise<void> {
  await world.simulator.control.clearFaults();
  await engine.holdShards(true);
  await world.db.enginePool.query(
    `update deliveries set state = 'cancelled' where state not in ('sent', 'failed', 'cancelled', 'expired')`,
  );
}
