import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SeededCreator } from '../control-client.ts';
import { type MetaSimulator, startMetaSimulator } from '../simulator.ts';
import { errorKey, graphCaller } from '../testing/graph-caller.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let simulator: MetaSimulator;
let creator: SeededCreator;
let instagram: ReturnType<typeof graphCaller>;
let page: ReturnType<typeof graphCaller>;

beforeAll(async () => {
  simulator = await startMetaSimulator({ clock: '2026-06-01T12:00:00Z' });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  creator = await simulator.control.seedCreator();
  instagram = graphCaller(simulator, 'instagram', creator.tokens.instagram.token);
  page = graphCaller(simulator, 'facebook', creator.tokens.page.token);
});

const comment = (text = 'RECIPE', more: { mediaId?: string; personId?: string } = {}) =>
  simulator.control.comment({
    mediaId: creator.posts[0]!.mediaId,
    personId: creator.followers[0]!.personId,
    text,
    ...more,
  });

describe('private replies', () => {
  it('are refused the second time, whoever asks', async () => {
    const { commentId } = await comment();
    expect((await instagram.privateReply(commentId)).status).toBe(200);
    expect(errorKey(await instagram.privateReply(commentId))).toBe('100/2534025');
    expect(errorKey(await page.privateReply(commentId))).toBe('100/2534025');
  });

  it('are used up when the owner answers by hand', async () => {
    const { commentId } = await comment();
    await simulator.control.ownerPrivateReply({ commentId, text: 'Sure!' });
    expect(errorKey(await instagram.privateReply(commentId))).toBe('100/2534025');
  });

  it('are refused after seven days, for deleted comments and for the account itself', async () => {
    const old = await comment();
    await simulator.control.advance(7 * DAY);
    expect(errorKey(await instagram.privateReply(old.commentId))).toBe('100/2534025');
    const deleted = await comment();
    await simulator.control.deleteComment(deleted.commentId);
    expect(errorKey(await instagram.privateReply(deleted.commentId))).toBe('100/2534025');
    const own = await comment('thanks all', { personId: 'owner' });
    expect(errorKey(await instagram.privateReply(own.commentId))).toBe('100/2534025');
  });

  it('work on a live only while it is on', async () => {
    const live = await simulator.control.seedPost({ accountId: creator.instagramAccountId, product: 'LIVE' });
    const during = await comment('LINK', { mediaId: live.mediaId });
    const late = await comment('LINK', { mediaId: live.mediaId });
    expect((await instagram.privateReply(during.commentId)).status).toBe(200);
    await simulator.control.endLive(live.mediaId);
    expect(errorKey(await instagram.privateReply(late.commentId))).toBe('100/2534025');
  });

  it('stop at 750 an hour with the wait named in a header', async () => {
    await simulator.control.updateSettings({ limits: { privateRepliesPerHour: 2 } });
    const comments = [await comment(), await comment(), await comment()];
    const half = await instagram.privateReply(comments[0]!.commentId);
    expect(JSON.parse(half.headers.get('x-business-use-case-usage')!)[creator.instagramAccountId][0].call_count).toBe(
      50,
    );
    await instagram.privateReply(comments[1]!.commentId);
    const refused = await instagram.privateReply(comments[2]!.commentId);
    expect(errorKey(refused)).toBe('80002');
    expect(
      JSON.parse(refused.headers.get('x-business-use-case-usage')!)[creator.instagramAccountId][0]
        .estimated_time_to_regain_access,
    ).toBe(60);
    await simulator.control.advance(HOUR);
    expect((await instagram.privateReply(comments[2]!.commentId)).status).toBe(200);
    await simulator.control.updateSettings({ limits: { privateRepliesPerHour: 750 } });
  });

  it('answer 10900 on Pages', async () => {
    const { commentId } = await comment('LINK', { mediaId: creator.pagePosts[0]!.mediaId });
    expect((await page.privateReply(commentId)).status).toBe(200);
    expect(errorKey(await page.privateReply(commentId))).toBe('10900');
  });

  it('land in requests for somebody who does not follow', async () => {
    const { personId } = creator.followers[0]!;
    await simulator.control.setRelation(personId, creator.instagramAccountId, { follows: false });
    const { commentId } = await comment();
    await instagram.privateReply(commentId);
    expect((await simulator.control.inbox(personId))[0]).toMatchObject({ folder: 'requests', unread: 1 });
  });
});

describe('the 24-hour window', () => {
  it('is closed after a comment, its private reply and its being read', async () => {
    const follower = creator.followers[0]!;
    const { commentId } = await comment();
    await instagram.privateReply(commentId);
    await simulator.control.read({ accountId: creator.instagramAccountId, personId: follower.personId });
    const refused = await instagram.send(follower.igsid);
    expect(errorKey(refused)).toBe('10/2534022');
    expect(refused.status).toBe(403);
  });

  it('opens with a message and closes a day later', async () => {
    const follower = creator.followers[0]!;
    await simulator.control.directMessage({
      accountId: creator.instagramAccountId,
      personId: follower.personId,
      text: 'hi',
    });
    expect((await instagram.send(follower.igsid)).body.recipient_id).toBe(follower.igsid);
    await simulator.control.advance(DAY);
    expect(errorKey(await instagram.send(follower.igsid))).toBe('10/2534022');
  });

  it('opens with a tap inside a private reply only when the switch says so', async () => {
    const buttons = {
      attachment: {
        type: 'template',
        payload: {
          template_type: 'button',
          text: 'Ready?',
          buttons: [{ type: 'postback', title: 'Yes', payload: 'go' }],
        },
      },
    };
    for (const opens of [false, true]) {
      await simulator.control.updateSettings({ switches: { tapInPrivateReplyOpensWindow: opens } });
      const follower = creator.followers[opens ? 1 : 2]!;
      const { commentId } = await comment('RECIPE', { personId: follower.personId });
      const { body } = await instagram.privateReply(commentId, buttons);
      expect(
        await simulator.control.tap({ personId: follower.personId, messageId: body.message_id, button: 'go' }),
      ).toEqual({ kind: 'postback', payload: 'go' });
      expect((await instagram.send(follower.igsid)).status).toBe(opens ? 200 : 403);
    }
  });

  it('lasts seven days for a human agent of an approved app', async () => {
    const follower = creator.followers[0]!;
    await simulator.control.directMessage({
      accountId: creator.instagramAccountId,
      personId: follower.personId,
      text: 'hi',
    });
    await simulator.control.advance(3 * DAY);
    const tag = { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' };
    expect(errorKey(await instagram.send(follower.igsid, { text: 'x' }, tag))).toBe('100');
    await simulator.control.updateApp({ humanAgent: true });
    expect((await instagram.send(follower.igsid, { text: 'x' }, tag)).status).toBe(200);
    await simulator.control.advance(4 * DAY);
    expect(errorKey(await instagram.send(follower.igsid, { text: 'x' }, tag))).toBe('10/2534022');
    await simulator.control.updateApp({ humanAgent: false });
  });
});

describe('message shapes', () => {
  const quickReplies = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ content_type: 'text', title: `T${index}`, payload: `${index}` }));
  const template = (payload: object) => ({ attachment: { type: 'template', payload } });
  const button = { type: 'web_url', url: 'https://example.com', title: 'Open' };

  beforeEach(() =>
    simulator.control.directMessage({
      accountId: creator.instagramAccountId,
      personId: creator.followers[0]!.personId,
      text: 'hi',
    }),
  );

  it.each([
    ['text of 1001 bytes in 501 letters', { text: `${'ä'.repeat(500)}x` }],
    ['no content', {}],
    ['fourteen quick replies', { text: 'Pick', quick_replies: quickReplies(14) }],
    ['four buttons', template({ template_type: 'button', text: 'x', buttons: [button, button, button, button] })],
    [
      'a button title of 21 characters',
      template({ template_type: 'button', text: 'x', buttons: [{ ...button, title: 'x'.repeat(21) }] }),
    ],
    [
      '641 characters in a button template',
      template({ template_type: 'button', text: 'x'.repeat(641), buttons: [button] }),
    ],
    [
      'eleven elements',
      template({ template_type: 'generic', elements: Array.from({ length: 11 }, () => ({ title: 'x' })) }),
    ],
    ['a picture without an address', { attachment: { type: 'image', payload: { url: 'file:///etc/passwd' } } }],
  ])('refuse %s', async (_name, message) => {
    const answer = await instagram.send(creator.followers[0]!.igsid, message);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe(100);
  });

  it.each([
    ['text of exactly 1000 bytes', { text: 'ä'.repeat(500) }],
    ['thirteen quick replies', { text: 'Pick', quick_replies: quickReplies(13) }],
    [
      'a generic template',
      template({
        template_type: 'generic',
        elements: [{ title: 'One', image_url: 'https://example.com/a.jpg', buttons: [button] }],
      }),
    ],
    ['a heart', { attachment: { type: 'like_heart' } }],
    ['a picture', { attachment: { type: 'image', payload: { url: 'https://example.com/a.jpg' } } }],
  ])('take %s', async (_name, message) => {
    expect((await instagram.send(creator.followers[0]!.igsid, message)).status).toBe(200);
  });
});

describe('who may send', () => {
  it('keeps ids of other accounts and other logins meaningless', async () => {
    const other = await simulator.control.seedCreator();
    expect(errorKey(await instagram.send(other.followers[0]!.igsid))).toBe('100/2534014');
    const { commentId } = await simulator.control.comment({
      mediaId: other.posts[0]!.mediaId,
      personId: other.followers[0]!.personId,
      text: 'hi',
    });
    expect(errorKey(await instagram.privateReply(commentId))).toBe('100/2534025');
    expect(errorKey(await graphCaller(simulator, 'facebook', creator.tokens.instagram.token).get('/me'))).toBe('190');
  });

  it('sends for Instagram on graph.facebook.com through the Page id, not the Instagram id', async () => {
    const { commentId } = await comment();
    const body = { recipient: { comment_id: commentId }, message: { text: 'x' } };
    expect(errorKey(await page.post(`/${creator.instagramAccountId}/messages`, body))).toBe('100/33');
    expect((await page.post(`/${creator.pageId}/messages`, body)).status).toBe(200);
  });

  it('needs message access and the permission', async () => {
    const { commentId } = await comment();
    await simulator.control.updateAccount(creator.instagramAccountId, { messageAccess: false });
    expect(errorKey(await instagram.privateReply(commentId))).toBe('200/2534041');
    await simulator.control.updateAccount(creator.instagramAccountId, { messageAccess: true });
    await simulator.control.removeScopes(creator.instagramAccountId, [
      'instagram_business_manage_messages',
      'instagram_business_manage_comments',
    ]);
    expect(errorKey(await instagram.privateReply(commentId))).toBe('10');
  });

  it('does not reach somebody who blocked the account', async () => {
    const { commentId } = await comment();
    await simulator.control.setRelation(creator.followers[0]!.personId, creator.instagramAccountId, { blocked: true });
    expect(errorKey(await instagram.privateReply(commentId))).toBe('551');
  });

  it('shows a profile only after the person wrote', async () => {
    const follower = creator.followers[0]!;
    await comment();
    expect(errorKey(await instagram.get(`/${follower.igsid}?fields=name,is_user_follow_business`))).toBe('230');
    await simulator.control.directMessage({
      accountId: creator.instagramAccountId,
      personId: follower.personId,
      text: 'hi',
    });
    expect((await instagram.get(`/${follower.igsid}?fields=name,is_user_follow_business`)).body).toMatchObject({
      name: follower.name,
      is_user_follow_business: true,
    });
  });
});
