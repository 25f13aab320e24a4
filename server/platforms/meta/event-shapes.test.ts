/**
 * Every event shape of the platform reference's catalogue (2.6), as Meta prints it, with what the product makes of it.
 * One table, so that a missing row is seen.
 */
import { describe, expect, it } from 'vitest';
import { readEnvelope } from './webhook.ts';

const IGID = '17841405726653026';
const IGSID = '430915413000664';
const PAGE = '134895793791914';
const PSID = '1254459154682919';
const SECONDS = 1_780_000_000;
const MS = 1_569_262_485_349;
const MID = 'aWdfZAG1faXRlbToxOklHTWVzc2FnZQ';

type Shape = [name: string, body: unknown, event: Record<string, unknown>];

const instagram = (entry: object) => ({ object: 'instagram', entry: [{ id: IGID, ...entry }] });
const comments = (value: object, field = 'comments') => instagram({ time: SECONDS, changes: [{ field, value }] });
const talk = (item: object) =>
  instagram({
    time: MS + 785,
    messaging: [{ sender: { id: IGSID }, recipient: { id: IGID }, timestamp: MS, ...item }],
  });
const page = (entry: object) => ({ object: 'page', entry: [{ id: PAGE, ...entry }] });
const feed = (value: object) => page({ time: SECONDS, changes: [{ field: 'feed', value }] });
const messenger = (item: object) =>
  page({ time: MS, messaging: [{ sender: { id: PSID }, recipient: { id: PAGE }, timestamp: MS, ...item }] });

const commentValue = {
  id: '17894227972186120',
  text: 'LINK please',
  from: { id: IGSID, username: 'ana' },
  media: { id: '17918195224117851', media_product_type: 'FEED' },
};
const comment = {
  kind: 'comment',
  platform: 'instagram',
  accountId: IGID,
  platformId: '17894227972186120',
  postId: '17918195224117851',
  parentId: null,
  personId: IGSID,
  username: 'ana',
  text: 'LINK please',
  at: new Date(SECONDS * 1000),
  own: false,
};
const unread = { platform: 'instagram', accountId: IGID, kind: 'unread_message', mid: MID, standby: false };
const person = { platform: 'instagram', accountId: IGID, personId: IGSID, at: new Date(MS) };
const message = {
  ...person,
  kind: 'direct_message',
  platformId: MID,
  text: '',
  payload: null,
  storyId: null,
  standby: false,
  self: false,
};
const ignored = (what: string, accountId: string | null = IGID) => ({ kind: 'ignored', accountId, what });
const malformed = (what: string) => ({ ...ignored(what), malformed: true });
const attached = (type: string, payload?: object) =>
  talk({ message: { mid: MID, attachments: [payload === undefined ? { type } : { type, payload }] } });

const INSTAGRAM_COMMENTS: Shape[] = [
  ['a comment', comments(commentValue), comment],
  ['a reply to a comment', comments({ ...commentValue, parent_id: '1789' }), { ...comment, parentId: '1789' }],
  [
    'a comment with its id under comment_id',
    comments({ ...commentValue, id: undefined, comment_id: '17894227972186120' }),
    comment,
  ],
  [
    'a comment on a reel',
    comments({ ...commentValue, media: { id: '18', media_product_type: 'REELS' } }),
    { ...comment, postId: '18' },
  ],
  [
    'a comment that names its post by media_id',
    comments({ ...commentValue, media: undefined, media_id: '17918195224117851' }),
    comment,
  ],
  [
    'a comment on an ad, under the post that the ad boosts',
    comments({
      ...commentValue,
      media: {
        id: '18023345989012587',
        media_product_type: 'AD',
        ad_id: '23851',
        ad_title: 'Soup',
        original_media_id: '17918195224117851',
      },
    }),
    comment,
  ],
  [
    "the account's own comment",
    comments({ ...commentValue, from: { id: IGID, username: 'me', self_ig_scoped_id: '1535148674817116' } }),
    { ...comment, personId: IGID, username: 'me', own: true },
  ],
  ...[{ self_ig_scoped_id: '1535148674817116' }, { self_ig_scoped_id: null }].map(
    (more): Shape => [
      `a stranger's comment with ${JSON.stringify(more)}, as the dashboard's test sends it`,
      comments({ ...commentValue, from: { ...commentValue.from, ...more } }),
      comment,
    ],
  ),
  [
    'a comment whose writer has a name and no id',
    comments({ ...commentValue, from: { username: 'ana' } }),
    { ...comment, personId: 'comment:17894227972186120' },
  ],
  [
    'a comment with the name beside it',
    comments({ ...commentValue, from: undefined, username: 'ana' }),
    { ...comment, personId: 'comment:17894227972186120' },
  ],
  ['a comment of nobody', comments({ ...commentValue, from: undefined }), malformed('comment without a writer')],
  [
    'a comment in an array',
    instagram({ time: SECONDS, changes: [{ field: 'comments', value: [commentValue] }] }),
    comment,
  ],
  ['a live comment', comments(commentValue, 'live_comments'), { ...comment, kind: 'live_comment' }],
  [
    'a comment, flat as in the examples of Instagram Login',
    instagram({ time: SECONDS, field: 'comments', value: commentValue }),
    comment,
  ],
  ['a comment, the whole wrapped in an array', [comments(commentValue)], comment],
  ['a mention in a comment', comments({ media_id: '17', comment_id: '18' }, 'mentions'), ignored('mention')],
  ['a mention in a caption', comments({ media_id: '17' }, 'mentions'), ignored('mention')],
];

const INSTAGRAM_MESSAGES: Shape[] = [
  ['a text', talk({ message: { mid: MID, text: 'hi' } }), { ...message, text: 'hi' }],
  [
    'a quick-reply tap',
    talk({ message: { mid: MID, text: 'Yes', quick_reply: { payload: 'P1' } } }),
    { ...message, kind: 'button_tap', text: 'Yes', payload: 'P1' },
  ],
  [
    'a button tap',
    talk({ postback: { mid: MID, title: 'Send it to me', payload: 'go:1' } }),
    { ...message, kind: 'button_tap', text: 'Send it to me', payload: 'go:1' },
  ],
  [
    'an icebreaker tap with a referral',
    talk({ postback: { mid: MID, title: 'Hours?', payload: 'ICE', referral: { ref: 'r', source: 'SHORTLINKS' } } }),
    { ...message, kind: 'button_tap', text: 'Hours?', payload: 'ICE' },
  ],
  [
    'a tap without a mid',
    talk({ postback: { title: 'Go', payload: 'P' } }),
    { ...message, kind: 'button_tap', platformId: `${IGSID}:${MS}:P`, text: 'Go', payload: 'P' },
  ],
  [
    'a story reply',
    talk({
      message: {
        mid: MID,
        text: 'LINK',
        reply_to: { story: { id: '17', url: 'https://cdn.example/1', link_sticker_url: 'https://a.example' } },
      },
    }),
    { ...message, kind: 'story_reply', text: 'LINK', storyId: '17' },
  ],
  [
    'an inline reply',
    talk({ message: { mid: MID, text: 'yes', reply_to: { mid: 'm0' } } }),
    { ...message, text: 'yes' },
  ],
  [
    'a story mention',
    attached('story_mention', { url: 'https://cdn.example/2' }),
    { ...message, kind: 'story_mention' },
  ],
  ...['image', 'video', 'audio', 'file'].map(
    (type): Shape => [`media: ${type}`, attached(type, { url: 'https://cdn.example/3' }), message],
  ),
  ['a shared post', attached('ig_post', { ig_post_media_id: '17', title: 'Soup', url: 'u' }), message],
  ['a shared post, old form', attached('share', { url: 'u' }), message],
  ['a shared reel', attached('ig_reel', { reel_video_id: '18', title: 'Pan', url: 'u' }), message],
  ['a shared reel, other name', attached('reel', { reel_video_id: '18', title: 'Pan', url: 'u' }), message],
  ['a shared post without an address', attached('share', {}), message],
  ...['fallback', 'template', 'share'].map(
    (type): Shape => [
      `a link shared in Messenger: ${type}`,
      messenger({ message: { mid: MID, text: 'look', attachments: [{ type, payload: { url: 'u', title: 'Soup' } }] } }),
      { ...message, platform: 'facebook', accountId: PAGE, personId: PSID, text: 'look' },
    ],
  ),
  ['a shared story', attached('ig_story', { story_media_id: '17', story_media_url: 'u' }), message],
  ['a sticker', attached('sticker', { url: 'u', sticker_id: 369239263222822 }), message],
  ['view-once media', attached('ephemeral'), message],
  ['something unsupported', talk({ message: { mid: MID, is_unsupported: true } }), message],
  [
    'a message from an ad',
    talk({
      message: {
        mid: MID,
        text: 'hi',
        referral: { ref: 'r', ad_id: '1', source: 'ADS', type: 'OPEN_THREAD', ads_context_data: {} },
      },
    }),
    { ...message, text: 'hi' },
  ],
  [
    'a message that names no recipient',
    talk({ recipient: undefined, message: { mid: MID, text: 'hi' } }),
    { ...message, text: 'hi' },
  ],
  [
    'an echo that names no recipient',
    talk({ sender: { id: IGID }, recipient: undefined, message: { mid: MID, text: 'hi', is_echo: true } }),
    malformed('echo without a recipient'),
  ],
  [
    'a tap of the account on its own button',
    talk({ postback: { mid: MID, title: 'Go', payload: 'P', is_self: true } }),
    { ...message, kind: 'button_tap', text: 'Go', payload: 'P', self: true },
  ],
  ['a message taken back', talk({ message: { mid: MID, is_deleted: true } }), { ...person, kind: 'unsent', mid: MID }],
  [
    'a Page that Meta blocks',
    talk({ sender: undefined, 'policy-enforcement': { action: 'block', reason: 'Spam rules.' } }),
    { platform: 'instagram', accountId: IGID, kind: 'policy', blocked: true, reason: 'Spam rules.', at: new Date(MS) },
  ],
  [
    'a Page that Meta no longer blocks, as its pages write it now',
    talk({ sender: undefined, policy_enforcement: { action: 'unblock' } }),
    { platform: 'instagram', accountId: IGID, kind: 'policy', blocked: false, reason: null, at: new Date(MS) },
  ],
  [
    'a Page that Meta warns',
    talk({ sender: undefined, policy_enforcement: { action: 'warning', reason: 'Spam rules.' } }),
    ignored('policy warning'),
  ],
  ['an account that was linked', talk({ account_linking: { status: 'linked' } }), ignored('account linking')],
  ['a first message told as an edit', talk({ message_edit: { mid: MID, num_edit: 0 } }), unread],
  ['one told so in text', talk({ message_edit: { mid: MID, text: 'hi', num_edit: '0' } }), unread],
  [
    'one without a sender',
    talk({ sender: undefined, recipient: undefined, message_edit: { mid: MID, num_edit: 0 } }),
    unread,
  ],
  ['an edit without a count', talk({ message_edit: { mid: MID, num_edit: null } }), ignored('message edit')],
  ['an edit', talk({ message_edit: { mid: MID, text: 'b', num_edit: '1' } }), ignored('message edit')],
  [
    'a reaction',
    talk({ reaction: { mid: MID, action: 'react', reaction: 'love', emoji: '\u2764\ufe0f' } }),
    ignored('reaction'),
  ],
  ['a reaction taken back', talk({ reaction: { mid: MID, action: 'unreact' } }), ignored('reaction')],
  ['a read', talk({ read: { mid: MID } }), { ...person, kind: 'read', mid: MID }],
  [
    'an ig.me link into a thread',
    talk({ referral: { ref: 'r', source: 'SHORTLINKS', type: 'OPEN_THREAD' } }),
    ignored('referral'),
  ],
  [
    'an echo',
    talk({ sender: { id: IGID }, recipient: { id: IGSID }, message: { mid: MID, text: 'Hi', is_echo: true } }),
    { ...person, kind: 'echo', mid: MID, text: 'Hi', appId: null, metadata: null },
  ],
  [
    'an echo of our own, known by its metadata',
    talk({
      sender: { id: IGID },
      recipient: { id: IGSID },
      message: { mid: MID, text: 'Hi', is_echo: true, metadata: 'd:1' },
    }),
    { ...person, kind: 'echo', mid: MID, text: 'Hi', appId: null, metadata: 'd:1' },
  ],
  [
    'a self test',
    talk({ message: { mid: MID, text: 't', is_echo: true, is_self: true } }),
    { ...message, text: 't', self: true },
  ],
  [
    'a message while another app owns the thread',
    instagram({
      time: MS,
      standby: [{ sender: { id: IGSID }, recipient: { id: IGID }, timestamp: MS, message: { mid: MID, text: 'hi' } }],
    }),
    { ...message, text: 'hi', standby: true },
  ],
  [
    'a handover',
    talk({ pass_thread_control: { previous_owner_app_id: '1', new_owner_app_id: '2' } }),
    ignored('thread handover'),
  ],
  ['an opt-in', talk({ optin: { type: 'notification_messages' } }), ignored('opt-in')],
  [
    "the dashboard's test message",
    {
      object: 'instagram',
      entry: [
        {
          id: '0',
          time: SECONDS,
          changes: [
            {
              field: 'messages',
              value: {
                sender: { id: '12334' },
                recipient: { id: '23245' },
                timestamp: '1527459824',
                message: { mid: 'random_mid', text: 'random_text' },
              },
            },
          ],
        },
      ],
    },
    {
      ...message,
      accountId: '0',
      platformId: 'random_mid',
      personId: '12334',
      text: 'random_text',
      at: new Date(1_527_459_824_000),
    },
  ],
  ['story figures', comments({ media_id: '17', impressions: -1 }, 'story_insights'), ignored('field story_insights')],
];

const feedValue = {
  item: 'comment',
  verb: 'add',
  from: { id: '2468', name: 'Jane' },
  post_id: `${PAGE}_246`,
  comment_id: '246_777',
  parent_id: `${PAGE}_246`,
  message: 'LINK',
  created_time: SECONDS - 5,
  post: { status_type: 'added_photos', is_published: true, permalink_url: 'https://www.facebook.com/p' },
};
const pageComment = {
  kind: 'comment',
  platform: 'facebook',
  accountId: PAGE,
  platformId: '246_777',
  postId: `${PAGE}_246`,
  parentId: null,
  personId: '2468',
  username: 'Jane',
  text: 'LINK',
  at: new Date((SECONDS - 5) * 1000),
  own: false,
};
const pagePerson = { platform: 'facebook', accountId: PAGE, personId: PSID, at: new Date(MS) };
const pageMessage = { ...message, ...pagePerson };

const FACEBOOK: Shape[] = [
  ['a comment', feed(feedValue), pageComment],
  ['a reply to a comment', feed({ ...feedValue, parent_id: '246_111' }), { ...pageComment, parentId: '246_111' }],
  [
    "the Page's own comment",
    feed({ ...feedValue, from: { id: PAGE, name: 'Kitchen' } }),
    { ...pageComment, personId: PAGE, username: 'Kitchen', own: true },
  ],
  [
    'a comment whose writer is hidden',
    feed({ ...feedValue, from: undefined }),
    { ...pageComment, personId: 'comment:246_777', username: null },
  ],
  [
    'a comment in the older form',
    feed({ ...feedValue, from: undefined, sender_id: 2468, sender_name: 'Jane' }),
    pageComment,
  ],
  ...['edited', 'edit', 'hide', 'remove', 'delete'].map(
    (verb): Shape => [
      `a comment: ${verb}`,
      feed({ ...feedValue, verb }),
      {
        platform: 'facebook',
        accountId: PAGE,
        kind: 'comment_changed',
        platformId: '246_777',
        removed: verb === 'remove' || verb === 'delete',
      },
    ],
  ),
  ['a comment shown again', feed({ ...feedValue, verb: 'unhide' }), ignored('feed comment unhide', PAGE)],
  ['a reaction', feed({ ...feedValue, item: 'reaction' }), ignored('feed reaction add', PAGE)],
  ['a post', feed({ ...feedValue, item: 'status' }), ignored('feed status add', PAGE)],
  [
    'a message',
    messenger({ message: { mid: 'm_AG5', text: 'hi' } }),
    { ...pageMessage, platformId: 'm_AG5', text: 'hi' },
  ],
  [
    'a quick-reply tap',
    messenger({ message: { mid: 'm_AG5', text: 'Yes', quick_reply: { payload: 'P1' } } }),
    { ...pageMessage, kind: 'button_tap', platformId: 'm_AG5', text: 'Yes', payload: 'P1' },
  ],
  [
    'a button tap',
    messenger({ postback: { mid: 'm_AG5', title: 'Go', payload: 'go:1' } }),
    { ...pageMessage, kind: 'button_tap', platformId: 'm_AG5', text: 'Go', payload: 'go:1' },
  ],
  [
    'a button tap of an older version',
    messenger({ postback: { title: 'Go', payload: 'go:1' } }),
    { ...pageMessage, kind: 'button_tap', platformId: `${PSID}:${MS}:go:1`, text: 'Go', payload: 'go:1' },
  ],
  [
    'an echo of an app',
    messenger({
      sender: { id: PAGE },
      recipient: { id: PSID },
      message: { mid: 'm_AG5', text: 'Hi', is_echo: true, app_id: 1517776481860111, metadata: 'd:1' },
    }),
    { ...pagePerson, kind: 'echo', mid: 'm_AG5', text: 'Hi', appId: '1517776481860111', metadata: 'd:1' },
  ],
  [
    'a delivery receipt',
    messenger({ delivery: { mids: ['m_AG5'], watermark: MS } }),
    ignored('delivery receipt', PAGE),
  ],
  [
    'a read, up to a time',
    messenger({ read: { watermark: MS - 1000 } }),
    { ...pagePerson, kind: 'read', mid: null, at: new Date(MS - 1000) },
  ],
  [
    'a message while another app owns the thread',
    page({
      time: MS,
      standby: [
        { sender: { id: PSID }, recipient: { id: PAGE }, timestamp: MS, message: { mid: 'm_AG5', text: 'hi' } },
      ],
    }),
    { ...pageMessage, platformId: 'm_AG5', text: 'hi', standby: true },
  ],
  [
    'a permission withdrawn',
    {
      object: 'permissions',
      entry: [
        {
          id: '10',
          time: SECONDS,
          changes: [{ field: 'pages_messaging', value: { verb: 'revoked', target_ids: [PAGE] } }],
        },
      ],
    },
    ignored('object permissions', '10'),
  ],
];

describe('the catalogue of event shapes', () => {
  it.each(INSTAGRAM_COMMENTS)('reads comments at Instagram: %s', (_name, body, event) => {
    expect(readEnvelope(JSON.stringify(body))).toEqual([event]);
  });
  it.each(INSTAGRAM_MESSAGES)('reads messages at Instagram: %s', (_name, body, event) => {
    expect(readEnvelope(JSON.stringify(body))).toEqual([event]);
  });
  it.each(FACEBOOK)('reads Pages: %s', (_name, body, event) => {
    expect(readEnvelope(JSON.stringify(body))).toEqual([event]);
  });
  it('keeps the two notifications of one comment under a boosted post apart from nothing but their media', () => {
    const twice = instagram({
      time: SECONDS,
      changes: [
        { field: 'comments', value: commentValue },
        {
          field: 'comments',
          value: { ...commentValue, media: { id: '99', ad_id: '1', original_media_id: '17918195224117851' } },
        },
      ],
    });
    expect(readEnvelope(JSON.stringify(twice))).toEqual([comment, comment]);
  });
});
