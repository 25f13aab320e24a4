import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FaultAction, GraphLedgerEntry, SeededCreator } from '../control-client.ts';
import { ERROR_ROWS } from '../graph/errors.ts';
import { type MetaSimulator, startMetaSimulator } from '../simulator.ts';
import { errorKey, graphCaller } from '../testing/graph-caller.ts';
import { startReceiver } from '../testing/receiver.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let simulator: MetaSimulator;
let creator: SeededCreator;
let instagram: ReturnType<typeof graphCaller>;

beforeAll(async () => {
  receiver = await startReceiver('creator-hq-verify');
  simulator = await startMetaSimulator({ clock: '2026-06-01T12:00:00Z', webhookUrl: receiver.url });
});
afterAll(async () => {
  await simulator.close();
  await receiver.close();
});
beforeEach(async () => {
  await simulator.control.reset();
  receiver.received.length = 0;
  creator = await simulator.control.seedCreator({ subscribed: ['instagram'] });
  instagram = graphCaller(simulator, 'instagram', creator.tokens.instagram.token);
});

const comment = (personIndex = 0) =>
  simulator.control.comment({
    mediaId: creator.posts[0]!.mediaId,
    personId: creator.followers[personIndex]!.personId,
    text: 'RECIPE',
  });
const lastEntry = async () => (await simulator.control.ledger({ kind: 'graph' })).at(-1) as GraphLedgerEntry;

it.each(ERROR_ROWS)('answers error %s/%s on request and delivers nothing', async (code, subcode) => {
  const { commentId } = await comment();
  await simulator.control.addFault({
    match: { commentId },
    action: { kind: 'error', code, ...(subcode === undefined ? {} : { subcode }) },
  });
  const answer = await instagram.privateReply(commentId);
  expect(errorKey(answer)).toBe(subcode === undefined ? String(code) : `${code}/${subcode}`);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(await lastEntry()).toMatchObject({ delivered: false, errorCode: code });
  expect((await instagram.privateReply(commentId)).status).toBe(200);
});

describe('an answer that hides what happened', () => {
  it.each<[string, FaultAction, boolean]>([
    ['sent but answered with an error', { kind: 'success_but_error' }, true],
    ['an error after the effect', { kind: 'error', code: 1, afterEffect: true }, true],
    ['200 without message_id', { kind: 'no_message_id' }, true],
    ['HTML instead of JSON before the effect', { kind: 'html' }, false],
    ['HTML instead of JSON after the effect', { kind: 'html', when: 'after' }, true],
    ['rate limited', { kind: 'rate_limited', regainMinutes: 7 }, false],
    ['a slow answer', { kind: 'slow', delayMs: 5 }, true],
  ])('is in the ledger as it was: %s', async (_name, action, delivered) => {
    const { commentId } = await comment();
    await simulator.control.addFault({ match: { operation: 'private_reply' }, action });
    await instagram.privateReply(commentId);
    expect(await lastEntry()).toMatchObject({ commentId, delivered });
    expect(await simulator.control.inbox(creator.followers[0]!.personId)).toHaveLength(delivered ? 1 : 0);
    expect(await simulator.control.deliveries([commentId])).toMatchObject([{ privateReplies: delivered ? 1 : 0 }]);
  });

  it.each<['before' | 'after', boolean]>([
    ['before', false],
    ['after', true],
  ])('is a connection reset %s the message was accepted', async (when, delivered) => {
    const { commentId } = await comment();
    await simulator.control.addFault({ action: { kind: 'reset', when } });
    await expect(instagram.privateReply(commentId)).rejects.toThrow();
    expect(await lastEntry()).toMatchObject({ answer: 'reset', delivered });
    expect(errorKey(await instagram.privateReply(commentId))).toBe(delivered ? '100/2534025' : 'undefined');
  });
});

it('hits only whom it names', async () => {
  const [first, second] = [await comment(0), await comment(1)];
  await simulator.control.addFault({
    match: { personId: creator.followers[1]!.personId },
    action: { kind: 'error', code: 551 },
    times: 0,
  });
  expect((await instagram.privateReply(first.commentId)).status).toBe(200);
  expect(errorKey(await instagram.privateReply(second.commentId))).toBe('551');
  expect(errorKey(await instagram.privateReply(second.commentId))).toBe('551');
});

it('bars an account from messaging for half an hour', async () => {
  const { commentId } = await comment();
  await simulator.control.addFault({
    match: { accountId: creator.instagramAccountId, operation: ['private_reply', 'message'] },
    action: { kind: 'error', code: 10, subcode: 1893063 },
    forMs: 1_800_000,
  });
  expect(errorKey(await instagram.privateReply(commentId))).toBe('10/1893063');
  await simulator.control.advance(1_799_999);
  expect(errorKey(await instagram.privateReply(commentId))).toBe('10/1893063');
  await simulator.control.advance(1);
  expect((await instagram.privateReply(commentId)).status).toBe(200);
});

it('delivers the echo before the send call is answered', async () => {
  const { commentId } = await comment();
  await simulator.control.settle();
  await simulator.control.addFault({ action: { kind: 'echo_first' } });
  const { body } = await instagram.privateReply(commentId);
  expect(receiver.received.at(-1)!.body).toContain(body.message_id);
});

it.each([
  ['expired', '190/463'],
  ['app_removed', '190/458'],
  ['password_changed', '190/460'],
  ['checkpoint', '190/459'],
  ['role_lost', '190/492'],
  ['invalid', '190'],
] as const)('kills tokens: %s', async (reason, key) => {
  expect(await simulator.control.killTokens({ subjectId: creator.instagramAccountId, reason })).toEqual({ killed: 1 });
  const answer = await instagram.get('/me');
  expect(errorKey(answer)).toBe(key);
  expect(answer.status).toBe(401);
});
