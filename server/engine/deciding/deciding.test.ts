import { describe, expect, test } from 'vitest';
import type { Conversation } from '#server/engine/conversations/conversation.ts';
import {
  ago,
  automation,
  comment,
  connection,
  context,
  DAY_MS,
  HOUR_MS,
  in_,
  MINUTE_MS,
  message,
  NOW,
  SECOND_MS,
} from '#server/engine/testing/deciding-examples.ts';
import type { EngineAutomation, EngineConnection } from './connections.ts';
import {
  type Decision,
  decideComment,
  decideMessage,
  FIRST_POST_PRIORITY,
  holdBack,
  publicReplyAfter,
  type StoredConversation,
} from './deciding.ts';

type Given = Parameters<typeof context>[0];

function onComment(
  event: Parameters<typeof comment>[0] = {},
  {
    of = {},
    by = [automation()],
    given = {},
  }: { of?: Partial<EngineConnection>; by?: EngineAutomation[]; given?: Given } = {},
): Decision {
  const made = comment(event);
  const its = connection(of, by);
  const trigger = made.kind;
  const choice = made.own ? null : its.automations.choose({ trigger, postId: made.postId }, made.text);
  return decideComment(made, ago(1), its, choice, context(given));
}

function onMessage(
  event: Parameters<typeof message>[0] = {},
  {
    of = {},
    by = [automation({ trigger: 'direct_message' })],
    given = {},
  }: { of?: Partial<EngineConnection>; by?: EngineAutomation[]; given?: Given } = {},
): Decision {
  return decideMessage(message(event), ago(1), connection(of, by), context(given));
}

const told = ({ interaction, delivery }: Decision) =>
  `${interaction.outcome}: ${interaction.reason}${delivery === null ? '' : ', a message'}`;
const ANSWERED = 'waiting: queued, a message';

describe('a comment', () => {
  test('with the word is answered by a private reply', () => {
    expect(onComment()).toEqual({
      interaction: {
        creator_id: 'creator',
        id: 'id-1',
        connection_id: 'connection',
        kind: 'comment',
        platform_id: 'comment',
        post_id: 'post',
        parent_id: null,
        person_id: 'person',
        username: 'ana',
        text: 'Recipe!',
        occurred_at: NOW,
        received_at: ago(1),
        outcome: 'waiting',
        reason: 'queued',
        automation_id: 'automation',
        matched_words: ['recipe'],
        waiting_until: null,
        outcome_at: NOW,
        found_by_reading: false,
      },
      delivery: {
        creator_id: 'creator',
        id: 'id-2',
        connection_id: 'connection',
        interaction_id: 'id-1',
        automation_id: 'automation',
        conversation_id: null,
        variant: null,
        kind: 'private_reply',
        lane: 'private_replies',
        recipient: 'comment',
        content: { text: 'Hi ana, recipe', buttons: [{ title: 'Open', url: expect.stringContaining('/l/abc1234/') }] },
        priority: 0,
        due_at: NOW,
        expires_at: in_(7 * DAY_MS),
        created_at: NOW,
      },
    });
  });

  test.each<[string, Parameters<typeof onComment>, string]>([
    ['of the account itself', [{ own: true }], 'skipped: own_comment'],
    ['on a Page without the addon', [{}, { of: { addonOff: true } }], 'skipped: facebook_addon_off'],
    ['of the account, without the addon', [{ own: true }, { of: { addonOff: true } }], 'skipped: facebook_addon_off'],
    ['without the word', [{ text: 'lovely' }], 'skipped: no_match'],
    ['where no automation listens', [{}, { by: [] }], 'skipped: no_automation'],
    ['in a live where no automation listens', [{ kind: 'live_comment' }, { by: [] }], 'skipped: live_comment'],
    [
      'in a live without the word',
      [{ kind: 'live_comment', text: 'hi' }, { by: [automation({ trigger: 'live_comment' })] }],
      'skipped: no_match',
    ],
    ['while its creator is to be deleted', [{}, { of: { beingDeleted: true } }], 'missed: being_deleted'],
    ['of somebody who wrote STOP', [{}, { given: { standing: { stopped: true } } }], 'skipped: stopped'],
    ['of somebody blocked', [{}, { given: { standing: { blocked: true } } }], 'skipped: blocked'],
    [
      'of somebody who wrote STOP and is blocked',
      [{}, { given: { standing: { stopped: true, blocked: true } } }],
      'skipped: stopped',
    ],
  ])('%s is told why it is not answered', (_name, given, outcome) => {
    expect(told(onComment(...given))).toBe(outcome);
  });

  test('that matched names its automation and the words, whatever keeps it from being answered', () => {
    const about = { automation_id: 'automation', matched_words: ['recipe'] };
    expect(onComment({}, { given: { standing: { blocked: true } } }).interaction).toMatchObject(about);
    expect(onComment({ text: 'lovely' }).interaction).toMatchObject({ automation_id: null, matched_words: [] });
  });

  const live = [automation({ trigger: 'live_comment' })];
  test.each<[string, number, string]>([
    ['a second less than seven days old', 7 * DAY_MS - SECOND_MS, ANSWERED],
    ['seven days old', 7 * DAY_MS, 'missed: too_old'],
    ['a second more than seven days old', 7 * DAY_MS + SECOND_MS, 'missed: too_old'],
  ])('%s', (_name, age, outcome) => {
    expect(told(onComment({ at: ago(age) }))).toBe(outcome);
  });
  test.each<[string, number, string]>([
    ['a second less than four hours old', 4 * HOUR_MS - SECOND_MS, ANSWERED],
    ['four hours old', 4 * HOUR_MS, 'missed: live_over'],
    ['a second more than four hours old', 4 * HOUR_MS + SECOND_MS, 'missed: live_over'],
  ])('in a live, %s', (_name, age, outcome) => {
    expect(told(onComment({ kind: 'live_comment', at: ago(age) }, { by: live }))).toBe(outcome);
  });

  test('in a live has a lane and a deadline of its own, and no public reply', () => {
    const by = [automation({ trigger: 'live_comment', publicReplies: ['Sent'] })];
    const { delivery } = onComment({ kind: 'live_comment', at: ago(HOUR_MS) }, { by });
    expect(delivery).toMatchObject({ kind: 'private_reply', lane: 'live_replies', expires_at: in_(3 * HOUR_MS) });
    expect(delivery!.content.publicReply).toBeUndefined();
  });

  test('asks for the turn of its own lane', () => {
    const asked: string[] = [];
    const given: Given = {
      turnOf: (_connection, lane) => {
        asked.push(lane);
        return null;
      },
    };
    onComment({}, { given });
    onComment({ kind: 'live_comment' }, { by: live, given });
    expect(asked).toEqual(['private_replies', 'live_replies']);
  });

  test.each<[string, Partial<EngineConnection>, Date | null, string, Date | null]>([
    ['is queued where it can go at once', {}, null, 'queued', null],
    ['waits for its turn', {}, in_(HOUR_MS), 'rate_limited', in_(HOUR_MS)],
    ['waits for the creator to sign in', { requiresAuth: true }, in_(HOUR_MS), 'needs_reconnect', in_(HOUR_MS)],
    ['waits for Meta', { paused: true }, in_(HOUR_MS), 'paused', null],
    ['waits for a queue that was paused', { queuePaused: true }, in_(HOUR_MS), 'paused_by_you', null],
    ['waits for both', { requiresAuth: true, paused: true, queuePaused: true }, null, 'needs_reconnect', null],
    ['says that Meta is paused before it says the queue is', { paused: true, queuePaused: true }, null, 'paused', null],
  ])('%s', (_name, of, turn, reason, until) => {
    const decision = onComment({}, { of, given: { turn } });
    expect(decision.interaction).toMatchObject({ outcome: 'waiting', reason, waiting_until: until });
    expect(decision.delivery).not.toBeNull();
  });

  test.each<[string, string | null, string | null, number]>([
    ['of the post that goes first', 'post', 'post', FIRST_POST_PRIORITY],
    ['of another post', 'post', 'other', 0],
    ['of no post', null, null, 0],
  ])('%s has its priority', (_name, postId, firstPostId, priority) => {
    expect(onComment({ postId }, { of: { firstPostId } }).delivery!.priority).toBe(priority);
  });

  test('keeps only what PostgreSQL can hold', () => {
    const made = onComment({
      text: 'recipe \0\ud83d',
      username: 'a\0',
      personId: 'p\0',
      platformId: 'c\0',
    }).interaction;
    expect(made).toMatchObject({ text: 'recipe \ufffd', username: 'a', person_id: 'p', platform_id: 'c' });
    expect(onComment({ text: 'recipe \ud83d' }).interaction.text).toBe('recipe \ufffd');
    expect(onComment({ username: null }).interaction.username).toBeNull();
  });

  test('says whether a reading found it, and below which it stands', () => {
    expect(onComment({ found: true, parentId: 'parent' }).interaction).toMatchObject({
      found_by_reading: true,
      parent_id: 'parent',
    });
  });
});

describe('what came before an automation was on', () => {
  const on = (ms: number) => [automation({ switchedOnAt: ago(ms) })];
  const attached = (ms: number) => [automation({ postIds: ['post'], attachedAt: new Map([['post', ago(ms)]]) })];
  const BEFORE = 'skipped: before_it_was_on';

  test.each<[string, Parameters<typeof comment>[0], EngineAutomation[], string]>([
    ['found, a second before', { at: ago(1000), found: true }, on(0), BEFORE],
    [
      'found, less than a second before: Meta’s times have no fractions',
      { at: ago(999), found: true },
      on(0),
      ANSWERED,
    ],
    ['found, afterwards', { at: NOW, found: true }, on(1), ANSWERED],
    ['told by a webhook, long before', { at: ago(HOUR_MS) }, on(0), ANSWERED],
    ['wanted by the creator all the same', { at: ago(HOUR_MS), found: true, catchUp: true }, on(0), ANSWERED],
    ['told by a webhook, a second before it found its post', { at: ago(1000) }, attached(0), BEFORE],
    ['told by a webhook, less than a second before that', { at: ago(999) }, attached(0), ANSWERED],
    ['wanted although before that', { at: ago(HOUR_MS), catchUp: true }, attached(0), ANSWERED],
    [
      'found on a post that was attached before, and switched on later',
      { at: ago(1000), found: true },
      [automation({ postIds: ['post'], attachedAt: new Map([['post', ago(HOUR_MS)]]), switchedOnAt: NOW })],
      BEFORE,
    ],
  ])('%s', (_name, event, by, outcome) => {
    expect(told(onComment(event, { by }))).toBe(outcome);
  });

  test('on no post is before nothing', () => {
    const by = [automation({ attachedAt: new Map([['null', NOW]]) })];
    expect(told(onComment({ postId: null, at: ago(HOUR_MS) }, { by }))).toBe(ANSWERED);
  });
});

describe('somebody who was taken over', () => {
  test.each<[string, Date | null, string]>([
    ['until a second from now', in_(SECOND_MS), 'skipped: taken_over'],
    ['until now', NOW, ANSWERED],
    ['until a second ago', ago(SECOND_MS), ANSWERED],
    ['never', null, ANSWERED],
  ])('%s', (_name, takenOverUntil, outcome) => {
    const given = { standing: { takenOverUntil } };
    expect(told(onComment({}, { given }))).toBe(outcome);
    expect(told(onMessage({}, { given }))).toBe(outcome);
  });
});

describe('somebody who was answered', () => {
  test.each<[string, number | null, Record<string, Date>, string]>([
    ['a second less than its time ago', 60, { automation: ago(HOUR_MS - SECOND_MS) }, 'skipped: already_answered'],
    ['its time ago', 60, { automation: ago(HOUR_MS) }, ANSWERED],
    ['a second more than its time ago', 60, { automation: ago(HOUR_MS + SECOND_MS) }, ANSWERED],
    ['just now, where every comment is answered', null, { automation: NOW, twin: NOW }, ANSWERED],
    ['by another with the same link, a second less', 60, { twin: ago(HOUR_MS - SECOND_MS) }, 'skipped: already_has_it'],
    ['by another with the same link, its time ago', 60, { twin: ago(HOUR_MS) }, ANSWERED],
    ['by another with another link', 60, { stranger: NOW }, ANSWERED],
    ['by both', 60, { automation: NOW, twin: NOW }, 'skipped: already_answered'],
  ])('%s', (_name, repeatAfterMinutes, answered, outcome) => {
    const its = { repeatAfterMinutes, sameLink: ['cousin', 'twin'] };
    expect(told(onComment({}, { by: [automation(its)], given: { answered } }))).toBe(outcome);
    const by = [automation({ ...its, trigger: 'direct_message' })];
    expect(told(onMessage({}, { by, given: { answered } }))).toBe(outcome);
  });
});

describe('a public reply', () => {
  const by = [automation({ publicReplies: ['Look at your messages, {{username|you}}: {{word}}'] })];
  const replyTo = (event: Parameters<typeof comment>[0]) => onComment(event, { by }).delivery!.content.publicReply;

  test('stands below the comment; below a reply’s parent it begins with the writer’s name', () => {
    const text = 'Look at your messages, ana: recipe';
    expect(replyTo({})).toEqual({ commentId: 'comment', text });
    expect(replyTo({ parentId: 'parent' })).toEqual({ commentId: 'parent', text: `@ana ${text}` });
    const nameless = 'Look at your messages, you: recipe';
    expect(replyTo({ username: null })).toEqual({ commentId: 'comment', text: nameless });
    expect(replyTo({ username: null, parentId: 'parent' })).toEqual({ commentId: 'parent', text: nameless });
    expect(onComment().delivery!.content).not.toHaveProperty('publicReply');
  });

  test('of an automation that answers every comment has no word to name', () => {
    const every = [automation({ mode: 'any_comment', words: [], publicReplies: ['Hi {{word|all}}'] })];
    expect(onComment({ text: 'x' }, { by: every }).delivery!.content.publicReply!.text).toBe('Hi all');
  });

  test('is picked in the language that she wrote in', () => {
    const picked: (string | null)[] = [];
    const pickPublicReply = (_automation: EngineAutomation, language: string | null) => {
      picked.push(language);
      return null;
    };
    const translations = [{ language: 'es', words: ['receta'], messageText: 'Aquí', publicReplies: [] }];
    onComment({ text: 'receta' }, { by: [automation({ translations })], given: { pickPublicReply } });
    onComment({}, { by: [automation({ translations })], given: { pickPublicReply } });
    expect(picked).toEqual(['es', null]);
  });

  test('follows its message by a day at most', () => {
    const { delivery } = onComment({ parentId: 'parent' }, { by });
    expect(publicReplyAfter({ ...delivery!, priority: 7 }, context().ids, in_(HOUR_MS))).toEqual({
      creator_id: 'creator',
      id: 'id-1',
      connection_id: 'connection',
      interaction_id: 'id-1',
      automation_id: 'automation',
      conversation_id: null,
      variant: null,
      kind: 'public_reply',
      lane: 'public_replies',
      recipient: 'parent',
      content: { text: '@ana Look at your messages, ana: recipe', buttons: [] },
      priority: 0,
      due_at: in_(HOUR_MS),
      expires_at: in_(25 * HOUR_MS),
      created_at: in_(HOUR_MS),
    });
    expect(publicReplyAfter(onComment().delivery!, context().ids, NOW)).toBeNull();
  });
});

describe('STOP and START', () => {
  test.each<[string, Parameters<typeof onMessage>, string]>([
    ['STOP in a message', [{ text: 'stop' }], 'replied: stop_obeyed'],
    ['STOP in a reply to a story', [{ text: 'Stop!', kind: 'story_reply', storyId: 's' }], 'replied: stop_obeyed'],
    ['STOP with the Facebook Addon off', [{ text: 'stop' }, { of: { addonOff: true } }], 'replied: stop_obeyed'],
    ['STOP of more than twelve characters', [{ text: 'Unsubscribe !!! 🙏🙏🙏' }], 'replied: stop_obeyed'],
    [
      'STOP while somebody is blocked',
      [{ text: 'stop' }, { given: { standing: { blocked: true } } }],
      'replied: stop_obeyed',
    ],
    [
      'STOP while the creator is to be deleted',
      [{ text: 'stop' }, { of: { beingDeleted: true } }],
      'replied: stop_obeyed',
    ],
    ['STOP days later', [{ text: 'stop', at: ago(9 * DAY_MS) }], 'replied: stop_obeyed'],
    ['STOP once more', [{ text: 'stop' }, { given: { standing: { stopped: true } } }], 'replied: stop_obeyed'],
    ['STOP on a button', [{ text: 'stop', kind: 'button_tap' }], 'skipped: button_tap'],
    ['STOP in a mention', [{ text: 'stop', kind: 'story_mention' }], 'skipped: story_interaction'],
    ['START after STOP', [{ text: 'start' }, { given: { standing: { stopped: true } } }], 'replied: start_obeyed'],
    ['START of somebody who never wrote STOP', [{ text: 'start' }], 'skipped: direct_message'],
    [
      'START that is a creator’s keyword',
      [{ text: 'start' }, { by: [automation({ trigger: 'direct_message', words: ['start'] })] }],
      ANSWERED,
    ],
    [
      'START that is a keyword, after STOP',
      [
        { text: 'start' },
        {
          by: [automation({ trigger: 'direct_message', words: ['start'] })],
          given: { standing: { stopped: true } },
        },
      ],
      'replied: start_obeyed',
    ],
    ['STOP of the account to itself', [{ text: 'stop', self: true }], 'skipped: self_test'],
    ['STOP in a conversation of another app', [{ text: 'stop', standby: true }], 'skipped: another_app'],
    ['anything else after STOP', [{ text: 'recipe' }, { given: { standing: { stopped: true } } }], 'skipped: stopped'],
  ])('%s', (_name, given, outcome) => {
    expect(told(onMessage(...given))).toBe(outcome);
  });

  test('are told to those who keep them', () => {
    expect(onMessage({ text: 'stop' }).effects).toEqual({ stopped: true });
    expect(onMessage({ text: 'start' }, { given: { standing: { stopped: true } } }).effects).toEqual({ started: true });
    expect(onMessage({ text: 'lovely' })).not.toHaveProperty('effects');
  });
});

describe('a message', () => {
  test('with the word is answered in the conversation', () => {
    const { interaction, delivery } = onMessage({}, { given: { standing: { username: 'ana' } } });
    expect(interaction).toMatchObject({
      kind: 'direct_message',
      platform_id: 'mid',
      post_id: null,
      parent_id: null,
      username: null,
      automation_id: 'automation',
      matched_words: ['recipe'],
      found_by_reading: false,
      waiting_until: null,
    });
    expect(delivery).toMatchObject({
      kind: 'message',
      lane: 'messages',
      recipient: 'person',
      content: { text: 'Hi ana, recipe' },
      expires_at: in_(DAY_MS - 10 * MINUTE_MS),
    });
  });

  test.each<[string, Parameters<typeof onMessage>, string]>([
    ['without the word', [{ text: 'lovely' }], 'skipped: direct_message'],
    ['where no automation listens', [{}, { by: [] }], 'skipped: direct_message'],
    ['to a story where none listens', [{ kind: 'story_reply', storyId: 's' }], 'skipped: story_interaction'],
    ['that mentions where none listens', [{ kind: 'story_mention' }], 'skipped: story_interaction'],
    ['on a Page without the addon', [{}, { of: { addonOff: true } }], 'skipped: facebook_addon_off'],
    ['that is a tap on a button of long ago', [{ kind: 'button_tap' }], 'skipped: button_tap'],
    ['while the creator is to be deleted', [{}, { of: { beingDeleted: true } }], 'missed: being_deleted'],
    ['of somebody blocked', [{}, { given: { standing: { blocked: true } } }], 'skipped: blocked'],
  ])('%s is told why it is not answered', (_name, given, outcome) => {
    expect(told(onMessage(...given))).toBe(outcome);
  });

  test('that matched names its automation and the words, whatever keeps it from being answered', () => {
    const about = { automation_id: 'automation', matched_words: ['recipe'] };
    const kept: Parameters<typeof onMessage>[] = [
      [{}, { of: { beingDeleted: true } }],
      [{ at: ago(2 * DAY_MS) }],
      [{}, { given: { standing: { stopped: true } } }],
    ];
    for (const given of kept) expect(onMessage(...given).interaction).toMatchObject(about);
  });

  test('to a story names the story', () => {
    const by = [automation({ trigger: 'story_reply', postIds: ['story'] })];
    const decision = onMessage({ kind: 'story_reply', storyId: 'story' }, { by });
    expect(told(decision)).toBe(ANSWERED);
    expect(decision.interaction.post_id).toBe('story');
    expect(told(onMessage({ kind: 'story_reply', storyId: 'other' }, { by }))).toBe('skipped: story_interaction');
  });

  const window = DAY_MS - 10 * MINUTE_MS;
  test.each<[string, number, string]>([
    ['a second before the window ends', window - SECOND_MS, ANSWERED],
    ['when the window ends', window, 'failed: outside_window'],
    ['a second later', window + SECOND_MS, 'failed: outside_window'],
  ])('%s', (_name, age, outcome) => {
    expect(told(onMessage({ at: ago(age) }))).toBe(outcome);
  });

  test.each<[string, Partial<EngineConnection>, Date | null, string, Date | null]>([
    ['is queued where it can go at once', {}, null, 'queued', null],
    ['waits for its turn', {}, in_(HOUR_MS), 'rate_limited', in_(HOUR_MS)],
    ['waits for Meta', { paused: true }, in_(HOUR_MS), 'paused', null],
    ['goes on although the creator paused the queue', { queuePaused: true }, null, 'queued', null],
    ['keeps its turn although the queue is paused', { queuePaused: true }, in_(HOUR_MS), 'rate_limited', in_(HOUR_MS)],
    ['waits for the creator to sign in', { requiresAuth: true }, null, 'needs_reconnect', null],
  ])('%s', (_name, of, turn, reason, until) => {
    const { interaction } = onMessage({}, { of, given: { turn } });
    expect(interaction).toMatchObject({ outcome: 'waiting', reason, waiting_until: until });
  });

  test('asks for the turn of the lane of messages', () => {
    const asked: string[] = [];
    const turnOf = (_connection: EngineConnection, lane: string) => {
      asked.push(lane);
      return null;
    };
    onMessage({}, { given: { turnOf } });
    onMessage({ kind: 'button_tap', payload: `go:${CONVERSATION}` }, { given: { turnOf, conversation: going() } });
    expect(asked).toEqual(['messages', 'messages']);
  });
});

describe('any message is welcomed', () => {
  const welcome = (more: Partial<EngineAutomation> = {}) =>
    automation({ id: 'welcome', trigger: 'direct_message', mode: 'any_comment', words: [], ...more });
  const NOT = 'skipped: direct_message';

  test.each<[string, number | null, Date | null, string]>([
    ['the first one ever', 60, null, ANSWERED],
    ['the first one ever, where nobody is welcomed twice', null, null, ANSWERED],
    ['a second before the silence is long enough', 60, ago(HOUR_MS - SECOND_MS), NOT],
    ['when the silence is just long enough', 60, ago(HOUR_MS), ANSWERED],
    ['a second later', 60, ago(HOUR_MS + SECOND_MS), ANSWERED],
    ['never again, where nobody is welcomed twice, after a minute', null, ago(MINUTE_MS), NOT],
    ['never again, after years', null, ago(1000 * DAY_MS), NOT],
  ])('%s', (_name, repeatAfterMinutes, lastWroteAt, outcome) => {
    const decision = onMessage(
      { text: 'hello' },
      { by: [welcome({ repeatAfterMinutes })], given: { standing: { lastWroteAt } } },
    );
    expect(told(decision)).toBe(outcome);
  });

  test('by the time when they wrote, not when we heard of it', () => {
    const given = { standing: { lastWroteAt: ago(2 * HOUR_MS) } };
    expect(told(onMessage({ at: ago(90 * MINUTE_MS) }, { by: [welcome()], given }))).toBe(NOT);
  });

  test('whatever was answered before', () => {
    expect(told(onMessage({}, { by: [welcome()], given: { answered: { welcome: NOW } } }))).toBe(ANSWERED);
  });

  test('and later ones are answered where they have the word of another automation', () => {
    const by = [welcome({ priority: 9 }), automation({ trigger: 'direct_message' })];
    const given = { standing: { lastWroteAt: ago(SECOND_MS) } };
    expect(onMessage({}, { by, given }).delivery).toMatchObject({ automation_id: 'automation' });
    expect(told(onMessage({ text: 'hello' }, { by, given }))).toBe(NOT);
  });

  test('while replies to stories are all answered', () => {
    const by = [welcome({ trigger: 'story_reply' })];
    const given = { standing: { lastWroteAt: ago(SECOND_MS) } };
    expect(told(onMessage({ kind: 'story_reply', storyId: 's', text: 'hi' }, { by, given }))).toBe(ANSWERED);
  });
});

describe('a mention', () => {
  const by = [automation({ trigger: 'story_mention', repeatAfterMinutes: 10_000 })];
  test.each<[string, Date | null, string]>([
    ['the first one is thanked for', null, ANSWERED],
    ['a second less than a day after the last thanks it is not', ago(DAY_MS - SECOND_MS), 'skipped: thanked_lately'],
    ['a day after it is', ago(DAY_MS), ANSWERED],
    ['a second later it is', ago(DAY_MS + SECOND_MS), ANSWERED],
  ])('%s', (_name, thankedAt, outcome) => {
    expect(told(onMessage({ kind: 'story_mention', text: '' }, { by, given: { standing: { thankedAt } } }))).toBe(
      outcome,
    );
  });

  test('is thanked for whatever was answered before, and says so once it is sent', () => {
    const { delivery, effects } = onMessage(
      { kind: 'story_mention' },
      { by, given: { answered: { automation: NOW } } },
    );
    expect(delivery!.content.reasonWhenSent).toBe('thanked');
    expect(effects).toEqual({ thanked: true });
    expect(onMessage().delivery!.content).not.toHaveProperty('reasonWhenSent');
  });

  test('with steps says what its step came to', () => {
    const opening = { text: 'Hi', buttonTitle: 'Go' };
    const { delivery, effects } = onMessage(
      { kind: 'story_mention' },
      { by: [automation({ trigger: 'story_mention', opening })] },
    );
    expect(delivery!.content).not.toHaveProperty('reasonWhenSent');
    expect(effects).toMatchObject({ thanked: true, conversation: { id: 'id-3' } });
  });
});

const CONVERSATION = '01890000-1234-7000-8000-00000000abcd';
const EMAIL_ASK = { text: 'Your address?', consent: 'I agree.' };

/** A conversation of an automation with all steps, in a state. */
function going(state: Partial<Conversation> = {}, emailAsk: typeof EMAIL_ASK | null = EMAIL_ASK): StoredConversation {
  return {
    creatorId: 'creator',
    id: CONVERSATION,
    connectionId: 'connection',
    automationId: 'its-automation',
    interactionId: 'first',
    personId: 'by-comment',
    plan: {
      opening: { text: 'Hi', buttonTitle: 'Go' },
      followAsk: null,
      emailAsk,
      followUp: null,
      card: null,
      username: 'ana',
      word: 'recipe',
      text: 'Hi {{first_name}}',
      buttons: [],
      variant: 'b',
      language: 'es',
    },
    conversation: {
      state: 'opening',
      endedBecause: null,
      pending: null,
      followAsks: 0,
      emailHints: 0,
      givenEmail: null,
      suggestedEmail: null,
      deliveredAt: null,
      expiresAt: in_(DAY_MS),
      ...state,
    },
  };
}

describe('a message that begins a conversation', () => {
  const opening = { text: 'Hi {{username}}', buttonTitle: 'Go' };
  test('asks for a tap first', () => {
    const { delivery, effects, interaction } = onComment({ at: ago(HOUR_MS) }, { by: [automation({ opening })] });
    expect(delivery).toMatchObject({
      id: 'id-2',
      conversation_id: 'id-3',
      content: { step: 'opening', text: 'Hi ana', tap: { title: 'Go', payload: 'go:id-3' } },
    });
    expect(effects).toEqual({
      conversation: {
        creatorId: 'creator',
        id: 'id-3',
        connectionId: 'connection',
        automationId: 'automation',
        interactionId: interaction.id,
        personId: 'person',
        plan: expect.objectContaining({ opening, username: 'ana', word: 'recipe', language: null }),
        conversation: expect.objectContaining({
          state: 'opening',
          pending: 'id-2',
          expiresAt: new Date(ago(HOUR_MS).getTime() + 30 * DAY_MS),
        }),
      },
    });
  });

  test('by a comment has no window yet; by a message it has', () => {
    const its = { emailAsk: EMAIL_ASK };
    const expiresAt = ({ effects }: Decision) => effects!.conversation!.conversation.expiresAt;
    expect(expiresAt(onComment({}, { by: [automation(its)] }))).toEqual(in_(30 * DAY_MS));
    const by = [automation({ ...its, trigger: 'direct_message' })];
    expect(expiresAt(onMessage({}, { by }))).toEqual(in_(DAY_MS - 10 * MINUTE_MS));
  });

  test('knows the wording and the name, where there are any', () => {
    const variants = [{ id: 'b', text: 'Hello {{first_name}}' }];
    const given: Given = { pickVariant: () => 'b', standing: { name: 'Ana Lima' } };
    expect(onComment({}, { by: [automation({ variants })], given }).delivery).toMatchObject({
      variant: 'b',
      content: { text: 'Hello Ana' },
    });
  });
});

describe('a conversation goes on', () => {
  const tap = (payload: string, more: Parameters<typeof message>[0] = {}) => ({
    kind: 'button_tap' as const,
    text: '',
    payload,
    ...more,
  });

  test('with a tap on its button', () => {
    const given = { conversation: going(), standing: { name: 'Ana' } };
    expect(onMessage(tap(`go:${CONVERSATION}`), { given })).toEqual({
      interaction: expect.objectContaining({
        kind: 'button_tap',
        outcome: 'waiting',
        reason: 'queued',
        automation_id: 'its-automation',
        matched_words: [],
        waiting_until: null,
      }),
      delivery: {
        creator_id: 'creator',
        id: 'id-1',
        connection_id: 'connection',
        interaction_id: 'id-2',
        automation_id: 'its-automation',
        conversation_id: CONVERSATION,
        variant: 'b',
        kind: 'message',
        lane: 'messages',
        recipient: 'person',
        content: {
          step: 'next',
          text: 'Hi Ana',
          buttons: [],
          branches: {
            followAsk: null,
            emailAsk: { text: 'Your address?\n\nI agree.', buttons: [] },
            delivery: { text: 'Hi Ana', buttons: [] },
          },
        },
        priority: 0,
        due_at: NOW,
        expires_at: in_(DAY_MS - 10 * MINUTE_MS),
        created_at: NOW,
      },
      effects: {
        conversation: {
          ...going(),
          personId: 'person',
          conversation: expect.objectContaining({ state: 'email', pending: 'id-1' }),
        },
      },
    });
  });

  test.each<[string, Parameters<typeof onMessage>, string]>([
    [
      'not with a button of another conversation',
      [tap('go:01890000-1234-7000-8000-000000000000')],
      'skipped: button_tap',
    ],
    [
      'not where the link has arrived',
      [tap(`go:${CONVERSATION}`), { given: { conversation: going({ deliveredAt: NOW }) } }],
      'skipped: button_tap',
    ],
    [
      'not without the addon',
      [tap(`go:${CONVERSATION}`), { of: { addonOff: true }, given: { conversation: going() } }],
      'skipped: facebook_addon_off',
    ],
    [
      'not when the creator is to be deleted',
      [tap(`go:${CONVERSATION}`), { of: { beingDeleted: true }, given: { conversation: going() } }],
      'missed: being_deleted',
    ],
    [
      'not after STOP',
      [tap(`go:${CONVERSATION}`), { given: { conversation: going(), standing: { stopped: true } } }],
      'skipped: stopped',
    ],
    [
      'not with somebody blocked',
      [tap(`go:${CONVERSATION}`), { given: { conversation: going(), standing: { blocked: true } } }],
      'skipped: blocked',
    ],
    [
      'not while the creator answers',
      [tap(`go:${CONVERSATION}`), { given: { conversation: going(), standing: { takenOverUntil: in_(1) } } }],
      'skipped: taken_over',
    ],
    [
      'again when the creator has answered',
      [tap(`go:${CONVERSATION}`), { given: { conversation: going(), standing: { takenOverUntil: NOW } } }],
      ANSWERED,
    ],
    [
      'a second before the window ends',
      [
        tap(`go:${CONVERSATION}`, { at: ago(DAY_MS - 10 * MINUTE_MS - SECOND_MS) }),
        { given: { conversation: going() } },
      ],
      ANSWERED,
    ],
    [
      'not when the window ends',
      [tap(`go:${CONVERSATION}`, { at: ago(DAY_MS - 10 * MINUTE_MS) }), { given: { conversation: going() } }],
      'failed: outside_window',
    ],
    [
      'although the queue is paused',
      [tap(`go:${CONVERSATION}`), { of: { queuePaused: true }, given: { conversation: going() } }],
      ANSWERED,
    ],
    [
      'when Meta is back',
      [tap(`go:${CONVERSATION}`), { of: { paused: true }, given: { conversation: going(), turn: in_(1) } }],
      'waiting: paused, a message',
    ],
    [
      'in its turn',
      [tap(`go:${CONVERSATION}`), { given: { conversation: going(), turn: in_(1) } }],
      'waiting: rate_limited, a message',
    ],
  ])('%s', (_name, given, outcome) => {
    expect(told(onMessage(...given))).toBe(outcome);
  });

  test('and what keeps it from that is told of its automation', () => {
    const given = { conversation: going(), standing: { stopped: true } };
    expect(onMessage(tap(`go:${CONVERSATION}`), { given }).interaction.automation_id).toBe('its-automation');
  });

  test('and says until when it waits, unless nobody knows', () => {
    const waits = (of: Partial<EngineConnection>) =>
      onMessage(tap(`go:${CONVERSATION}`), { of, given: { conversation: going(), turn: in_(1) } }).interaction
        .waiting_until;
    expect([waits({}), waits({ queuePaused: true }), waits({ paused: true })]).toEqual([in_(1), in_(1), null]);
  });

  test('with an address, which is kept with the wording of the consent', () => {
    const asked = going({ state: 'email' });
    const { delivery, effects } = onMessage({ text: 'it is a@example.com' }, { given: { asked } });
    expect(delivery!.content).toMatchObject({ step: 'delivery', reasonWhenSent: 'email_taken' });
    expect(effects).toMatchObject({ email: { address: 'a@example.com', wording: 'I agree.', language: 'es' } });
  });

  test('with a reply to a story too, but not with a mention', () => {
    const asked = going({ state: 'email' });
    const address = { text: 'a@example.com', storyId: 's' };
    expect(onMessage({ ...address, kind: 'story_reply' }, { given: { asked } }).effects).toHaveProperty('email');
    expect(told(onMessage({ ...address, kind: 'story_mention' }, { given: { asked } }))).toBe(
      'skipped: story_interaction',
    );
  });

  test('with an address that is not kept where nobody was asked to agree', () => {
    const asked = going({ state: 'email' }, null);
    expect(onMessage({ text: 'a@example.com' }, { given: { asked } }).effects).not.toHaveProperty('email');
  });

  test('asks about a slip of the finger, and believes the answer', () => {
    const asked = going({ state: 'email' });
    const { delivery, effects } = onMessage({ text: 'a@gmial.com' }, { given: { asked } });
    expect(delivery!.content).toMatchObject({
      step: 'email_suggestion',
      text: '¿Querías decir a@gmail.com?',
      quickReplies: [{ payload: `email:${CONVERSATION}:yes` }, { payload: `email:${CONVERSATION}:no` }],
    });
    expect(delivery!.content).not.toHaveProperty('reasonWhenSent');
    expect(effects).not.toHaveProperty('email');
    const conversation = effects!.conversation!;
    const answered = (answer: string) =>
      onMessage({ text: '', payload: `email:${CONVERSATION}:${answer}` }, { given: { conversation } }).effects!.email!
        .address;
    expect([answered('yes'), answered('no')]).toEqual(['a@gmail.com', 'a@gmial.com']);
  });

  test('not with words while its question is still on its way, only with an address', () => {
    const asked = going({ state: 'email', pending: 'question' });
    expect(told(onMessage({ text: 'lovely' }, { given: { asked } }))).toBe('skipped: direct_message');
    expect(told(onMessage({ text: 'recipe' }, { given: { asked } }))).toBe(ANSWERED);
    expect(onMessage({ text: 'a@example.com' }, { given: { asked } }).effects).toHaveProperty('email');
    const open = going({ state: 'email' });
    expect(onMessage({ text: 'recipe' }, { given: { asked: open } }).delivery!.content.step).toBe('email_hint');
  });
});

describe('a message whose link is broken', () => {
  const holding = new Set(['automation']);
  const held = (decision: Decision, now = NOW) => {
    holdBack(decision, holding, now);
    return decision;
  };

  test('waits until the last seventh of its time', () => {
    const { interaction, delivery } = held(onComment());
    expect(delivery).toMatchObject({ held_from: NOW, due_at: in_(6 * DAY_MS) });
    expect(interaction).toMatchObject({ reason: 'link_broken', waiting_until: in_(6 * DAY_MS) });
  });

  test('says that first only where nothing else keeps it', () => {
    const reasonOf = (of: Partial<EngineConnection>, turn: Date | null = null) =>
      held(onComment({}, { of, given: { turn } })).interaction;
    expect(reasonOf({}, in_(1)).reason).toBe('link_broken');
    expect(reasonOf({ paused: true })).toMatchObject({ reason: 'paused', waiting_until: null });
    expect(held(onComment({}, { of: { paused: true } })).delivery).toHaveProperty('held_from');
  });

  test.each<[string, Parameters<typeof onComment>]>([
    ['of another automation', [{}, { by: [automation({ id: 'other' })] }]],
    ['in a live', [{ kind: 'live_comment' }, { by: [automation({ trigger: 'live_comment' })] }]],
    ['that comes after a tap', [{}, { by: [automation({ opening: { text: 'Hi', buttonTitle: 'Go' } })] }]],
    ['that is none', [{ text: 'lovely' }]],
  ])('%s is not held back', (_name, given) => {
    expect(held(onComment(...given))).toEqual(onComment(...given));
  });

  test.each(['next', 'delivery', 'follow_up'] as const)('and is the step %s is held back', (step) => {
    const decision = onComment();
    decision.delivery!.content = { ...decision.delivery!.content, step };
    expect(held(decision).delivery).toHaveProperty('held_from');
  });
});
