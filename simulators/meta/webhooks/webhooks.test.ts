import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SeededCreator } from '../control-client.ts';
import { type MetaSimulator, startMetaSimulator } from '../simulator.ts';
import { graphCaller } from '../testing/graph-caller.ts';
import { startReceiver } from '../testing/receiver.ts';

const HOUR = 3_600_000;

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let simulator: MetaSimulator;
let creator: SeededCreator;

beforeEach(async () => {
  receiver = await startReceiver('creator-hq-verify');
  simulator = await startMetaSimulator({ clock: '2026-06-01T12:00:00Z', webhookUrl: receiver.url });
  creator = await simulator.control.seedCreator({ subscribed: ['instagram'] });
});
afterEach(async () => {
  await simulator.close();
  await receiver.close();
});

const comment = (text = 'RECIPE') =>
  simulator.control.comment({ mediaId: creator.posts[0]!.mediaId, personId: creator.followers[0]!.personId, text });
const write = (text: string) =>
  simulator.control.directMessage({
    accountId: creator.instagramAccountId,
    personId: creator.followers[0]!.personId,
    text,
  });
const settle = () => simulator.control.settle();
const parsed = () => receiver.received.map(({ body }) => JSON.parse(body));

describe('a comment', () => {
  it('is posted once after a handshake, escaped, and signed over its bytes with the Instagram secret', async () => {
    const { commentId } = await comment('Réçipe 🍋 a/b');
    await settle();
    expect(receiver.handshakes).toBe(1);
    expect(receiver.received).toHaveLength(1);
    const { body, headers } = receiver.received[0]!;
    expect(body).toContain('R\\u00e9\\u00e7ipe \\ud83c\\udf4b a\\/b');
    const mac = (algorithm: string, secret: string) => createHmac(algorithm, secret).update(body).digest('hex');
    expect(headers['x-hub-signature-256']).toBe(`sha256=${mac('sha256', simulator.app.instagramAppSecret)}`);
    expect(headers['x-hub-signature']).toBe(`sha1=${mac('sha1', simulator.app.instagramAppSecret)}`);
    const entry = parsed()[0].entry[0];
    expect(entry.time).toBe(Date.parse('2026-06-01T12:00:00Z') / 1000);
    expect(entry.changes[0].value).toMatchObject({ id: commentId, from: { id: creator.followers[0]!.igsid } });
    expect(entry.changes[0].value).not.toHaveProperty('created_time');
  });

  it('comes flat, in an array and signed with the Meta secret when switched', async () => {
    await simulator.control.updateSettings({
      switches: { instagramEntryShape: 'flat', wrapWebhookInArray: true, instagramWebhookSecret: 'meta' },
    });
    await comment();
    await settle();
    const { body, headers } = receiver.received[0]!;
    expect(headers['x-hub-signature-256']).toBe(
      `sha256=${createHmac('sha256', simulator.app.metaAppSecret).update(body).digest('hex')}`,
    );
    expect(parsed()[0][0].entry[0]).toMatchObject({ field: 'comments', value: { text: 'RECIPE' } });
  });

  it('is not told when the app is not live, the account private or nothing is subscribed', async () => {
    await simulator.control.updateApp({ mode: 'dev' });
    await comment();
    await simulator.control.updateApp({ mode: 'live' });
    await simulator.control.updateAccount(creator.instagramAccountId, { isPrivate: true });
    await comment();
    await simulator.control.updateAccount(creator.instagramAccountId, { isPrivate: false });
    await graphCaller(simulator, 'instagram', creator.tokens.instagram.token).delete('/me/subscribed_apps');
    await comment();
    await settle();
    expect(receiver.received).toHaveLength(0);
  });

  it('goes to every field of the app once the account has any, and through the Page with the Meta secret', async () => {
    const instagram = graphCaller(simulator, 'instagram', creator.tokens.instagram.token);
    await instagram.delete('/me/subscribed_apps');
    await graphCaller(simulator, 'facebook', creator.tokens.page.token).post(`/${creator.pageId}/subscribed_apps`, {
      subscribed_fields: 'feed',
    });
    await comment();
    await settle();
    const { body, headers } = receiver.received[0]!;
    expect(headers['x-hub-signature-256']).toBe(
      `sha256=${createHmac('sha256', simulator.app.metaAppSecret).update(body).digest('hex')}`,
    );
  });

  it('of the account itself comes back after a public reply', async () => {
    const { commentId } = await comment();
    await settle();
    await graphCaller(simulator, 'instagram', creator.tokens.instagram.token).post(`/${commentId}/replies`, {
      message: 'Sent!',
    });
    await settle();
    const value = parsed()[1].entry[0].changes[0].value;
    expect(value).toMatchObject({ parent_id: commentId, text: 'Sent!', from: { id: creator.instagramAccountId } });
    expect(value.from.self_ig_scoped_id).toMatch(/^\d+$/);
  });
});

describe('messages', () => {
  it('carry milliseconds, and sends come back as echoes with the same mid', async () => {
    await write('hi');
    const { body } = await graphCaller(simulator, 'instagram', creator.tokens.instagram.token).send(
      creator.followers[0]!.igsid,
    );
    await settle();
    const [inbound, echo] = parsed().map((one) => one.entry[0].messaging[0]);
    expect(inbound).toMatchObject({
      sender: { id: creator.followers[0]!.igsid },
      timestamp: Date.parse('2026-06-01T12:00:00Z'),
      message: { text: 'hi' },
    });
    expect(echo).toMatchObject({
      sender: { id: creator.instagramAccountId },
      message: { is_echo: true, mid: body.message_id },
    });
  });

  it('tell of story replies, mentions, unsending, edits, reactions and reading', async () => {
    const accountId = creator.instagramAccountId;
    const { personId } = creator.followers[0]!;
    const story = await simulator.control.seedPost({ accountId, product: 'STORY' });
    await simulator.control.storyReply({ storyId: story.mediaId, personId, text: 'LINK' });
    await simulator.control.storyMention({ accountId, personId });
    const { messageId } = await write('oops');
    await simulator.control.editMessage({ messageId, text: 'better' });
    await simulator.control.unsend(messageId);
    const owner = await simulator.control.ownerMessage({ accountId, personId, text: 'by hand' });
    await simulator.control.react({ messageId: owner.messageId, personId, reaction: 'love' });
    await simulator.control.read({ accountId, personId });
    await settle();
    const events = parsed().map((one) => one.entry[0].messaging[0]);
    expect(events.find((one) => one.message?.reply_to?.story)?.message).toMatchObject({
      text: 'LINK',
      reply_to: { story: { id: story.mediaId } },
    });
    expect(events.some((one) => one.message?.attachments?.[0].type === 'story_mention')).toBe(true);
    expect(events.some((one) => one.message_edit?.num_edit === '1')).toBe(true);
    expect(events.some((one) => one.message?.is_deleted)).toBe(true);
    expect(events.some((one) => one.message?.is_echo && one.message.text === 'by hand')).toBe(true);
    expect(events.some((one) => one.reaction?.reaction === 'love')).toBe(true);
    expect(events.some((one) => one.read?.mid === owner.messageId)).toBe(true);
  });
});

describe('a callback that fails', () => {
  it('gets the same bytes again until it answers 200', async () => {
    receiver.status = 500;
    await comment();
    await settle();
    receiver.status = 200;
    await simulator.control.advance(60_000);
    expect(receiver.received.length).toBeGreaterThan(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const outcomes = (await simulator.control.ledger({ kind: 'webhook' })).map((entry) =>
      entry.kind === 'webhook' ? entry.outcome : '',
    );
    expect(outcomes.at(-1)).toBe('ok');
  });

  it('loses the subscription after an hour of failing messages', async () => {
    receiver.status = 500;
    await write('hi');
    await simulator.control.advance(2 * HOUR);
    const instagram = graphCaller(simulator, 'instagram', creator.tokens.instagram.token);
    expect((await instagram.get('/me/subscribed_apps')).body).toEqual({ data: [] });
    const outcomes = (await simulator.control.ledger({ kind: 'webhook' })).map((entry) =>
      entry.kind === 'webhook' ? entry.outcome : '',
    );
    expect(outcomes).toContain('alert');
    expect(outcomes.at(-1)).toBe('unsubscribed');
  });

  it('loses comments after 36 hours but keeps the subscription', async () => {
    receiver.status = 500;
    await comment();
    await simulator.control.advance(72 * HOUR);
    const outcomes = (await simulator.control.ledger({ kind: 'webhook' })).map((entry) =>
      entry.kind === 'webhook' ? entry.outcome : '',
    );
    expect(outcomes.at(-1)).toBe('gave_up');
    expect((await simulator.control.accounts())[1]!.subscribed.instagramLogin).not.toBeNull();
  });

  it('gets nothing with a wrong verify token', async () => {
    await simulator.control.updateApp({ verifyToken: 'other' });
    await comment();
    await settle();
    expect(receiver.received).toHaveLength(0);
    expect(await simulator.control.ledger({ kind: 'webhook' })).toMatchObject([{ outcome: 'handshake_failed' }]);
  });
});

describe('on request, updates', () => {
  it('are doubled, dropped, delayed, turned round and batched', async () => {
    await simulator.control.addFault({ action: { kind: 'webhook_duplicate', copies: 2 } });
    await comment('twice');
    await settle();
    expect(parsed().map((one) => one.entry[0].changes[0].value.text)).toEqual(['twice', 'twice']);
    receiver.received.length = 0;

    await simulator.control.addFault({ action: { kind: 'webhook_drop' } });
    await comment('lost');
    await simulator.control.addFault({ action: { kind: 'webhook_delay', delayMs: 5000 } });
    await comment('late');
    await settle();
    expect(receiver.received).toHaveLength(0);
    await simulator.control.advance(5000);
    expect(parsed().map((one) => one.entry[0].changes[0].value.text)).toEqual(['late']);
    receiver.received.length = 0;

    await simulator.control.updateSettings({ webhooks: { maxBatch: 1000, maxInFlight: 1 } });
    await simulator.control.addFault({ action: { kind: 'webhook_reorder' } });
    const mediaId = creator.posts[0]!.mediaId;
    const { personId } = creator.followers[0]!;
    await simulator.control.commentMany([
      { mediaId, personId, text: 'first' },
      { mediaId, personId, text: 'second' },
    ]);
    await settle();
    expect(parsed()).toHaveLength(1);
    expect(
      parsed()[0].entry.map((entry: { changes: [{ value: { text: string } }] }) => entry.changes[0].value.text),
    ).toEqual(['second', 'first']);
  });

  it('include the dashboard test, in dev mode too', async () => {
    await simulator.control.updateApp({ mode: 'dev' });
    expect(await simulator.control.sendTestWebhook('messages')).toEqual({ status: 200 });
    expect(parsed()[0].entry[0].id).toBe('0');
  });
});
