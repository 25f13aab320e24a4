/** From Meta's verdict to what is written down. Pure. */

import { REASONS, type Reason } from '#contract/outcomes.ts';
import type { Ended } from '#server/engine/conversations/conversation.ts';
import type { DeliveryContent } from '#server/engine/deciding/message-plan.ts';
import { CALL_OFF, type CalledOff } from '#server/engine/outcomes/calling-off.ts';
import type { ClaimedDelivery, Result } from '#server/engine/outcomes/rows.ts';
import type { Verdict } from '#server/platforms/meta/verdict.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** Waits between tries; after the last one we give up. */
export const RETRY_AFTER_MS = [2 * SECOND_MS, 10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS];
/** A call without an answer may still be under way at Meta; asking sooner would find nothing. */
export const CHECK_AFTER_MS = 30 * SECOND_MS;
/** While a setting of the creator blocks sending, one message asks this often whether it still does. */
export const PROBE_SETTING_AFTER_MS = 10 * MINUTE_MS;
/** Seen practice: half an hour, doubling up to four [C S-zern]. */
export const barredForMs = (times: number) => Math.min(30 * MINUTE_MS * 2 ** times, 240 * MINUTE_MS);

/**
 * The next state of a delivery after a call at `now` (its `attempts` count that call).
 *
 * @param verdict arrived: that it did is known by other means than an answer of Meta
 */
export function resultOf(delivery: ClaimedDelivery, verdict: Verdict | 'arrived', now: Date): Result {
  const base: Result = {
    creator_id: delivery.creator_id,
    id: delivery.id,
    attempts: delivery.attempts,
    interaction_id: delivery.interaction_id,
    state: 'queued',
    due_at: delivery.due_at,
    uncertain: delivery.uncertain,
    counts: true,
    finished_at: null,
    platform_message_id: null,
    recipient_person_id: null,
    failure_reason: null,
    failure_detail: null,
    outcome: null,
    reason: null,
    waiting_until: null,
    outcome_at: now,
    forget_answered: false,
  };
  const result = verdict === 'arrived' ? arrived(base, delivery, now) : decide(base, delivery, verdict, now);
  const told = tellsOutcome(delivery) && (!delivery.content.byHand || result.state === 'sent');
  return told ? result : { ...result, outcome: null, reason: null, forget_answered: false };
}

/** The fate of a public reply or a follow-up is its own: the person got the message. */
function tellsOutcome({ kind, content }: ClaimedDelivery): boolean {
  return kind !== 'public_reply' && content.step !== 'follow_up';
}

const REASON_OF_STEP: Partial<Record<NonNullable<DeliveryContent['step']>, Reason>> = {
  opening: 'opening_sent',
  follow_ask: 'asked_to_follow',
  email_ask: 'asked_for_email',
  email_hint: 'asked_for_email',
  email_suggestion: 'asked_for_email',
};

function reasonWhenSent({ content, uncertain }: ClaimedDelivery): Reason {
  const ofStep = content.step === undefined ? undefined : REASON_OF_STEP[content.step];
  return content.reasonWhenSent ?? ofStep ?? (uncertain ? 'sent_confirmed_later' : 'sent');
}

const REASON_OF_DROP: Partial<Record<Ended, Reason>> = {
  stopped: 'stopped',
  taken_over: 'taken_over',
  blocked: 'blocked',
  unsent: 'unsent',
  delivered: 'already_has_it',
  window_closed: 'outside_window',
};

/**
 * Nobody can ask now whether it arrived: the next try is no try.
 *
 * @param mayBeOthers another worker may have called meanwhile: it is looked for before it goes out
 */
export function askedAgain(delivery: ClaimedDelivery, at: Date, now: Date, mayBeOthers = false): Result {
  const result = resultOf(delivery, { kind: 'rate_limited', scope: 'lane', waitMs: 0, detail: '' }, now);
  return {
    ...result,
    due_at: at,
    uncertain: result.uncertain || mayBeOthers,
    failure_detail: null,
    ...(result.outcome !== null && CHECKING),
    waiting_until: null,
  };
}

const CHECKING = { outcome: 'waiting', reason: 'checking' } as const;

/** It may have arrived, and Meta can be asked whether it did without sending it. */
export function canBeLookedFor({ kind, uncertain }: ClaimedDelivery): boolean {
  return uncertain && kind !== 'private_reply';
}

/** It was not sent any more: the person or the conversation went another way since it was queued. */
export function dropped(delivery: ClaimedDelivery, because: Ended | 'overtaken', now: Date): Result {
  // A tap is the answer to it: it arrived, whatever Meta said.
  if (because === 'overtaken' && delivery.content.step === 'opening') {
    return resultOf(delivery, 'arrived', now);
  }
  const reason: Reason = because === 'overtaken' ? 'button_tap' : (REASON_OF_DROP[because] ?? 'button_tap');
  const nothing = resultOf(delivery, { kind: 'refused', reason, detail: '' }, now);
  return {
    ...nothing,
    state: 'cancelled',
    failure_reason: null,
    failure_detail: null,
    outcome: nothing.outcome === null ? null : REASONS[reason].status,
    forget_answered: false,
  };
}

function decide(base: Result, delivery: ClaimedDelivery, verdict: Verdict, now: Date): Result {
  switch (verdict.kind) {
    case 'done':
      return {
        ...arrived(base, delivery, now),
        platform_message_id: verdict.messageId,
        recipient_person_id: verdict.personId,
      };
    case 'unknown':
      if (delivery.attempts > RETRY_AFTER_MS.length) return failed(base, 'gave_up', verdict.detail, now);
      return waits(base, 'checking', later(now, CHECK_AFTER_MS), { uncertain: true, failure_detail: verdict.detail });
    case 'retry': {
      const afterMs = RETRY_AFTER_MS[delivery.attempts - 1];
      if (afterMs === undefined) return failed(base, 'gave_up', verdict.detail, now);
      return waits(base, 'trying_again', later(now, afterMs), { failure_detail: verdict.detail });
    }
    case 'rate_limited':
      return waits(base, 'rate_limited', later(now, verdict.waitMs), { counts: false, failure_detail: verdict.detail });
    case 'barred':
      return waits(base, 'barred', now, { counts: false, failure_detail: verdict.detail });
    case 'reauthenticate':
      return {
        ...waits(base, 'needs_reconnect', now, { counts: false, failure_detail: verdict.detail }),
        waiting_until: null,
      };
    case 'refused':
      // Meta takes one private reply per comment: refusing the second says that the uncertain first one arrived.
      if (delivery.uncertain && delivery.kind === 'private_reply' && verdict.reason === 'already_replied_elsewhere') {
        return arrived(base, delivery, now);
      }
      // Meta says of a live that is over what it says of a comment that was answered.
      if (delivery.lane === 'live_replies' && verdict.reason === 'already_replied_elsewhere') {
        return { ...failed(base, 'live_over', verdict.detail, now), outcome: REASONS.live_over.status };
      }
      return failed(base, verdict.reason, verdict.detail, now);
    case 'misconfigured':
      if (REASONS[verdict.reason].status !== 'waiting') return failed(base, verdict.reason, verdict.detail, now);
      return {
        ...waits(base, verdict.reason, later(now, PROBE_SETTING_AFTER_MS), {
          counts: false,
          failure_detail: verdict.detail,
        }),
        waiting_until: null,
      };
  }
}

function arrived(base: Result, delivery: ClaimedDelivery, now: Date): Result {
  const reason = reasonWhenSent(delivery);
  return { ...base, state: 'sent', uncertain: false, finished_at: now, outcome: 'replied', reason };
}

/** It did not arrive, and is not to be sent any more. */
export function calledOff(delivery: ClaimedDelivery, because: CalledOff, now: Date): Result {
  const result = resultOf(delivery, { kind: 'refused', reason: because, detail: '' }, now);
  return {
    ...result,
    state: CALL_OFF[because].state,
    outcome: result.outcome === null ? null : REASONS[because].status,
  };
}

/** Deliveries without time left. */
export function tooLate({ lane }: Pick<ClaimedDelivery, 'lane'>): CalledOff {
  return lane === 'live_replies' ? 'live_over' : 'deadline_passed';
}

function waits(base: Result, reason: keyof typeof REASONS, until: Date, more: Partial<Result>): Result {
  return { ...base, state: 'queued', due_at: until, outcome: 'waiting', reason, waiting_until: until, ...more };
}

function failed(base: Result, reason: keyof typeof REASONS, detail: string, now: Date): Result {
  return {
    ...base,
    state: 'failed',
    finished_at: now,
    failure_reason: reason,
    failure_detail: detail,
    outcome: 'failed',
    reason,
    // Where it may have arrived after all, a second message would be one too many.
    forget_answered: !base.uncertain,
  };
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
