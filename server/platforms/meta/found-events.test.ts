import { describe, expect, test } from 'vitest';
import { commentEvent, messageEvent } from './found-events.ts';
import { readEnvelope } from './webhook.ts';

const at = new Date(1_780_000_000_000);
const account = { platform: 'instagram', accountId: '17841' } as const;

describe('a comment that we read', () => {
  const comment = { id: 'c', postId: 'p', parentId: null, personId: '4309', username: 'ana', text: 'RECIPE', at };

  test('is the event that its webhook would have become', () => {
    const value = { id: 'c', text: 'RECIPE', from: { id: '4309', username: 'ana' }, media: { id: 'p' } };
    const entry = [{ id: '17841', time: at.getTime() / 1000, changes: [{ field: 'comments', value }] }];
    const told = readEnvelope(JSON.stringify({ object: 'instagram', entry }));
    expect([commentEvent(account, comment, {})]).toEqual(told);
  });

  test('below a Page’s post is no reply, though it names the post as its parent', () => {
    const onPage = { ...account, platform: 'facebook' } as const;
    expect(commentEvent(onPage, { ...comment, parentId: 'p' }, {})).toMatchObject({ parentId: null });
    expect(commentEvent(onPage, { ...comment, parentId: 'c1' }, {})).toMatchObject({ parentId: 'c1' });
  });

  test('whose writer nobody names stands for an unknown person by itself, and one by the account is its own', () => {
    expect(commentEvent(account, { ...comment, personId: null }, {})).toMatchObject({
      personId: 'comment:c',
      own: false,
    });
    expect(commentEvent(account, { ...comment, personId: '17841' }, {})).toMatchObject({ own: true });
  });

  test('says that it was found, which no webhook can', () => {
    expect(commentEvent(account, comment, { found: true })).toMatchObject({ found: true });
    const value = { id: 'c', text: 'RECIPE', from: { id: '4309' }, creator_hq: { found: true, catch_up: true } };
    const entry = [{ id: '17841', time: at.getTime() / 1000, changes: [{ field: 'comments', value }] }];
    const [told] = readEnvelope(JSON.stringify({ object: 'instagram', entry }));
    expect(told).not.toHaveProperty('found');
    expect(told).not.toHaveProperty('catchUp');
  });
});

describe('a message that we read', () => {
  const said = { mid: 'm', text: 'hi', at, story: null };
  const read = (more: object, standby = false) =>
    messageEvent({ ...account, standby }, { ...said, fromId: '4309', toIds: ['17841'], ...more });

  test.each([[['17841', '4309']], [['4309', '17841']]])(
    'has as its other person who is not the account: to %j',
    (toIds) => {
      expect(read({ fromId: '17841', toIds })).toMatchObject({ kind: 'echo', personId: '4309' });
      expect(read({ fromId: '4309', toIds })).toMatchObject({ kind: 'direct_message', personId: '4309' });
    },
  );

  test.each([
    ['a reply to a story', { story: { kind: 'reply', id: 's' } }, { kind: 'story_reply', storyId: 's' }],
    ['a mention in a story', { story: { kind: 'mention', id: 's' } }, { kind: 'story_mention', storyId: null }],
    ['anything else', {}, { kind: 'direct_message', storyId: null }],
  ])('is known for what it is: %s', (_what, more, event) => {
    expect(read(more)).toMatchObject(event);
  });

  test('is for the record where another app owns the conversation, and nothing where the account wrote it', () => {
    expect(read({}, true)).toMatchObject({ kind: 'direct_message', standby: true });
    expect(read({ fromId: '17841', toIds: ['4309'] }, true)).toMatchObject({ kind: 'ignored' });
    expect(read({ fromId: '17841', toIds: [] })).toMatchObject({ kind: 'ignored' });
  });
});
