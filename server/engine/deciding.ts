/**
 * What becomes of an interaction: the outcome and the deliveries it calls for. Pure: what it needs to know is passed in.
 */
import { renderMessage } from '#contract/message-text.ts';
import type { Reason } from '#contract/outcomes.ts';
import { type OutcomeStatus, REASONS } from '#contract/outcomes.ts';
import type { Ids } from '#server/clock.ts';
import type { EngineAutomation, EngineConnection } from '#server/engine/connections.ts';
import type { LaneKind } from '#server/engine/lanes.ts';
import type { Choice } from '#server/features/automations/choosing.ts';
import { trackedUrl } from '#server/features/links/tracked-url.ts';
import type { CommentEvent, MessageEvent } from '#server/platforms/meta/events.ts';

const HOUR_MS = 3_600_000;
/** One private reply within 7 days of the comment [D S-igpr]. */
export const PRIVATE_REPLY_WINDOW_MS = 7 * 24 * HOUR_MS;
/** A public reply a day late only puzzles; ours, not Meta's. */
export const PUBLIC_REPLY_WINDOW_MS = 24 * HOUR_MS;

/** Of the post that the creator wants answered first: before all comments, after what a person sends by hand. */
export const FIRST_POST_PRIORITY = 5;

export type MessageContent = { text: string; buttons: { title: string; url: string }[] };

/** What a delivery carries. A private reply brings the public reply that follows once it is sent. */
export type DeliveryContent = MessageContent & { publicReply?: PlannedPublicReply };
export type PlannedPublicReply = { commentId: string; text: string };

/** A row of `interactions`. */
export type NewInteraction = {
  creator_id: string;
  id: string;
  connection_id: string;
  kind: CommentEvent['kind'] | MessageEvent['kind'];
  platform_id: string;
  post_id: string | null;
  parent_id: string | null;
  person_id: string;
  username: string | null;
  text: string;
  occurred_at: Date;
  received_at: Date;
  outcome: OutcomeStatus;
  reason: Reason;
  automation_id: string | null;
  matched_words: string[];
  waiting_until: Date | null;
  outcome_at: Date;
  found_by_reading: boolean;
};

/** A row of `deliveries`, queued. */
export type NewDelivery = {
  creator_id: string;
  id: string;
  connection_id: string;
  interaction_id: string;
  automation_id: string | null;
  kind: 'private_reply' | 'message' | 'public_reply';
  lane: LaneKind;
  recipient: string;
  content: DeliveryContent;
  priority: number;
  due_at: Date;
  expires_at: Date;
  created_at: Date;
};

export type Decision = { interaction: NewInteraction; delivery: NewDelivery | null };

export type DecidingContext = {
  now: Date;
  ids: Ids;
  baseUrl: string;
  /** When this automation last answered this person; null for never. */
  answeredAt(automationId: string, personId: string): Date | null;
  /** Picks a public reply, not the one picked last; null when there are none. */
  pickPublicReply(automation: EngineAutomation): string | null;
  /** When the next private reply of the connection can go out; null for at once. */
  privateReplyAt(connection: EngineConnection): Date | null;
};

/** @param choice what the matching said; null where it was not asked, for own and live comments */
export function decideComment(
  event: CommentEvent,
  receivedAt: Date,
  connection: EngineConnection,
  choice: Choice<EngineAutomation> | null,
  context: DecidingContext,
): Decision {
  const skip = (reason: Reason): Decision => ({
    interaction: newInteraction(event, receivedAt, connection, context, reason),
    delivery: null,
  });
  if (event.own) return skip('own_comment');
  if (choice === null) return skip('live_comment');
  if (choice.automation === null) return skip(choice.reason);

  const { automation } = choice;
  const matched = { automation_id: automation.id, matched_words: choice.matchedWords };
  const skipMatched = (reason: Reason): Decision => {
    const skipped = skip(reason);
    return { ...skipped, interaction: { ...skipped.interaction, ...matched } };
  };
  if (connection.beingDeleted) return skipMatched('being_deleted');
  if (cameBefore(automation, event)) return skipMatched('before_it_was_on');
  const expiresAt = new Date(event.at.getTime() + PRIVATE_REPLY_WINDOW_MS);
  if (expiresAt <= context.now) return skipMatched('too_old');
  if (answeredLately(automation, event.personId, context)) return skipMatched('already_answered');

  const turn = context.privateReplyAt(connection);
  const reason = waitsBecause(connection, turn);
  const interaction = {
    ...newInteraction(event, receivedAt, connection, context, reason),
    ...matched,
    waiting_until: connection.paused || connection.queuePaused ? null : turn,
  };
  const delivery = privateReply(event, interaction, automation, expiresAt, context);
  const first = event.postId !== null && event.postId === connection.firstPostId;
  return { interaction, delivery: first ? { ...delivery, priority: FIRST_POST_PRIORITY } : delivery };
}

function waitsBecause(connection: EngineConnection, turn: Date | null): Reason {
  if (connection.requiresAuth) return 'needs_reconnect';
  if (connection.paused) return 'paused';
  if (connection.queuePaused) return 'paused_by_you';
  return turn === null ? 'queued' : 'rate_limited';
}

/** A comment that we find ourselves may be from long ago: "on" answers what comes from then on. Meta's times have no fractions. */
function cameBefore(automation: EngineAutomation, event: CommentEvent): boolean {
  if (event.found !== true || event.catchUp === true) return false;
  return event.at.getTime() + 1000 <= automation.switchedOnAt.getTime();
}

/** Nothing answers messages yet: they are recorded, and they open the 24 hours in which a creator may write. */
export function decideMessage(
  event: MessageEvent,
  receivedAt: Date,
  connection: EngineConnection,
  context: DecidingContext,
): Decision {
  const reason =
    event.kind === 'direct_message'
      ? 'direct_message'
      : event.kind === 'button_tap'
        ? 'button_tap'
        : 'story_interaction';
  return { interaction: newInteraction(event, receivedAt, connection, context, reason), delivery: null };
}

function answeredLately(automation: EngineAutomation, personId: string, context: DecidingContext): boolean {
  if (automation.repeatAfterMinutes === null) return false;
  const answeredAt = context.answeredAt(automation.id, personId);
  if (answeredAt === null) return false;
  return answeredAt.getTime() + automation.repeatAfterMinutes * 60_000 > context.now.getTime();
}

function privateReply(
  event: CommentEvent,
  interaction: NewInteraction,
  automation: EngineAutomation,
  expiresAt: Date,
  context: DecidingContext,
): NewDelivery {
  const id = context.ids.uuid(context.now);
  const values = { username: event.username, word: interaction.matched_words[0] ?? null };
  const publicReply = context.pickPublicReply(automation);
  return {
    creator_id: interaction.creator_id,
    id,
    connection_id: interaction.connection_id,
    interaction_id: interaction.id,
    automation_id: automation.id,
    kind: 'private_reply',
    lane: 'private_replies',
    recipient: event.platformId,
    content: {
      text: renderMessage(automation.messageText, values),
      buttons: automation.buttons.map(({ title, code }) => ({ title, url: trackedUrl(context.baseUrl, code, id) })),
      ...(publicReply !== null && {
        publicReply: plannedPublicReply(event, renderMessage(publicReply, values)),
      }),
    },
    priority: 0,
    due_at: context.now,
    expires_at: expiresAt,
    created_at: context.now,
  };
}

/** Only top-level comments can be replied to [N/D/R]: an answer to a reply goes below its parent, by name. */
function plannedPublicReply(event: CommentEvent, text: string): PlannedPublicReply {
  if (event.parentId === null || event.username === null)
    return { commentId: event.parentId ?? event.platformId, text };
  return { commentId: event.parentId, text: `@${event.username} ${text}` };
}

function newInteraction(
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
    post_id: comment?.postId ?? null,
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
  };
}

/** PostgreSQL holds neither NUL nor halves of surrogate pairs. */
function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '').toWellFormed() : text.toWellFormed();
}
