import { describe, expect, test } from 'vitest';
import { REASONS } from '#contract/outcomes.ts';
import type { Verdict } from '#server/platforms/meta/verdict.ts';
import type { ClaimedDelivery } from './queries.ts';
import { barredForMs, expired, RETRY_AFTER_MS, resultOf } from './results.ts';

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
      'fails for good when refused, and lets her ask again',
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
      'does not let her be answered twice after an uncertain failure',
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
    expect(expired(delivery(), now)).toMatchObject({ state: 'expired', outcome: 'expired', reason: 'deadline_passed' });
    expect(expired(delivery({ kind: 'public_reply' }), now)).toMatchObject({ state: 'expired', outcome: null });
  });

  test('waits longer with each try, and at most four hours for a barred account', () => {
    expect(RETRY_AFTER_MS).toEqual([...RETRY_AFTER_MS].sort((a, b) => a - b));
    expect([0, 1, 2, 3, 9].map((times) => barredForMs(times) / 60_000)).toEqual([30, 60, 120, 240, 240]);
  });
});
