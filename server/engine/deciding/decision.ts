/** The decision about an interaction, and the facts needed for it. */
import { REASONS, type Reason } from '#contract/outcomes.ts';
import type { Ids } from '#server/clock.ts';
import type { Conversation } from '#server/engine/conversations/conversation.ts';
import type { LaneKind, NewDelivery, NewInteraction } from '#server/engine/outcomes/rows.ts';
import type { CommentEvent, MessageEvent } from '#server/platforms/meta/events.ts';
import type { EngineConnection } from './connections.ts';
import type { EngineAutomation } from './listening-automations.ts';
import type { Plan } from './message-plan.ts';

/** A row of `conversations`. */
export type StoredConversation = {
  creatorId: string;
  id: string;
  connectionId: string;
  automationId: string;
  interactionId: string;
  /** Begun by the test of a post: whatever is said in it belongs to the test. */
  isTest: boolean;
  personId: string;
  plan: Plan;
  conversation: Conversation;
};

/** Rows to write besides the interaction and its delivery. */
export type Effects = {
  /** Begun or gone on. */
  conversation?: StoredConversation;
  stopped?: true;
  started?: true;
  thanked?: true;
  /** The follower gave their address. */
  email?: { address: string; wording: string; language: string | null };
};

export type Decision = { interaction: NewInteraction; delivery: NewDelivery | null; effects?: Effects };

/** A follower as the connection knows them. */
export type Standing = {
  stopped: boolean;
  blocked: boolean;
  takenOverUntil: Date | null;
  name: string | null;
  username: string | null;
  lastWroteAt: Date | null;
  thankedAt: Date | null;
};

export type DecidingContext = {
  now: Date;
  ids: Ids;
  baseUrl: string;
  /** When this automation last answered this person; null for never. */
  answeredAt(automationId: string, personId: string): Date | null;
  standingOf(connection: EngineConnection, personId: string): Standing;
  conversationWithId(connection: EngineConnection, id: string): StoredConversation | null;
  /** The conversation that asked them for their address. */
  askedForEmail(connection: EngineConnection, personId: string): StoredConversation | null;
  /** Picks a public reply, not the one picked last; null when there are none. */
  pickPublicReply(automation: EngineAutomation, language: string | null): string | null;
  /** Picks a wording, not the one picked last. */
  pickVariant(automation: EngineAutomation): string;
  /** When the next message of the connection's lane can go out; null for at once. */
  turnOf(connection: EngineConnection, lane: LaneKind): Date | null;
};

export function newInteraction(
  event: CommentEvent | MessageEvent,
  receivedAt: Date,
  connection: EngineConnection,
  context: DecidingContext,
  reason: Reason,
): NewInteraction {
  const comment = 'postId' in event ? event : null;
  return {
    creator_id: connection.creatorId,
    id: context.ids.uuid(context.now),
    connection_id: connection.id,
    kind: event.kind,
    platform_id: storable(event.platformId),
    post_id: 'storyId' in event ? event.storyId : event.postId,
    parent_id: comment?.parentId ?? null,
    person_id: storable(event.personId),
    username: comment?.username == null ? null : storable(comment.username),
    text: storable(event.text),
    occurred_at: event.at,
    received_at: receivedAt,
    outcome: REASONS[reason].status,
    reason,
    automation_id: null,
    matched_words: [],
    waiting_until: null,
    outcome_at: context.now,
    found_by_reading: comment?.found === true,
    is_test: false,
  };
}

/** PostgreSQL holds neither NUL nor halves of surrogate pairs. */
function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '').toWellFormed() : text.toWellFormed();
}
