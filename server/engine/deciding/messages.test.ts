import { describe, expect, test } from 'vitest';
import {
  ANSWERED,
  ago,
  automation,
  CONVERSATION,
  DAY_MS,
  EMAIL_ASK,
  type Given,
  going,
  HOUR_MS,
  in_,
  MINUTE_MS,
  NOW,
  onComment,
  onMessage,
  SECOND_MS,
  told,
} from '#server/engine/testing/deciding-examples.ts';
import type { EngineConnection } from './connections.ts';
import type { Decision } from './decision.ts';
import type { EngineAutomation } from './listening-automations.ts';

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
      is_test: false,
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
    ['with too many followers for the plan', [{}, { of: { overPlan: true } }], 'skipped: plan_limit'],
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
        isTest: false,
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
