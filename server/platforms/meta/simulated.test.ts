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

describe('what people and accounts are', () => {
  const person = () => seeded.followers[0]!;
  it('is unknown before they wrote, known afterwards', async () => {
    const nothing = { name: null, username: null, follows: null, followers: null };
    expect(await client.profile({ ...direct, personId: person().igsid })).toMatchObject({ ok: true, data: nothing });
    await meta.control.directMessage({
      accountId: seeded.instagramAccountId,
      personId: person().personId,
      text: 'hi',
    });
    await meta.control.setRelation(person().personId, seeded.instagramAccountId, { follows: true });
    for (const speaker of [direct, throughPage]) {
      expect(await client.profile({ ...speaker, personId: person().igsid })).toMatchObject({
        ok: true,
        data: { username: person().username, follows: true },
      });
    }
  });
  it('is unknown for somebody who blocked the account, and for reviewers Meta does not find', async () => {
    await meta.control.directMessage({
      accountId: seeded.instagramAccountId,
      personId: person().personId,
      text: 'hi',
    });
    await meta.control.addFault({
      match: { operation: 'profile_read' },
      action: { kind: 'error', code: 9010 },
      times: 1,
    });
    expect(await client.profile({ ...direct, personId: person().igsid })).toMatchObject({ data: { username: null } });
    expect(await client.profile({ ...direct, personId: person().igsid })).toMatchObject({
      data: { username: person().username },
    });
    await meta.control.setRelation(person().personId, seeded.instagramAccountId, { blocked: true });
    expect(await client.profile({ ...direct, personId: person().igsid })).toMatchObject({ data: { follows: null } });
  });
  it('lists a Page like an Instagram account', async () => {
    const posts = await client.media({ ...page, accountId: seeded.pageId });
    if (!posts.ok) throw new Error(posts.verdict.detail);
    expect(posts.data.items.map(({ id }) => id).toSorted()).toEqual(
      seeded.pagePosts.map(({ mediaId }) => mediaId).toSorted(),
    );
    expect(posts.data.items[0]).toMatchObject({ permalink: expect.any(String), timestamp: expect.any(String) });
  });
  it('names a single comment, and says null of one that is gone', async () => {
    const { commentId } = await comment();
    expect(await client.comment({ ...direct, commentId })).toMatchObject({
      data: { text: 'RECIPE', hidden: false },
    });
    await meta.control.deleteComment(commentId);
    expect(await client.comment({ ...direct, commentId })).toMatchObject({ ok: true, data: null });
  });
});

describe('stories and lives', () => {
  const story = () => meta.control.seedPost({ accountId: seeded.instagramAccountId, product: 'STORY' });
  const live = () => meta.control.seedPost({ accountId: seeded.instagramAccountId, product: 'LIVE' });
  const account = () => ({ ...direct, accountId: seeded.instagramAccountId });

  it('are listed while they are up', async () => {
    const [{ mediaId: storyId }, { mediaId: liveId }] = await Promise.all([story(), live()]);
    expect(await client.stories(account())).toMatchObject({
      ok: true,
      data: { items: [{ id: storyId, pictureUrl: expect.any(String) }] },
    });
    expect(await client.liveMedia(account())).toMatchObject({ ok: true, data: [{ id: liveId }] });
    await meta.control.endLive(liveId);
    expect(await client.liveMedia(account())).toMatchObject({ ok: true, data: [] });
    await meta.control.deletePost(storyId);
    expect(await client.stories(account())).toMatchObject({ ok: true, data: { items: [] } });
  });
  it('have figures while they are up', async () => {
    const { mediaId } = await story();
    const figures = await client.storyInsights({ ...direct, mediaId });
    expect(figures).toMatchObject({
      ok: true,
      data: { views: expect.any(Number), replies: expect.any(Number), tap_forward: expect.any(Number) },
    });
    await meta.control.deletePost(mediaId);
    expect(await client.storyInsights({ ...direct, mediaId })).toMatchObject({ ok: true, data: null });
  });
  it('can be found from the message that answers or mentions them', async () => {
    const { mediaId } = await story();
    const from = { accountId: seeded.instagramAccountId, personId: seeded.followers[0]!.personId };
    const reply = await meta.control.storyReply({ ...from, storyId: mediaId, text: 'LINK' });
    const mention = await meta.control.storyMention(from);
    const plain = await meta.control.directMessage({ ...from, text: 'hi' });
    await meta.control.updateSettings({ limits: { conversationCallsPerSecond: 100 } });
    expect(await client.message({ ...direct, mid: reply.messageId })).toMatchObject({
      data: { story: { kind: 'reply', id: mediaId } },
    });
    expect(await client.message({ ...direct, mid: mention.messageId })).toMatchObject({
      data: { story: { kind: 'mention', id: expect.any(String) } },
    });
    expect(await client.message({ ...direct, mid: plain.messageId })).toMatchObject({ data: { story: null } });
  });
});

describe('a message to a person', () => {
  const write = () =>
    meta.control.directMessage({
      accountId: seeded.instagramAccountId,
      personId: seeded.followers[0]!.personId,
      text: 'hi',
    });
  const to = () => ({ ...direct, personId: seeded.followers[0]!.igsid });

  it.each([
    ['text', { text: 'Hello', buttons: [] }],
    ['quick replies', { text: 'Right?', buttons: [], quickReplies: [{ title: 'Yes', payload: 'y' }] }],
    [
      'a link and a tap',
      {
        text: 'Pick',
        buttons: [
          { title: 'Open', url: 'https://example.test' },
          { title: 'I follow', payload: 'follows:1' },
        ],
      },
    ],
    [
      'a card',
      {
        text: '',
        buttons: [{ title: 'Shop', url: 'https://example.test' }],
        card: { title: 'Pan', subtitle: 'Cast iron', imageUrl: 'https://example.test/pan.jpg', url: null },
      },
    ],
    ['a picture', { text: '', buttons: [], pictureUrl: 'https://example.test/pan.jpg' }],
  ])('arrives with %s', async (_name, sent) => {
    await write();
    expect((await client.sendMessage({ ...to(), message: sent, metadata: 'd:1' })).verdict.kind).toBe('done');
  });
  it('as a human agent needs the feature', async () => {
    await write();
    expect((await client.sendMessage({ ...to(), message, humanAgent: true })).verdict.kind).toBe('misconfigured');
    await meta.control.updateApp({ humanAgent: true });
    expect((await client.sendMessage({ ...to(), message, humanAgent: true })).verdict.kind).toBe('done');
    await meta.control.updateApp({ humanAgent: false });
  });
});
