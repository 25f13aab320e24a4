import { describe, expect, test } from 'vitest';
import { type HelpInput, helpFor } from './help.ts';
import { inWords } from './reason-words.ts';

const now = new Date('2026-11-20T12:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

function input(over: Partial<HelpInput['interaction']>, rest: Partial<HelpInput> = {}): HelpInput {
  return {
    interaction: {
      kind: 'comment',
      outcome: 'replied',
      reason: 'sent',
      occurredAt: hoursAgo(1),
      waitingUntil: null,
      ...over,
    },
    deliveries: [],
    lastWroteAt: null,
    connection: { username: 'kitchen', disconnected: false, requiresAuth: false },
    hasMessage: true,
    person: { stopped: false, blocked: false, takenOver: false },
    words: [],
    ...rest,
  };
}

function delivery(over: Partial<HelpInput['deliveries'][number]> = {}): HelpInput['deliveries'][number] {
  return {
    kind: 'private_reply',
    state: 'sent',
    uncertain: false,
    readAt: null,
    clickedAt: null,
    failureReason: null,
    ...over,
  };
}

describe('what most likely happened', () => {
  test.each([
    ['they tapped the link', delivery({ readAt: now, clickedAt: now }), null, /clicked the link/],
    ['they opened it', delivery({ readAt: now }), null, /didn’t click/],
    ['it is in their requests', delivery(), null, /message requests/],
    ['it is in the chat', delivery(), hoursAgo(100), /in your chat/],
  ])('%s', (_name, sent, lastWroteAt, says) => {
    expect(helpFor(input({}, { deliveries: [sent], lastWroteAt }), now).likely).toMatch(says);
  });
});

describe('what may be done', () => {
  test.each<[string, HelpInput, string]>([
    ['it waits', input({ outcome: 'waiting', reason: 'queued' }), 'wait'],
    [
      'nothing went out',
      input({ outcome: 'failed', reason: 'gave_up' }, { deliveries: [delivery({ state: 'failed' })] }),
      'resend_private_reply',
    ],
    [
      'it may have gone out',
      input({ outcome: 'failed', reason: 'gave_up' }, { deliveries: [delivery({ state: 'failed', uncertain: true })] }),
      'ask_to_comment',
    ],
    [
      'one is under way',
      input({ outcome: 'failed', reason: 'gave_up' }, { deliveries: [delivery({ state: 'sending' })] }),
      'ask_to_comment',
    ],
    ['it went out', input({}, { deliveries: [delivery()] }), 'ask_to_comment'],
    ['it went out, they wrote', input({}, { deliveries: [delivery()], lastWroteAt: hoursAgo(23) }), 'send_message'],
    ['they wrote a day ago', input({}, { deliveries: [delivery()], lastWroteAt: hoursAgo(24) }), 'ask_to_comment'],
    [
      'the comment is a week old',
      input({ outcome: 'failed', reason: 'gave_up', occurredAt: hoursAgo(168) }),
      'ask_to_comment',
    ],
    [
      'they blocked messages',
      input({ outcome: 'failed', reason: 'person_unavailable' }, { deliveries: [delivery({ state: 'failed' })] }),
      'ask_to_comment',
    ],
    ['they were answered lately', input({ outcome: 'skipped', reason: 'already_answered' }), 'resend_private_reply'],
    ['no word was there', input({ outcome: 'skipped', reason: 'no_match' }, { hasMessage: false }), 'nothing'],
    [
      'it is the account’s own comment',
      input({ outcome: 'skipped', reason: 'own_comment' }, { hasMessage: false }),
      'nothing',
    ],
    ['the account is gone', input({ outcome: 'missed', reason: 'disconnected' }, { connection: null }), 'nothing'],
    [
      'a direct message',
      input({ kind: 'direct_message', outcome: 'skipped', reason: 'direct_message' }, { hasMessage: false }),
      'nothing',
    ],
  ])('when %s', (_name, given, action) => {
    const help = helpFor(given, now);
    expect(help.action).toBe(action);
    expect(help.likely).not.toBe('');
    expect(help.advice).not.toBe('');
  });

  test.each<[string, HelpInput, RegExp]>([
    [
      'they wrote STOP',
      input({ outcome: 'skipped', reason: 'stopped' }, { person: { stopped: true, blocked: false, takenOver: false } }),
      /DM you START/,
    ],
    [
      'they are blocked here',
      input({ outcome: 'skipped', reason: 'blocked' }, { person: { stopped: false, blocked: true, takenOver: false } }),
      /Unblock them/,
    ],
    [
      'the creator answers them',
      input(
        { outcome: 'skipped', reason: 'taken_over' },
        { hasMessage: false, person: { stopped: false, blocked: false, takenOver: true } },
      ),
      /resume automations/,
    ],
    [
      'they used another word',
      input({ outcome: 'skipped', reason: 'no_match' }, { hasMessage: false, words: ['cookie', 'keks'] }),
      /cookie, keks/,
    ],
  ])('nothing goes out by itself when %s', (_name, given, advice) => {
    expect(helpFor(given, now)).toMatchObject({ action: 'nothing', advice: expect.stringMatching(advice) });
  });
});

test.each([
  [-5, 'any moment'],
  [20_000, 'any moment'],
  [60_000, 'in about 1 minute'],
  [45 * 60_000, 'in about 45 minutes'],
  [2 * 3_600_000, 'in about 2 hours'],
  [50 * 3_600_000, 'in about 2 days'],
])('%d ms is %s', (ms, words) => {
  expect(inWords(ms)).toBe(words);
});
