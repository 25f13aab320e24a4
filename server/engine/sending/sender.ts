/**
 * Makes the outbound call of a delivery. The effect of an earlier, unanswered call is looked up first
 * (architecture rule 3): Meta has no idempotency keys.
 */

import type pg from 'pg';
import type { Clock } from '#server/clock.ts';
import { droppedBecause, type Ended, move, nextStep, windowAfter } from '#server/engine/conversations/conversation.ts';
import * as conversations from '#server/engine/conversations/conversation-store.ts';
import type { EngineConnections } from '#server/engine/deciding/connections.ts';
import type { StoredConversation } from '#server/engine/deciding/decision.ts';
import { type DeliveryContent, sequenceOf } from '#server/engine/deciding/message-plan.ts';
import type { CalledOff } from '#server/engine/outcomes/calling-off.ts';
import { recordChoice } from '#server/engine/outcomes/results-log.ts';
import type { ClaimedDelivery } from '#server/engine/outcomes/rows.ts';
import { findSilenced, savePerson } from '#server/engine/people-store.ts';
import type { MetaClient, Speaker } from '#server/platforms/meta/client.ts';
import type { CallResult } from '#server/platforms/meta/verdict.ts';
import type { Lanes } from './lanes.ts';
import { findInConversation } from './look-ups.ts';
import { CHECK_AFTER_MS, canBeLookedFor, tooLate } from './results.ts';

/** The result; `delivery` as it was sent, where the content was only decided now. */
export type Sending =
  | { delivery: ClaimedDelivery; call: CallResult }
  /** Not to be sent any more; `overtaken`: the conversation went on without it. */
  | { delivery: ClaimedDelivery; dropped: Ended | 'overtaken' }
  /** It did not arrive, and is not to be sent any more. */
  | { delivery: ClaimedDelivery; calledOff: CalledOff }
  /**
   * Nothing was sent: there were too many look-ups, nobody could tell whose message it is, or we slept.
   * `mayBeOthers`: meanwhile another worker may have taken it over and called.
   */
  | { delivery: ClaimedDelivery; askAgainAt: Date; mayBeOthers?: true };

export type Sender = {
  /** @param callBefore later than that no call is made: it may be another worker's */
  send(delivery: ClaimedDelivery, callBefore: Date): Promise<Sending>;
};

export type SenderDeps = {
  pool: pg.Pool;
  clock: Clock;
  connections: EngineConnections;
  lanes: Lanes;
  meta: MetaClient;
  /**
   * The token that speaks for a connection and the node it posts to; null when there is none that works.
   * `fresh`: not from memory.
   */
  speakerOf(connection: { creatorId: string; id: string }, how?: { fresh: boolean }): Promise<Speaker | null>;
};

export function createSender(deps: SenderDeps): Sender {
  return {
    async send(queued, callBefore) {
      const connection = await deps.connections.withId(queued.connection_id, deps.pool);
      const done = (verdict: CallResult['verdict']) => ({ delivery: queued, call: answer(verdict) });
      if (connection === null)
        return done({ kind: 'refused', reason: 'disconnected', detail: 'The account was disconnected.' });
      if (connection.beingDeleted && !canBeLookedFor(queued)) return { delivery: queued, calledOff: 'being_deleted' };
      const speaker = connection.requiresAuth ? null : await deps.speakerOf(connection);
      if (speaker === null) return done({ kind: 'reauthenticate', reason: 'no_token', detail: 'No working token.' });
      const calledOff = connection.beingDeleted ? 'being_deleted' : queued.called_off;
      const as = { accountId: connection.accountId, speaker };
      const sending = await sendAs(deps, as, queued, { calledOff, callBefore });
      if (!isSignInRefused(sending) || !(await isReplaced(deps, connection, speaker))) return sending;
      return { delivery: sending.delivery, askAgainAt: deps.clock.now() };
    },
  };
}

async function sendAs(
  deps: SenderDeps,
  { accountId, speaker }: { accountId: string; speaker: Speaker },
  queued: ClaimedDelivery,
  { calledOff, callBefore }: { calledOff: CalledOff | null; callBefore: Date },
): Promise<Sending> {
  const mayHaveArrived = queued.uncertain && queued.kind === 'message';
  if (mayHaveArrived && !deps.lanes.lookUpsOf(queued.connection_id).begin(queued))
    return { delivery: queued, askAgainAt: new Date(deps.clock.now().getTime() + CHECK_AFTER_MS) };
  const silenced = isSecondTry(queued) ? await findSilenced(deps.pool, queued, deps.clock.now()) : null;
  if (silenced !== null) return { delivery: queued, dropped: silenced };
  // Whatever else has happened since: what arrived did arrive. The message after a tap was not called while it is undecided.
  const looksFor = queued.uncertain && queued.content.step !== 'next';
  const earlier = looksFor ? await findEarlier(deps, accountId, speaker, queued) : null;
  if (earlier !== null) return { delivery: queued, ...earlier };
  const off = calledOff ?? (queued.expires_at <= deps.clock.now() ? tooLate(queued) : null);
  if (off !== null) return { delivery: queued, calledOff: off };
  const ready = isOfConversation(queued) ? await prepare(deps, speaker, queued) : queued;
  if ('dropped' in ready) return { delivery: queued, dropped: ready.dropped };
  const now = deps.clock.now();
  if (now > callBefore) {
    return { delivery: ready, askAgainAt: new Date(now.getTime() + CHECK_AFTER_MS), mayBeOthers: true };
  }
  return { delivery: ready, call: await call(deps.meta, speaker, ready) };
}

function isSignInRefused(sending: Sending): boolean {
  return 'call' in sending && sending.call.verdict.kind === 'reauthenticate';
}

/** The creator signed in again while we called: what Meta says of the token of before does not count for the new one. */
async function isReplaced(
  { speakerOf }: SenderDeps,
  connection: { creatorId: string; id: string },
  { token }: Speaker,
): Promise<boolean> {
  const speaker = await speakerOf(connection, { fresh: true });
  return speaker !== null && speaker.token !== token;
}

/**
 * STOP takes what is queued off the queue; what was under way then, and comes back to be tried again, must ask. `attempts`
 * does not tell: calls that Meta did not look at are given back.
 */
function isSecondTry({ kind, called_at, content }: ClaimedDelivery): boolean {
  return called_at !== null && kind !== 'public_reply' && content.byHand !== true;
}

type OfConversation = ClaimedDelivery & { conversation_id: string };

function isOfConversation(delivery: ClaimedDelivery): delivery is OfConversation {
  return delivery.conversation_id !== null && delivery.content.step !== undefined;
}

/** Asks once more whether it may be sent, and decides what follows a tap: see `conversation.ts`. */
async function prepare(
  deps: SenderDeps,
  speaker: Speaker,
  delivery: OfConversation,
): Promise<ClaimedDelivery | { dropped: Ended | 'overtaken' }> {
  const now = deps.clock.now();
  const before = await conversations.findBeforeSending(deps.pool, delivery, now);
  // Erased together with the person.
  if (before === null) return { dropped: 'unsent' };
  const { stored, lastWroteAt } = before;
  const { conversation, plan } = stored;
  const step = delivery.content.step!;
  // Only a tap on it takes its place.
  if (step === 'opening' && conversation.pending !== delivery.id) return { dropped: 'overtaken' };
  const because = droppedBecause(conversation, step, {
    ...before,
    now,
    needsWindow: delivery.kind === 'message',
    windowUntil: lastWroteAt === null ? null : windowAfter(lastWroteAt),
  });
  if (because !== null) return { dropped: because };
  if (conversation.pending !== delivery.id) return { dropped: 'overtaken' };
  if (step !== 'next') return delivery;

  const sequence = sequenceOf(plan);
  // Meta shows the profile of those who wrote, not of those who only commented (reference 3.5).
  const follows = sequence.followAsk && delivery.kind === 'message' ? await followsNow(deps, speaker, stored) : null;
  let chosen = nextStep(sequence, conversation, { follows, emailAsked: before.emailAsked });
  if (chosen === 'email_ask' && !(await conversations.claimEmailAsk(deps.pool, stored, now))) {
    chosen = nextStep(sequence, conversation, { follows, emailAsked: true });
  }
  const moved = move(sequence, conversation, { kind: 'chosen', message: delivery.id, step: chosen }, delivery.id);
  const content = chosenContent(delivery.content, chosen);
  const recorded = await recordChoice(deps.pool, delivery, content, moved.conversation, now);
  return recorded ? { ...delivery, content } : { dropped: 'overtaken' };
}

function chosenContent(
  { branches, publicReply, reasonWhenSent, language }: DeliveryContent,
  chosen: 'follow_ask' | 'email_ask' | 'delivery',
): DeliveryContent {
  const { followAsk, emailAsk, delivery } = branches!;
  const message = chosen === 'follow_ask' ? followAsk! : chosen === 'email_ask' ? emailAsk! : delivery;
  return {
    ...message,
    step: chosen,
    ...(language !== undefined && { language }),
    ...(publicReply !== undefined && { publicReply }),
    ...(chosen === 'delivery' && reasonWhenSent !== undefined && { reasonWhenSent }),
  };
}

/** Null: Meta does not tell, now or for this person. */
async function followsNow(
  { pool, clock, meta }: SenderDeps,
  speaker: Speaker,
  { creatorId, connectionId, personId }: StoredConversation,
): Promise<boolean | null> {
  const profile = await meta.profile({ ...speaker, personId });
  if (!profile.ok) return null;
  await savePerson(
    pool,
    { creator_id: creatorId, connection_id: connectionId, id: personId },
    profile.data,
    clock.now(),
  );
  return profile.data.follows;
}

function call(
  meta: MetaClient,
  speaker: Speaker,
  { kind, recipient, content, id }: ClaimedDelivery,
): Promise<CallResult> {
  const { text, buttons, tap, quickReplies, card, humanAgent = false } = content;
  const message = {
    text,
    buttons: tap === undefined ? buttons : [tap],
    ...(quickReplies !== undefined && { quickReplies }),
    ...(card !== undefined && { card }),
  };
  switch (kind) {
    case 'private_reply':
      return meta.privateReply({ ...speaker, commentId: recipient, message });
    case 'message':
      return meta.sendMessage({ ...speaker, personId: recipient, message, humanAgent, metadata: id });
    case 'public_reply':
      return meta.publicReply({ ...speaker, commentId: recipient, text: content.text });
  }
}

type Earlier = { call: CallResult } | { askAgainAt: Date };

/** Null: nothing of an earlier call is to be found, it may go out again. */
async function findEarlier(
  { pool, clock, lanes, meta }: SenderDeps,
  accountId: string,
  speaker: Speaker,
  delivery: ClaimedDelivery,
): Promise<Earlier | null> {
  switch (delivery.kind) {
    case 'private_reply':
      // Meta itself refuses a second private reply to a comment: asking is the look-up.
      return null;
    case 'public_reply': {
      const replies = await meta.commentReplies({ ...speaker, commentId: delivery.recipient });
      if (!replies.ok) return { call: lookUpFailed(replies.verdict) };
      // Anybody can write the same words. Where Meta names no writer, posting twice would be the greater harm.
      const ours = replies.data.items.find(
        ({ text, personId }) => text === delivery.content.text && (personId === null || personId === accountId),
      );
      return ours === undefined ? null : { call: found(ours.id) };
    }
    case 'message': {
      const askAgainAt = lanes.lookUpsOf(delivery.connection_id).take(clock.now().getTime());
      if (askAgainAt !== null) return { askAgainAt: new Date(askAgainAt) };
      const messages = await meta.conversationWith({ ...speaker, personId: delivery.recipient });
      if (!messages.ok) return { call: lookUpFailed(messages.verdict) };
      const ours = await findInConversation(pool, delivery, messages.data);
      if (ours === 'later') return { askAgainAt: new Date(clock.now().getTime() + CHECK_AFTER_MS) };
      return ours === null ? null : { call: found(ours.mid) };
    }
  }
}

function found(messageId: string): CallResult {
  return answer({ kind: 'done', messageId, personId: null });
}

/** Not knowing is no permission to send again. Answers that close lanes or connections are passed on. */
function lookUpFailed(verdict: CallResult['verdict']): CallResult {
  const passedOn = verdict.kind === 'rate_limited' || verdict.kind === 'barred' || verdict.kind === 'reauthenticate';
  return answer(passedOn ? verdict : { kind: 'unknown', detail: 'detail' in verdict ? verdict.detail : '' });
}

function answer(verdict: CallResult['verdict']): CallResult {
  return { verdict, usage: null };
}
