import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotAnEnvelope, readEnvelope, verifySignature } from './webhook.ts';

const ACCOUNT = '17841405726653026';
const IGSID = '430915413000664';
const SECONDS = 1_780_000_000;
const MILLISECONDS = 1_569_262_486_134;

const sign = (body: Buffer | string, secret: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const instagram = (entry: object) => JSON.stringify({ object: 'instagram', entry: [{ id: ACCOUNT, ...entry }] });
const commentValue = {
  id: '17894227972186120',
  text: 'LINK please',
  from: { id: IGSID, username: 'ana' },
  media: { id: '17918195224117851', media_product_type: 'FEED' },
};
const comment = (value: object, field = 'comments') =>
  readEnvelope(instagram({ time: SECONDS, changes: [{ field, value }] }));
const messaging = (item: object) =>
  readEnvelope(
    instagram({
      time: MILLISECONDS,
      messaging: [{ sender: { id: IGSID }, recipient: { id: ACCOUNT }, timestamp: MILLISECONDS, ...item }],
    }),
  );

describe('the signature', () => {
  const body = Buffer.from('{"object":"instagram","entry":[],"text":"caf\\u00e9 \\/"}');

  it('is refused when missing, malformed or of another secret', () => {
    expect(verifySignature(body, undefined, ['one'])).toBeNull();
    expect(verifySignature(body, '', ['one'])).toBeNull();
    expect(verifySignature(body, 'sha256=', ['one'])).toBeNull();
    expect(verifySignature(body, 'sha1=6f4e', ['one'])).toBeNull();
    expect(verifySignature(body, `sha256=${'z'.repeat(64)}`, ['one'])).toBeNull();
    expect(verifySignature(body, sign(body, 'three'), ['one', 'two'])).toBeNull();
    expect(verifySignature(body, sign(body, 'one'), [])).toBeNull();
  });
  it('is refused when a single byte of the body differs', () => {
    const changed = Buffer.from(body);
    changed[5]! ^= 1;
    expect(verifySignature(changed, sign(body, 'one'), ['one'])).toBeNull();
  });
  it('tells which secret signed', () => {
    expect(verifySignature(body, sign(body, 'one'), ['one', 'two'])).toBe(0);
    expect(verifySignature(body, sign(body, 'two'), ['one', 'two'])).toBe(1);
  });
});

describe('a body that is no envelope', () => {
  it.each(['', '{', 'null', '[]x', '"text"', '42', '{}', '{"object":"instagram"}', '{"object":1,"entry":[]}', '[{}]'])(
    'is refused by name: %s',
    (body) => {
      expect(() => readEnvelope(body)).toThrow(NotAnEnvelope);
    },
  );
});

describe('an Instagram comment', () => {
  const expected = {
    kind: 'comment',
    platform: 'instagram',
    accountId: ACCOUNT,
    platformId: '17894227972186120',
    postId: '17918195224117851',
    parentId: null,
    personId: IGSID,
    username: 'ana',
    text: 'LINK please',
    at: new Date(SECONDS * 1000),
    own: false,
  };

  it('is read from changes', () => {
    expect(comment(commentValue)).toEqual([expected]);
  });
  it('is read when field and value stand in the entry', () => {
    expect(readEnvelope(instagram({ time: SECONDS, field: 'comments', value: commentValue }))).toEqual([expected]);
  });
  it('is read from an envelope wrapped in an array', () => {
    const body = instagram({ time: SECONDS, changes: [{ field: 'comments', value: commentValue }] });
    expect(readEnvelope(`[${body}]`)).toEqual([expected]);
  });
  it('is read with its id under comment_id', () => {
    const { id, ...rest } = commentValue;
    expect(comment({ ...rest, comment_id: id })).toEqual([expected]);
  });
  it('names its parent when it is a reply', () => {
    expect(comment({ ...commentValue, parent_id: '1789' })).toMatchObject([{ parentId: '1789' }]);
  });
  it('under an ad belongs to the boosted post', () => {
    const media = { id: '18000000000000001', ad_id: '23', ad_title: 'Ad', original_media_id: '17918195224117851' };
    expect(comment({ ...commentValue, media })).toMatchObject([{ postId: '17918195224117851' }]);
  });
  it('in a live video is told apart', () => {
    expect(comment(commentValue, 'live_comments')).toEqual([{ ...expected, kind: 'live_comment' }]);
  });
  it('is the account’s own by its id alone', () => {
    expect(comment({ ...commentValue, from: { id: ACCOUNT, username: 'me' } })).toMatchObject([{ own: true }]);
    expect(comment({ ...commentValue, from: { id: '99', self_ig_scoped_id: '98' } })).toMatchObject([{ own: false }]);
  });
  it('keeps every digit of ids that came as bare numbers', () => {
    const body = `{"object":"instagram","entry":[{"id":17841405726653026,"time":${SECONDS},"changes":[{"field":"comments",
      "value":{"id":18023345989012587,"text":"id: 17841407057278764","from":{"id":9007199254740993},"media":{"id":17918195224117851}}}]}]}`;
    expect(readEnvelope(body)).toMatchObject([
      {
        accountId: '17841405726653026',
        platformId: '18023345989012587',
        personId: '9007199254740993',
        postId: '17918195224117851',
        text: 'id: 17841407057278764',
      },
    ]);
  });
  it('may have no text and no media', () => {
    expect(comment({ id: '1', from: { id: IGSID } })).toMatchObject([{ text: '', postId: null, username: null }]);
  });
  it('without id, writer or time is ignored by name', () => {
    expect(comment({ from: { id: IGSID } })).toEqual([
      { kind: 'ignored', accountId: ACCOUNT, what: 'comment without an id', malformed: true },
    ]);
    expect(comment({ id: '1' })).toMatchObject([{ what: 'comment without a writer' }]);
    const timeless = instagram({ changes: [{ field: 'comments', value: commentValue }] });
    expect(readEnvelope(timeless)).toMatchObject([{ what: 'comment without a time' }]);
    expect(readEnvelope(timeless, new Date(5))).toMatchObject([{ kind: 'comment', at: new Date(5) }]);
  });
});

describe('a comment on a Page', () => {
  const value = {
    item: 'comment',
    verb: 'add',
    from: { id: '2468', name: 'Jane' },
    post_id: '135_246',
    comment_id: '246_777',
    parent_id: '135_246',
    message: 'LINK',
    created_time: SECONDS - 5,
  };
  const feed = (over: object) =>
    readEnvelope(
      JSON.stringify({
        object: 'page',
        entry: [{ id: '135', time: SECONDS, changes: [{ field: 'feed', value: { ...value, ...over } }] }],
      }),
    );

  it('is read with the time of its making', () => {
    expect(feed({})).toEqual([
      {
        kind: 'comment',
        platform: 'facebook',
        accountId: '135',
        platformId: '246_777',
        postId: '135_246',
        parentId: null,
        personId: '2468',
        username: 'Jane',
        text: 'LINK',
        at: new Date((SECONDS - 5) * 1000),
        own: false,
      },
    ]);
  });
  it('names its parent only when it is a reply', () => {
    expect(feed({ parent_id: '246_111' })).toMatchObject([{ parentId: '246_111' }]);
  });
  it('of the Page itself is its own', () => {
    expect(feed({ from: { id: '135', name: 'Page' } })).toMatchObject([{ own: true }]);
  });
  it('whose writer Meta hides stands for an unknown person', () => {
    expect(feed({ from: undefined })).toMatchObject([{ kind: 'comment', personId: 'comment:246_777', own: false }]);
  });
  it('in the older form names its sender', () => {
    expect(feed({ from: undefined, sender_id: 2468, sender_name: 'Jane' })).toMatchObject([
      { personId: '2468', username: 'Jane' },
    ]);
  });
  it.each([
    [{ verb: 'unhide' }, 'feed comment unhide'],
    [{ item: 'like' }, 'feed like add'],
    [{ item: 'x'.repeat(99) }, 'feed of an unknown name add'],
  ])('ignores other news of the feed: %o', (over, what) => {
    expect(feed(over)).toEqual([{ kind: 'ignored', accountId: '135', what }]);
  });
});

describe('a message', () => {
  const base = { platform: 'instagram', accountId: ACCOUNT, personId: IGSID, at: new Date(MILLISECONDS) };
  const written = { ...base, payload: null, storyId: null, standby: false, self: false };

  it.each([
    ['text', { mid: 'm1', text: 'hi' }, 'direct_message', 'hi'],
    ['an attachment', { mid: 'm1', attachments: [{ type: 'image', payload: { url: 'u' } }] }, 'direct_message', ''],
    ['something unsupported', { mid: 'm1', is_unsupported: true }, 'direct_message', ''],
    ['an inline reply', { mid: 'm1', text: 'yes', reply_to: { mid: 'm0' } }, 'direct_message', 'yes'],
    [
      'a story reply',
      { mid: 'm1', text: 'LINK', reply_to: { story: { id: '1', url: 'u' } } },
      'story_reply',
      'LINK',
      { storyId: '1' },
    ],
    [
      'a story mention',
      { mid: 'm1', attachments: [{ type: 'story_mention', payload: { url: 'u' } }] },
      'story_mention',
      '',
    ],
    ['a quick reply', { mid: 'm1', text: 'Yes', quick_reply: { payload: 'P' } }, 'button_tap', 'Yes', { payload: 'P' }],
    ['one to oneself', { mid: 'm1', text: 't', is_echo: true, is_self: true }, 'direct_message', 't', { self: true }],
  ])('is read: %s', (_name, message, kind, text, more?: object) => {
    expect(messaging({ message })).toEqual([{ ...written, kind, platformId: 'm1', text, ...more }]);
  });
  it('that is a tap is known by its mid, or by its parts when it has none', () => {
    expect(messaging({ postback: { mid: 'm1', title: 'Open', payload: 'P' } })).toEqual([
      { ...written, kind: 'button_tap', platformId: 'm1', text: 'Open', payload: 'P' },
    ]);
    expect(messaging({ postback: { payload: 'P' } })).toMatchObject([
      { platformId: `${IGSID}:${MILLISECONDS}:P`, text: 'P' },
    ]);
  });
  it('that the account sent itself is an echo, marked or not', () => {
    const swapped = { sender: { id: ACCOUNT }, recipient: { id: IGSID } };
    const echo = { ...base, kind: 'echo', mid: 'm1', text: 'hi', appId: null, metadata: null };
    expect(messaging({ ...swapped, message: { mid: 'm1', text: 'hi', is_echo: true } })).toEqual([echo]);
    expect(messaging({ ...swapped, message: { mid: 'm1', text: 'hi' } })).toEqual([echo]);
  });
  it('that was read is told with its id, or without on Messenger', () => {
    expect(messaging({ read: { mid: 'm1' } })).toEqual([{ ...base, kind: 'read', mid: 'm1' }]);
    expect(messaging({ read: { watermark: MILLISECONDS - 9 } })).toMatchObject([
      { kind: 'read', mid: null, at: new Date(MILLISECONDS - 9) },
    ]);
  });
  it.each([
    [{ message: { text: 'no mid' } }, 'message without an id'],
    [{ reaction: { mid: 'm1', action: 'react', reaction: 'love' } }, 'reaction'],
    [{ message_edit: { mid: 'm1', text: 'b', num_edit: '1' } }, 'message edit'],
    [{ delivery: { mids: ['m1'], watermark: 1 } }, 'delivery receipt'],
    [{ referral: { ref: 'r', source: 'SHORTLINKS' } }, 'referral'],
    [{ pass_thread_control: {} }, 'thread handover'],
    [{ something_new: {} }, 'unknown message'],
    [{ sender: undefined, message: { mid: 'm1' } }, 'malformed message'],
  ])('is ignored by name: %o', (item, what) => {
    const lacks = what === 'malformed message' || what === 'message without an id';
    expect(messaging(item)).toEqual([{ kind: 'ignored', accountId: ACCOUNT, what, ...(lacks && { malformed: true }) }]);
  });
  it('that was taken back names the message', () => {
    expect(messaging({ message: { mid: 'm0', is_deleted: true } })).toEqual([{ ...base, kind: 'unsent', mid: 'm0' }]);
  });
  it('for another app that owns the thread says so', () => {
    const item = { sender: { id: IGSID }, recipient: { id: ACCOUNT }, timestamp: 1, message: { mid: 'm1', text: 'x' } };
    const read = { ...item, message: undefined, read: { mid: 'm1' } };
    expect(readEnvelope(instagram({ time: 1, standby: [item, read] }))).toMatchObject([
      { kind: 'direct_message', platformId: 'm1', text: 'x', standby: true },
      { kind: 'ignored', accountId: ACCOUNT, what: 'standby' },
    ]);
  });
  it("of the dashboard's test button is read, its time being text in seconds", () => {
    const value = {
      sender: { id: '12334' },
      recipient: { id: '23245' },
      timestamp: '1527459824',
      message: { mid: 'random_mid', text: 'random_text' },
    };
    const body = JSON.stringify({
      object: 'instagram',
      entry: [{ id: '0', time: SECONDS, changes: [{ field: 'messages', value }] }],
    });
    expect(readEnvelope(body)).toEqual([
      {
        kind: 'direct_message',
        platform: 'instagram',
        accountId: '0',
        platformId: 'random_mid',
        personId: '12334',
        text: 'random_text',
        payload: null,
        storyId: null,
        standby: false,
        self: false,
        at: new Date(1_527_459_824_000),
      },
    ]);
  });
});

describe('anything else in an envelope', () => {
  it.each([
    [{ object: 'instagram', entry: [null] }, 'entry without an id'],
    [{ object: 'instagram', entry: [{ id: ACCOUNT }] }, 'entry without changes'],
    [{ object: 'instagram', entry: [{ id: ACCOUNT, changes: [7] }] }, 'malformed change'],
    [{ object: 'instagram', entry: [{ id: ACCOUNT, messaging: ['x'] }] }, 'malformed message'],
    [{ object: 'instagram', entry: [{ id: ACCOUNT, changes: [{ field: 'mentions', value: {} }] }] }, 'mention'],
    [
      { object: 'instagram', entry: [{ id: ACCOUNT, changes: [{ field: 'story_insights', value: {} }] }] },
      'field story_insights',
    ],
    [
      { object: 'permissions', entry: [{ id: '1', changes: [{ field: 'pages_messaging', value: {} }] }] },
      'object permissions',
    ],
  ])('is ignored by name: %j', (envelope, what) => {
    expect(readEnvelope(JSON.stringify(envelope))).toMatchObject([{ kind: 'ignored', what }]);
  });
  it('does not keep its neighbours from being read', () => {
    const body = JSON.stringify({
      object: 'instagram',
      entry: [
        5,
        { id: ACCOUNT, time: SECONDS, changes: [null, { field: 'comments', value: commentValue }] },
        { id: 'x', time: 'no time', changes: [{ field: 'comments', value: [] }] },
      ],
    });
    expect(readEnvelope(body).map((event) => event.kind)).toEqual(['ignored', 'ignored', 'comment', 'ignored']);
  });
  it('never throws, whatever it is', () => {
    const keys = fc.constantFrom('id', 'time', 'changes', 'messaging', 'field', 'value', 'message', 'from', 'sender');
    const anything = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue(),
        fc.dictionary(keys, tie('value')),
        fc.array(tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(
        fc.constantFrom('instagram', 'page', 'user'),
        fc.array(anything, { maxLength: 5 }),
        (object, entry) => {
          expect(readEnvelope(JSON.stringify({ object, entry })).length).toBeGreaterThanOrEqual(entry.length);
        },
      ),
      { numRuns: 100 },
    );
  });
});
