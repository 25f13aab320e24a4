/** The answer that a matched comment or message calls for, and what keeps it back. */
import type { Reason } from '#contract/outcomes.ts';
import { begin } from '#server/engine/conversations/conversation.ts';
import type { LaneKind, NewDelivery, NewInteraction } from '#server/engine/outcomes/rows.ts';
import type { Choice } from './choice.ts';
import type { EngineConnection } from './connections.ts';
import type { DecidingContext, Decision, Standing, StoredConversation } from './decision.ts';
import type { EngineAutomation } from './listening-automations.ts';
import { type DeliveryContent, hasSteps, linkMessage, planOf, sequenceOf, stepContent } from './message-plan.ts';

export function waitsBecause(connection: EngineConnection, turn: Date | null): Reason {
  if (connection.requiresAuth) return 'needs_reconnect';
  if (connection.paused) return 'paused';
  if (connection.queuePaused) return 'paused_by_you';
  return turn === null ? 'queued' : 'rate_limited';
}

/** The reason that keeps everything automatic from a follower; null when nothing does. */
export function silencedBecause({ stopped, blocked, takenOverUntil }: Standing, now: Date): Reason | null {
  if (stopped) return 'stopped';
  if (blocked) return 'blocked';
  return takenOverUntil !== null && takenOverUntil > now ? 'taken_over' : null;
}

/** The cool-down holds over all doors: the same automation, or another one that leads to the same place. */
export function answeredLately(
  automation: EngineAutomation,
  personId: string,
  context: DecidingContext,
): Reason | null {
  const { repeatAfterMinutes } = automation;
  if (repeatAfterMinutes === null) return null;
  const lately = (automationId: string) => {
    const answeredAt = context.answeredAt(automationId, personId);
    return answeredAt !== null && answeredAt.getTime() + repeatAfterMinutes * 60_000 > context.now.getTime();
  };
  if (lately(automation.id)) return 'already_answered';
  return automation.sameLink.some(lately) ? 'already_has_it' : null;
}

/** The message that a matched interaction calls for: the link, or the first step towards it. */
export function answerTo(
  interaction: NewInteraction,
  connection: EngineConnection,
  choice: Extract<Choice<EngineAutomation>, { automation: EngineAutomation }>,
  standing: Standing,
  context: DecidingContext,
  by: {
    kind: 'private_reply' | 'message';
    lane: LaneKind;
    recipient: string;
    expiresAt: Date;
    username: string | null;
  },
): Decision & { delivery: NewDelivery } {
  const { automation, language } = choice;
  const { now, ids, baseUrl } = context;
  const told = { username: by.username, word: interaction.matched_words[0] ?? null, language };
  const plan = planOf(automation, told, context.pickVariant(automation));
  const deliveryId = ids.uuid(now);
  const delivery = (conversationId: string | null, content: DeliveryContent): NewDelivery => ({
    creator_id: interaction.creator_id,
    id: deliveryId,
    connection_id: connection.id,
    interaction_id: interaction.id,
    automation_id: automation.id,
    conversation_id: conversationId,
    variant: automation.variants.length === 0 ? null : plan.variant,
    kind: by.kind,
    lane: by.lane,
    recipient: by.recipient,
    content: plan.language === null ? content : { ...content, language: plan.language },
    priority: 0,
    due_at: now,
    expires_at: by.expiresAt,
    created_at: now,
  });
  const composing = { baseUrl, deliveryId, conversationId: null, name: standing.name };
  if (!hasSteps(plan)) return { interaction, delivery: delivery(null, linkMessage(plan, composing)) };

  const id = ids.uuid(now);
  const wrote = by.kind === 'message';
  const begun = begin(sequenceOf(plan), { wrote, at: interaction.occurred_at, message: deliveryId });
  const conversation: StoredConversation = {
    creatorId: interaction.creator_id,
    id,
    connectionId: connection.id,
    automationId: automation.id,
    interactionId: interaction.id,
    isTest: interaction.is_test,
    personId: interaction.person_id,
    plan,
    conversation: begun.conversation,
  };
  const content = stepContent(plan, begun.say!, { ...composing, conversationId: id });
  return { interaction, delivery: delivery(id, content), effects: { conversation } };
}
