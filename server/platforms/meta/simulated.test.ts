/** The client against the simulator: two readings of the same reference, made apart, must agree on the wire. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { readConfig } from '#server/config.ts';
import type { SeededCreator } from '#simulators/meta/control-client.ts';
import { type MetaSimulator, startMetaSimulator } from '#simulators/meta/simulator.ts';
import { createMetaClient, type MetaClient, type Speaker } from './client.ts';
import { readEnvelope, verifySignature } from './webhook.ts';

let meta: MetaSimulator;
let client: MetaClient;
let seeded: SeededCreator;
let direct: Speaker;
let throughPage: Speaker;
let page: Speaker;
const secrets = () => [meta.app.metaAppSecret, meta.app.instagramAppSecret];

beforeAll(async () => {
  meta = await startMetaSimulator();
  const config = readConfig({ ...meta.environment, SIMULATORS: 'on' });
  client = createMetaClient(config.meta, { clock: systemClock, timeoutMs: 2_000 });
});
afterAll(async () => {
  await client.close();
  await meta.close();
});
beforeEach(async () => {
  await meta.control.clearFaults();
  seeded = await meta.control.seedCreator();
  const { tokens, instagramAccountId, pageId } = seeded;
  direct = { platform: 'instagram', via: 'instagram', senderId: instagramAccountId, token: tokens.instagram.token };
  throughPage = { platform: 'instagram', via: 'page', senderId: pageId, token: tokens.page.token };
  page = { ...throughPage, platform: 'facebook' };
});

const message = { text: 'Here you are', buttons: [{ title: 'Open', url: 'https://example.test/recipe' }] };
const comment = (mediaId = seeded.posts[0]!.mediaId, text = 'RECIPE') =>
  meta.control.comment({ mediaId, personId: seeded.followers[0]!.personId, text });

describe('a private reply', () => {
  it.each([
    ['an Instagram token', () => direct, () => seeded.posts[0]!.mediaId],
    ['a Page token for Instagram', () => throughPage, () => seeded.posts[0]!.mediaId],
    ['a Page token for the Page', () => page, () => seeded.pagePosts[0]!.mediaId],
  ])('arrives once with %s', async (_name, speaker, mediaId) => {
    const { commentId } = await comment(mediaId());
    const first = await client.privateReply({ ...speaker(), commentId, message });
    expect(first.verdict).toMatchObject({ kind: 'done', personId: expect.any(String) });
    const second = await client.privateReply({ ...speaker(), commentId, message });
    expect(second.verdict).toMatchObject({ kind: 'refused', reason: 'already_replied_elsewhere' });
    expect((await meta.control.deliveries([commentId]))[0]?.privateReplies).toBe(1);
  });
  it('to a deleted comment is refused', async () => {
    const { commentId } = await comment();
    await meta.control.deleteComment(commentId);
    const { verdict } = await client.privateReply({ ...direct, commentId, message });
    expect(verdict.kind).toBe('refused');
  });
  it.each([
    ['a reset after the effect', { kind: 'reset', when: 'after' }, 'unknown'],
    ['a success that looks like an error', { kind: 'success_but_error' }, 'unknown'],
    ['no message id', { kind: 'no_message_id' }, 'unknown'],
    ['a page instead of JSON', { kind: 'html', status: 502 }, 'unknown'],
    ['a garbled answer', { kind: 'garbled' }, 'unknown'],
    ['a limit', { kind: 'rate_limited', regainMinutes: 7 }, 'rate_limited'],
    ['a bar', { kind: 'error', code: 10, subcode: 1893063 }, 'barred'],
    ['a dead token', { kind: 'error', code: 190, subcode: 460 }, 'reauthenticate'],
    ['access switched off', { kind: 'error', code: 200, subcode: 2534041 }, 'misconfigured'],
  ] as const)('meets %s', async (_name, action, kind) => {
    const { commentId } = await comment();
    await meta.control.addFault({ match: { operation: 'private_reply' }, action });
    const { verdict } = await client.privateReply({ ...direct, commentId, message });
    expect(verdict).toMatchObject({ kind, ...(kind === 'rate_limited' && { waitMs: 7 * 60_000 }) });
  });
});

describe('what was sent', () => {
  it('can be found in the conversation', async () => {
    const { commentId } = await comment();
    const { verdict } = await client.privateReply({ ...direct, commentId, message: { text: 'Hello', buttons: [] } });
    if (verdict.kind !== 'done') throw new Error(verdict.detail);
    for (const speaker of [direct, throughPage]) {
      const found = await client.conversationWith({ ...speaker, personId: verdict.personId! });
      expect(found).toMatchObject({ ok: true, data: [{ text: 'Hello' }] });
      if (found.ok && speaker === direct) expect(found.data[0]?.mid).toBe(verdict.messageId);
    }
  });
  it('to nobody yet finds nothing', async () => {
    expect(await client.conversationWith({ ...direct, personId: seeded.followers[1]!.igsid })).toMatchObject({
      ok: true,
      data: [],
    });
  });
  it('publicly can be found under the comment, for all three ways', async () => {
    for (const [speaker, mediaId] of [
      [direct, seeded.posts[0]!.mediaId],
      [throughPage, seeded.posts[1]!.mediaId],
      [page, seeded.pagePosts[0]!.mediaId],
    ] as const) {
      const { commentId } = await comment(mediaId);
      const { verdict } = await client.publicReply({ ...speaker, commentId, text: 'Sent!' });
      if (verdict.kind !== 'done') throw new Error(verdict.detail);
      expect(await client.commentReplies({ ...speaker, commentId })).toMatchObject({
        ok: true,
        data: { items: [{ id: verdict.messageId, text: 'Sent!' }] },
      });
    }
  });
  it('outside of the 24 hours is refused, within them arrives', async () => {
    const personId = seeded.followers[0]!.igsid;
    expect((await client.sendMessage({ ...direct, personId, message })).verdict).toMatchObject({
      kind: 'refused',
    });
    await meta.control.directMessage({
      accountId: seeded.instagramAccountId,
      personId: seeded.followers[0]!.personId,
      text: 'hi',
    });
    expect((await client.sendMessage({ ...direct, personId, message })).verdict).toMatchObject({
      kind: 'done',
      personId,
    });
  });
});

describe('reads', () => {
  it('page through media', async () => {
    for (const speaker of [direct, throughPage]) {
      const call = { ...speaker, accountId: seeded.instagramAccountId, limit: 2 };
      const first = await client.media(call);
      if (!first.ok) throw new Error(first.verdict.detail);
      const second = await client.media({ ...call, after: first.data.after! });
      if (!second.ok) throw new Error(second.verdict.detail);
      const ids = [...first.data.items, ...second.data.items].map(({ id }) => id);
      expect(ids.toSorted()).toEqual(seeded.posts.map(({ mediaId }) => mediaId).toSorted());
      expect(second.data.after).toBeNull();
    }
  });
  it('list comments with their writers', async () => {
    const { commentId } = await comment();
    expect(await client.comments({ ...direct, postId: seeded.posts[0]!.mediaId })).toMatchObject({
      ok: true,
      data: { items: [{ id: commentId, text: 'RECIPE', username: seeded.followers[0]!.username, parentId: null }] },
    });
    const onPage = await comment(seeded.pagePosts[0]!.mediaId);
    expect(await client.comments({ ...page, postId: seeded.pagePosts[0]!.mediaId })).toMatchObject({
      ok: true,
      data: { items: [{ id: onPage.commentId, text: 'RECIPE' }] },
    });
  });
  it('answer in shapes we know', async () => {
    const person = seeded.tokens.facebookUser.token;
    const pageId = seeded.pageId;
    const answers = await Promise.all([
      client.instagramMe(direct.token),
      client.facebookMe(person),
      client.permissions(person),
      client.accounts({ token: person }),
      client.pageToken({ token: person, pageId }),
      client.page({ token: page.token, pageId }),
      client.pageInstagram({ token: page.token, accountId: seeded.instagramAccountId }),
      client.debugToken(person),
      client.debugToken(page.token),
      client.readSubscriptions(direct),
      client.readSubscriptions(page),
    ]);
    expect(answers.map((answer) => answer.ok || answer.verdict.detail)).toEqual(answers.map(() => true));
  });
  it('leave no call that the simulator does not know', async () => {
    expect(await meta.control.unimplemented()).toEqual([]);
  });
});

describe('webhooks', () => {
  it.each(['instagram', 'facebook'] as const)('of a comment are signed and read, %s login', async (flavour) => {
    const made = await comment(seeded.posts[0]!.mediaId, 'Café ☕ / "please"');
    const { body, headers } = await meta.control.webhookForComment(made.commentId, flavour);
    expect(verifySignature(Buffer.from(body), headers['x-hub-signature-256'], secrets())).not.toBeNull();
    expect(readEnvelope(body)).toMatchObject([
      {
        kind: 'comment',
        accountId: seeded.instagramAccountId,
        platformId: made.commentId,
        postId: seeded.posts[0]!.mediaId,
        text: 'Café ☕ / "please"',
        username: seeded.followers[0]!.username,
        own: false,
      },
    ]);
  });
  it("of the account's own comment are told apart", async () => {
    const made = await meta.control.comment({
      mediaId: seeded.posts[0]!.mediaId,
      personId: 'owner',
      text: 'Thanks!',
    });
    const { body } = await meta.control.webhookForComment(made.commentId);
    expect(readEnvelope(body)).toMatchObject([{ kind: 'comment', own: true }]);
  });
  it('of a comment on a Page are read', async () => {
    const made = await comment(seeded.pagePosts[0]!.mediaId);
    const { body } = await meta.control.webhookForComment(made.commentId, 'facebook');
    expect(readEnvelope(body)).toMatchObject([
      {
        kind: 'comment',
        platform: 'facebook',
        accountId: seeded.pageId,
        platformId: made.commentId,
        postId: seeded.pagePosts[0]!.mediaId,
        parentId: null,
      },
    ]);
  });
});
