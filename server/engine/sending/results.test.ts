import { describe, expect, test } from 'vitest';
import { REASONS } from '#contract/outcomes.ts';
import type { ClaimedDelivery } from '#server/engine/outcomes/rows.ts';
import type { Verdict } from '#server/platforms/meta/verdict.ts';
import {
  askedAgain,
  barredForMs,
  CHECK_AFTER_MS,
  calledOff,
  canBeLookedFor,
  dropped,
  PROBE_SETTING_AFTER_MS,
  RETRY_AFTER_MS,
  resultOf,
  tooLate,
} from './results.ts';

const now = new Date('2026-06-01T12:00:00Z');

function delivery(more: Partial<ClaimedDelivery> = {}): ClaimedDelivery {
  return {
    creator_id: 'c',
    id: 'd',
    connection_id: 'k',
    interaction_id: 'i',
    automation_id: 'a',
    conversation_id: null,
    variant: null,
    kind: 'private_reply',
    lane: 'private_replies',
    recipient: '1789',
    content: { text: 'Hello', buttons: [] },
    priority: 0,
    due_at: now,
    expires_at: new Date('2026-06-08T12:00:00Z'),
    created_at: now,
    attempts: 1,
    uncertain: false,
    called_off: null,
    called_at: null,
    batch_id: 'b',
    ...more,
  };
}

describe('what becomes of a delivery', () => {
  const cases: [string, Verdict, Partial<ClaimedDelivery>, Record<string, unknown>][] = [
    [
      'is sent',
      { kind: 'done', messageId: 'm', personId: 'p' },
      {},
      { state: 'sent', outcome: 'replied', reason: 'sent', platform_message_id: 'm', recipient_person_id: 'p' },
    ],
    [
      'is sent on the second look',
      { kind: 'done', messageId: 'm', personId: 'p' },
      { uncertain: true },
      { state: 'sent', reason: 'sent_confirmed_later' },
    ],
    [
      'is checked before another try when the answer is missing',
      { kind: 'unknown', detail: '' },
      {},
      { state: 'queued', uncertain: true, outcome: 'waiting', reason: 'checking' },
    ],
    [
      'is tried again after a hiccup',
      { kind: 'retry', detail: '' },
      {},
      { state: 'queued', uncertain: false, reason: 'trying_again' },
    ],
    [
      'stays uncertain through a hiccup',
      { kind: 'retry', detail: '' },
      { uncertain: true },
      { state: 'queued', uncertain: true },
    ],
    [
      'fails after the last try',
      { kind: 'retry', detail: '' },
      { attempts: RETRY_AFTER_MS.length + 1 },
      { state: 'failed', outcome: 'failed', reason: 'gave_up', forget_answered: true },
    ],
    [
      'waits out a limit without losing a try',
      { kind: 'rate_limited', scope: 'lane', waitMs: 60_000, detail: '' },
      {},
      { state: 'queued', counts: false, reason: 'rate_limited', waiting_until: new Date('2026-06-01T12:01:00Z') },
    ],
    [
      'waits while the account is barred',
      { kind: 'barred', detail: '' },
      {},
      { state: 'queued', counts: false, reason: 'barred' },
    ],
    [
      'waits for the creator to sign in again',
      { kind: 'reauthenticate', reason: 'expired', detail: '' },
      {},
      { state: 'queued', counts: false, reason: 'needs_reconnect' },
    ],
    [
      'fails for good when refused, and lets them ask again',
      { kind: 'refused', reason: 'comment_unavailable', detail: '' },
      {},
      { state: 'failed', outcome: 'failed', reason: 'comment_unavailable', forget_answered: true },
    ],
    [
      'counts as sent when Meta refuses a second private reply',
      { kind: 'refused', reason: 'already_replied_elsewhere', detail: '' },
      { uncertain: true },
      { state: 'sent', outcome: 'replied', reason: 'sent_confirmed_later', forget_answered: false },
    ],
    [
      'fails when the first private reply finds the comment used',
      { kind: 'refused', reason: 'already_replied_elsewhere', detail: '' },
      {},
      { state: 'failed', reason: 'already_replied_elsewhere' },
    ],
    [
      'does not let them be answered twice after an uncertain failure',
      { kind: 'refused', reason: 'person_unavailable', detail: '' },
      { uncertain: true },
      { state: 'failed', forget_answered: false },
    ],
    [
      'waits while a setting of the creator blocks it',
      { kind: 'misconfigured', reason: 'message_access_off', detail: '' },
      {},
      { state: 'queued', counts: false, outcome: 'waiting', reason: 'message_access_off' },
    ],
    [
      'fails when the message itself is refused',
      { kind: 'misconfigured', reason: 'message_rejected', detail: '' },
      {},
      { state: 'failed', reason: 'message_rejected' },
    ],
    [
      'leaves the outcome alone when it is a public reply',
      { kind: 'refused', reason: 'comment_unavailable', detail: '' },
      { kind: 'public_reply' },
      { state: 'failed', outcome: null, reason: null, forget_answered: false },
    ],
  ];

  test.each(cases)('%s', (_name, verdict, given, expected) => {
    expect(resultOf(delivery(given), verdict, now)).toMatchObject(expected);
  });

  test.each(cases)('has an outcome that fits its reason: %s', (_name, verdict, given) => {
    const { outcome, reason } = resultOf(delivery(given), verdict, now);
    if (reason !== null) expect(REASONS[reason].status).toBe(outcome);
  });

  test('expires with the words for it', () => {
    expect(calledOff(delivery(), tooLate(delivery()), now)).toMatchObject({
      state: 'expired',
      outcome: 'expired',
      reason: 'deadline_passed',
    });
    expect(calledOff(delivery({ kind: 'public_reply' }), 'deadline_passed', now)).toMatchObject({
      state: 'expired',
      outcome: null,
    });
  });

  test('waits longer with each try, and at most four hours for a barred account', () => {
    expect(RETRY_AFTER_MS).toEqual([...RETRY_AFTER_MS].sort((a, b) => a - b));
    expect([0, 1, 2, 3, 9].map((times) => barredForMs(times) / 60_000)).toEqual([30, 60, 120, 240, 240]);
  });
});

const fromNow = (ms: number) => new Date(now.getTime() + ms);

describe('the waits', () => {
  test('are these', () => {
    const minutes = [2 / 60, 10 / 60, 1, 5, 15, 60];
    expect(RETRY_AFTER_MS).toEqual(minutes.map((minute) => minute * 60_000));
    expect([CHECK_AFTER_MS, PROBE_SETTING_AFTER_MS]).toEqual([30_000, 600_000]);
  });

  test.each(RETRY_AFTER_MS.map((ms, index) => [index + 1, ms]))('after try %i: %i ms', (attempts, ms) => {
    const result = resultOf(delivery({ attempts }), { kind: 'retry', detail: 'a hiccup' }, now);
    expect(result).toMatchObject({ state: 'queued', due_at: fromNow(ms), waiting_until: fromNow(ms), counts: true });
    expect(result.failure_detail).toBe('a hiccup');
  });

  test.each([
    [
      'the last try is checked',
      RETRY_AFTER_MS.length,
      { state: 'queued', reason: 'checking', due_at: fromNow(30_000) },
    ],
    ['one more is given up', RETRY_AFTER_MS.length + 1, { state: 'failed', reason: 'gave_up', forget_answered: true }],
  ])('without an answer: %s', (_name, attempts, expected) => {
    expect(resultOf(delivery({ attempts }), { kind: 'unknown', detail: '' }, now)).toMatchObject(expected);
  });

  test('for a setting last ten minutes, with no promise until when', () => {
    const verdict = { kind: 'misconfigured', reason: 'message_access_off', detail: 'off' } as const;
    expect(resultOf(delivery(), verdict, now)).toMatchObject({
      due_at: fromNow(600_000),
      waiting_until: null,
      failure_detail: 'off',
    });
  });
});

describe('a result', () => {
  test('has all that is written down', () => {
    const sent = { kind: 'done', messageId: 'm', personId: 'p' } as const;
    expect(resultOf(delivery({ uncertain: true, attempts: 3 }), sent, now)).toEqual({
      creator_id: 'c',
      id: 'd',
      attempts: 3,
      interaction_id: 'i',
      state: 'sent',
      due_at: now,
      uncertain: false,
      counts: true,
      finished_at: now,
      platform_message_id: 'm',
      recipient_person_id: 'p',
      failure_reason: null,
      failure_detail: null,
      outcome: 'replied',
      reason: 'sent_confirmed_later',
      waiting_until: null,
      outcome_at: now,
      forget_answered: false,
    });
    const refused = { kind: 'refused', reason: 'person_unavailable', detail: 'gone' } as const;
    expect(resultOf(delivery(), refused, now)).toMatchObject({
      finished_at: now,
      failure_reason: 'person_unavailable',
      failure_detail: 'gone',
    });
  });

  test.each([
    ['barred', { kind: 'barred', detail: 'b' }, { due_at: now, waiting_until: now, failure_detail: 'b' }],
    [
      'signed out',
      { kind: 'reauthenticate', reason: 'expired', detail: 's' },
      { due_at: now, waiting_until: null, failure_detail: 's' },
    ],
    [
      'limited',
      { kind: 'rate_limited', scope: 'lane', waitMs: 1000, detail: 'l' },
      { due_at: fromNow(1000), failure_detail: 'l' },
    ],
    ['unknown', { kind: 'unknown', detail: 'u' }, { uncertain: true, failure_detail: 'u', counts: true }],
  ] as const)('%s', (_name, verdict, expected) => {
    expect(resultOf(delivery(), verdict, now)).toMatchObject(expected);
  });

  const done = { kind: 'done', messageId: 'm', personId: null } as const;
  test.each([
    ['opening', 'opening_sent'],
    ['follow_ask', 'asked_to_follow'],
    ['email_ask', 'asked_for_email'],
    ['email_hint', 'asked_for_email'],
    ['email_suggestion', 'asked_for_email'],
    ['delivery', 'sent'],
    ['follow_up', null],
  ] as const)('of the step %s is told as %s', (step, reason) => {
    expect(resultOf(delivery({ content: { text: '', buttons: [], step } }), done, now).reason).toBe(reason);
  });

  test('says what the message wants said of it', () => {
    const content = { text: '', buttons: [], step: 'opening', reasonWhenSent: 'thanked' } as const;
    expect(resultOf(delivery({ content: { ...content, buttons: [] } }), done, now).reason).toBe('thanked');
  });

  test('of a message by hand is told only when it was sent', () => {
    const content = { text: '', buttons: [], byHand: true as const };
    expect(resultOf(delivery({ content }), done, now)).toMatchObject({ outcome: 'replied', reason: 'sent' });
    const refused = { kind: 'refused', reason: 'person_unavailable', detail: '' } as const;
    expect(resultOf(delivery({ content }), refused, now)).toMatchObject({
      state: 'failed',
      outcome: null,
      reason: null,
      forget_answered: false,
    });
  });

  const used = { kind: 'refused', reason: 'already_replied_elsewhere', detail: 'd' } as const;
  test('in a live that is over says so', () => {
    expect(resultOf(delivery({ lane: 'live_replies' }), used, now)).toMatchObject({
      state: 'failed',
      outcome: 'missed',
      reason: 'live_over',
      failure_detail: 'd',
    });
    const other = { ...used, reason: 'comment_unavailable' } as const;
    expect(resultOf(delivery({ lane: 'live_replies' }), other, now)).toMatchObject({ reason: 'comment_unavailable' });
  });

  test('that Meta used the answer up already proves only a private reply', () => {
    const message = { kind: 'message', lane: 'messages', uncertain: true } as const;
    expect(resultOf(delivery(message), used, now)).toMatchObject({ state: 'failed', uncertain: true });
  });

  test('is known without an answer of Meta where it arrived', () => {
    expect(resultOf(delivery(), 'arrived', now)).toMatchObject({ state: 'sent', platform_message_id: null });
  });
});

describe('what is asked again', () => {
  test.each([
    [false, false, false],
    [true, false, true],
    [false, true, true],
  ])('uncertain %s, perhaps another worker’s %s: uncertain %s', (uncertain, mayBeOthers, is) => {
    const given = delivery({ kind: 'message', uncertain });
    expect(askedAgain(given, fromNow(5000), now, mayBeOthers)).toMatchObject({
      state: 'queued',
      due_at: fromNow(5000),
      uncertain: is,
      counts: false,
      failure_detail: null,
      outcome: 'waiting',
      reason: 'checking',
      waiting_until: null,
    });
  });

  test('is no other worker’s unless it is said, and of a public reply nothing is told', () => {
    expect(askedAgain(delivery(), now, now).uncertain).toBe(false);
    expect(askedAgain(delivery({ kind: 'public_reply' }), now, now)).toMatchObject({ outcome: null, reason: null });
  });

  test.each([
    ['message', true, true],
    ['public_reply', true, true],
    ['private_reply', true, false],
    ['message', false, false],
  ] as const)('%s, uncertain %s: can be looked for %s', (kind, uncertain, can) => {
    expect(canBeLookedFor(delivery({ kind, uncertain }))).toBe(can);
  });
});

describe('what was not sent any more', () => {
  test.each([
    ['stopped', 'skipped', 'stopped'],
    ['taken_over', 'skipped', 'taken_over'],
    ['blocked', 'skipped', 'blocked'],
    ['unsent', 'skipped', 'unsent'],
    ['delivered', 'skipped', 'already_has_it'],
    ['window_closed', 'failed', 'outside_window'],
    ['overtaken', 'skipped', 'button_tap'],
    ['clicked', 'skipped', 'button_tap'],
  ] as const)('because of %s', (because, outcome, reason) => {
    expect(dropped(delivery({ uncertain: true }), because, now)).toMatchObject({
      state: 'cancelled',
      failure_reason: null,
      failure_detail: null,
      finished_at: now,
      outcome,
      reason,
      forget_answered: false,
    });
    expect(dropped(delivery(), because, now).forget_answered).toBe(false);
  });

  test('an opening that was tapped has arrived, another step has not', () => {
    const step = (name: 'opening' | 'next') => delivery({ content: { text: '', buttons: [], step: name } });
    expect(dropped(step('opening'), 'overtaken', now)).toMatchObject({ state: 'sent', reason: 'opening_sent' });
    expect(dropped(step('next'), 'overtaken', now).state).toBe('cancelled');
    expect(dropped(step('opening'), 'stopped', now).state).toBe('cancelled');
  });

  test('is not told of a public reply', () => {
    expect(dropped(delivery({ kind: 'public_reply' }), 'stopped', now)).toMatchObject({ outcome: null, reason: null });
  });

  test('in a live is over with the live', () => {
    const late = delivery({ lane: 'live_replies' });
    const live = calledOff(late, tooLate(late), now);
    expect(live).toMatchObject({ state: 'expired', outcome: 'missed', reason: 'live_over', failure_detail: '' });
  });
});
