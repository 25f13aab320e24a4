/** Messages that go on with a conversation: a tap on its button, the answer to its question. Pure. */

import { findAddress } from '#contract/email-address.ts';
import type { Reason } from '#contract/outcomes.ts';
import { type ConversationEvent, type Move, move, windowAfter } from '#server/engine/conversations/conversation.ts';
import type { NewDelivery } from '#server/engine/outcomes/rows.ts';
import type { MessageEvent } from '#server/platforms/meta/events.ts';
import { silencedBecause, waitsBecause } from './answers.ts';
import type { EngineConnection } from './connections.ts';
import {
  type DecidingContext,
  type Decision,
  type Effects,
  newInteraction,
  type Standing,
  type StoredConversation,
} from './decision.ts';
import { type Plan, readPayload, sequenceOf, stepContent } from './message-plan.ts';

/** The conversation that this message goes on with; null when it has nothing to do with any. */
export function findOpenConversation(
  event: MessageEvent,
  connection: EngineConnection,
  context: DecidingContext,
): { stored: StoredConversation; happened: ConversationEvent } | null {
  const { at } = event;
  const payload = readPayload(event.payload);
  if (payload !== null) {
    const stored = context.conversationWithId(connection, payload.conversationId);
    if (stored === null) return null;
    if (payload.kind === 'tapped') return { stored, happened: { kind: 'tapped', at } };
    return { stored, happened: { kind: 'confirmed', suggestion: payload.suggestion, at } };
  }
  if (event.kind !== 'direct_message' && event.kind !== 'story_reply') return null;
  const stored = context.askedForEmail(connection, event.personId);
  if (stored === null) return null;
  const found = findAddress(event.text);
  // A question that is still on its way was not answered by this.
  if (found === null && stored.conversation.pending !== null) return null;
  const suggestion = found?.suggestion ?? null;
  return { stored, happened: { kind: 'wrote', address: found?.address ?? null, suggestion, at } };
}

/** Null: the conversation has nothing to say to it. */
export function continueConversation(
  event: MessageEvent,
  receivedAt: Date,
  connection: EngineConnection,
  { stored, happened }: { stored: StoredConversation; happened: ConversationEvent },
  standing: Standing,
  context: DecidingContext,
): Decision | null {
  const { plan } = stored;
  const about = { automation_id: stored.automationId };
  const skip = (reason: Reason): Decision => ({
    interaction: { ...newInteraction(event, receivedAt, connection, context, reason), ...about },
    delivery: null,
  });
  if (connection.beingDeleted) return skip('being_deleted');
  const silenced = silencedBecause(standing, context.now);
  if (silenced !== null) return skip(silenced);
  const expiresAt = windowAfter(event.at);
  if (expiresAt <= context.now) return skip('outside_window');

  const deliveryId = context.ids.uuid(context.now);
  const moved = move(sequenceOf(plan), stored.conversation, happened, deliveryId);
  if (moved.say === null) return null;
  const turn = context.turnOf(connection, 'messages');
  const interaction = {
    ...newInteraction(
      event,
      receivedAt,
      connection,
      context,
      waitsBecause({ ...connection, queuePaused: false }, turn),
    ),
    ...about,
    is_test: stored.isTest,
    waiting_until: connection.paused ? null : turn,
  };
  const composing = {
    baseUrl: context.baseUrl,
    deliveryId,
    conversationId: stored.id,
    name: standing.name,
    suggestedEmail: moved.conversation.suggestedEmail,
  };
  const content = stepContent(plan, moved.say, composing);
  const delivery: NewDelivery = {
    creator_id: interaction.creator_id,
    id: deliveryId,
    connection_id: interaction.connection_id,
    interaction_id: interaction.id,
    automation_id: stored.automationId,
    conversation_id: stored.id,
    variant: plan.variant,
    kind: 'message',
    lane: 'messages',
    recipient: event.personId,
    content: moved.email === null ? content : { ...content, reasonWhenSent: 'email_taken' },
    priority: 0,
    due_at: context.now,
    expires_at: expiresAt,
    created_at: context.now,
  };
  // A person's id in the conversation may be another than that of their comment (reference 3.2): from here on it is known.
  const conversation = { ...stored, personId: event.personId, conversation: moved.conversation };
  return { interaction, delivery, effects: { conversation, ...emailOf(moved, plan) } };
}

function emailOf({ email }: Move, { emailAsk, language }: Plan): Pick<Effects, 'email'> {
  if (email === null || emailAsk === null) return {};
  return { email: { address: email, wording: emailAsk.consent, language } };
}
