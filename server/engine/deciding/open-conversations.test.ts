import { describe, expect, test } from 'vitest';
import {
  ANSWERED,
  ago,
  CONVERSATION,
  DAY_MS,
  going,
  in_,
  MINUTE_MS,
  type message,
  NOW,
  onMessage,
  SECOND_MS,
  told,
} from '#server/engine/testing/deciding-examples.ts';
import type { EngineConnection } from './connections.ts';

describe('a conversation goes on', () => {
  const tap = (payload: string, more: Parameters<typeof message>[0] = {}) => ({
    kind: 'button_tap' as const,
    text: '',
    payload,
    ...more,
  });

  test.each([true, false])('as a test when it was begun by one: %s', (isTest) => {
    const given = { conversation: { ...going(), isTest } };
    expect(onMessage(tap(`go:${CONVERSATION}`), { given }).interaction.is_test).toBe(isTest);
  });

  test('also where the plan has too many followers: only what is new gets no answer', () => {
    const given = { conversation: going() };
    const { interaction, delivery } = onMessage(tap(`go:${CONVERSATION}`), { of: { overPlan: true }, given });
    expect(interaction.reason).toBe('queued');
    expect(delivery).not.toBeNull();
    const stop = onMessage({ text: 'STOP' }, { of: { overPlan: true } });
    expect(stop.interaction.reason).toBe('stop_obeyed');
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
