/** One try of a delivery: the call, what its answer does to the lane, and what is to be written down of it. */
import type { FastifyBaseLogger } from 'fastify';
import type { Clock, Ids } from '#server/clock.ts';
import type { ConversationEvent, Ended } from '#server/engine/conversations/conversation.ts';
import type { MessageNews } from '#server/engine/conversations/conversation-store.ts';
import { publicReplyAfter } from '#server/engine/deciding/public-replies.ts';
import { CALL_OFF, type CalledOff } from '#server/engine/outcomes/calling-off.ts';
import type { ClaimedDelivery, NewDelivery, Result } from '#server/engine/outcomes/rows.ts';
import type { Observed } from '#server/observability/observability.ts';
import type { CallResult } from '#server/platforms/meta/verdict.ts';
import type { LaneClosing } from './lane-closing.ts';
import type { Lane } from './lanes.ts';
import { askedAgain, calledOff, canBeLookedFor, dropped, resultOf, tooLate } from './results.ts';
import type { Sender, Sending } from './sender.ts';

export type AttemptDeps = {
  clock: Clock;
  ids: Ids;
  sender: Sender;
  log: FastifyBaseLogger;
  observed: Observed | undefined;
};

/** The result of a try: the row's new state, the message that follows, what its conversation hears. */
export type Finished = { result: Result; followUp: NewDelivery | null; news: MessageNews | null };

/** @param callBefore later than that no call is made: it may be another worker's */
export async function attempt(
  deps: AttemptDeps,
  queued: ClaimedDelivery,
  lane: Lane,
  { callBefore, closing }: { callBefore: Date; closing: LaneClosing },
): Promise<Finished> {
  const { clock } = deps;
  // A message that may have arrived in time is looked up even then.
  if (queued.expires_at <= clock.now() && !canBeLookedFor(queued))
    return finishCalledOff(queued, tooLate(queued), clock.now());
  const began = performance.now();
  const sending = await send(deps, queued, callBefore);
  const { delivery } = sending;
  if ('calledOff' in sending) return finishCalledOff(queued, sending.calledOff, clock.now());
  if ('dropped' in sending) {
    return finish(deps, delivery, dropped(delivery, sending.dropped, clock.now()), sending.dropped);
  }
  if ('askAgainAt' in sending) {
    const result = askedAgain(delivery, sending.askAgainAt, clock.now(), sending.mayBeOthers);
    return { result, followUp: null, news: null };
  }
  const now = clock.now();
  deps.observed?.tracing?.sent(delivery, sending.call.verdict.kind, began);
  await closing.applyVerdict(sending.call, lane, now);
  return finish(deps, delivery, resultOfCall(delivery, sending.call, lane, now), null);
}

async function send({ sender, log }: AttemptDeps, queued: ClaimedDelivery, callBefore: Date): Promise<Sending> {
  try {
    return await sender.send(queued, callBefore);
  } catch (error) {
    // A defect of ours or the database away: whether the call went out is not known.
    log.error({ err: error, deliveryId: queued.id }, 'a delivery broke off');
    const verdict = { kind: 'unknown' as const, detail: 'The call failed on our side.' };
    return { delivery: queued, call: { verdict, usage: null } };
  }
}

function resultOfCall(delivery: ClaimedDelivery, { verdict }: CallResult, lane: Lane, now: Date): Result {
  const result = resultOf(delivery, verdict, now);
  if (result.state === 'queued' && verdict.kind === 'barred') result.waiting_until = new Date(lane.closedByMeta.until);
  return result;
}

function finish(
  { clock, ids }: AttemptDeps,
  delivery: ClaimedDelivery,
  result: Result,
  droppedBecause: Ended | 'overtaken' | null,
): Finished {
  const followUp = result.state === 'sent' ? publicReplyAfter(delivery, ids, clock.now()) : null;
  return { result, followUp, news: newsOf(delivery, result, droppedBecause) };
}

function finishCalledOff(delivery: ClaimedDelivery, because: CalledOff, now: Date): Finished {
  const result = calledOff(delivery, because, now);
  const { state, conversation } = CALL_OFF[because];
  return { result, followUp: null, news: newsOf(delivery, result, state === 'expired' ? null : conversation) };
}

/** The event for a conversation once its message has ended; null while it is tried again. */
function newsOf(
  delivery: ClaimedDelivery,
  result: Result,
  droppedBecause: Ended | 'overtaken' | null,
): MessageNews | null {
  const { id, conversation_id, interaction_id, automation_id, creator_id, content, uncertain } = delivery;
  if (conversation_id === null || content.step === undefined || result.state === 'queued') return null;
  if (droppedBecause === 'overtaken') return null;
  const step = content.step;
  let happened: ConversationEvent;
  if (droppedBecause !== null) happened = { kind: 'dropped', message: id, because: droppedBecause };
  else if (result.state === 'sent' && step !== 'next') {
    happened = { kind: 'sent', message: id, step, at: result.outcome_at, windowUntil: null };
  } else happened = { kind: 'failed', message: id, step, uncertain: uncertain || result.uncertain };
  return {
    creatorId: creator_id,
    conversationId: conversation_id,
    personId: result.recipient_person_id,
    interactionId: interaction_id,
    automationId: automation_id,
    deliveryId: id,
    attempts: result.state === 'sent' ? null : result.attempts,
    happened,
  };
}
