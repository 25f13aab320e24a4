/** The public reply that stands under a comment once its message was sent. */
import { renderMessage } from '#contract/message-text.ts';
import type { Ids } from '#server/clock.ts';
import type { NewDelivery, NewInteraction } from '#server/engine/outcomes/rows.ts';
import type { CommentEvent } from '#server/platforms/meta/events.ts';
import type { Choice } from './choice.ts';
import type { DecidingContext } from './decision.ts';
import type { EngineAutomation } from './listening-automations.ts';
import type { PlannedPublicReply } from './message-plan.ts';

/** A public reply a day late only puzzles; ours, not Meta's. */
const PUBLIC_REPLY_WINDOW_MS = 24 * 3_600_000;

/** Only top-level comments can be replied to [N/D/R]: an answer to a reply goes below its parent, by name. */
export function publicReplyTo(
  event: CommentEvent,
  { automation, language }: Extract<Choice<EngineAutomation>, { automation: EngineAutomation }>,
  interaction: NewInteraction,
  context: DecidingContext,
): PlannedPublicReply | null {
  const picked = context.pickPublicReply(automation, language);
  if (picked === null) return null;
  const text = renderMessage(picked, { username: event.username, word: interaction.matched_words[0] ?? null });
  if (event.parentId === null || event.username === null)
    return { commentId: event.parentId ?? event.platformId, text };
  return { commentId: event.parentId, text: `@${event.username} ${text}` };
}

/** The public reply that follows a message once it is sent; null: nothing. */
export function publicReplyAfter(sent: NewDelivery, ids: Ids, now: Date): NewDelivery | null {
  const planned = sent.content.publicReply;
  if (planned === undefined) return null;
  return {
    creator_id: sent.creator_id,
    id: ids.uuid(now),
    connection_id: sent.connection_id,
    interaction_id: sent.interaction_id,
    automation_id: sent.automation_id,
    conversation_id: null,
    variant: null,
    kind: 'public_reply',
    lane: 'public_replies',
    recipient: planned.commentId,
    content: { text: planned.text, buttons: [] },
    priority: 0,
    due_at: now,
    expires_at: new Date(now.getTime() + PUBLIC_REPLY_WINDOW_MS),
    created_at: now,
  };
}
