/**
 * What becomes of an interaction: the outcome and the delivery it calls for. Pure: what it needs to know is passed in, and
 * what is to be remembered besides comes out as effects.
 */

import { renderMessage } from '#contract/message-text.ts';
import type { Reason } from '#contract/outcomes.ts';
import { REASONS } from '#contract/outcomes.ts';
import type { Ids } from '#server/clock.ts';
import {
  begin,
  type Conversation,
  type ConversationEvent,
  type Move,
  move,
  windowAfter,
} from '#server/engine/conversations/conversation.ts';
import type { LaneKind, NewDelivery, NewInteraction } from '#server/engine/outcomes/rows.ts';
import type { CommentEvent, MessageEvent } from '#server/platforms/meta/events.ts';
import { LIVE_REPLY_WINDOW_MS, PRIVATE_REPLY_WINDOW_MS } from '#server/platforms/meta/windows.ts';
import type { Choice } from './choosing.ts';
import {
  type DeliveryContent,
  hasSteps,
  linkMessage,
  type Plan,
  type PlannedPublicReply,
  planOf,
  readPayload,
  sequenceOf,
  stepContent,
} from './composing.ts';
import type { EngineAutomation, EngineConnection } from './connections.ts';
import { findAddress } from './email-address.ts';
import { stopOrStart } from './stop-words.ts';

const HOUR_MS = 3_600_000;
/** A public reply a day late only puzzles; ours, not Meta's. */
const PUBLIC_REPLY_WINDOW_MS = 24 * HOUR_MS;
/** Who mentions often is thanked once in so long. */
const THANKED_ONCE_IN_MS = 24 * HOUR_MS;

/** Of the post that the creator wants answered first: before all comments, after what a person sends by hand. */
export const FIRST_POST_PRIORITY = 5;

/** A row of `conversations`. */
export type StoredConversation = {
  creatorId: string;
  id: string;
  connectionId: string;
  automationId: string;
  interactionId: string;
  personId: string;
  plan: Plan;
  conversation: Conversation;
};

/** What is to be written down besides the interaction and its delivery. */
export type Effects = {
  /** Begun or gone on. */
  conversation?: StoredConversation;
  stopped?: true;
  started?: true;
  thanked?: true;
  /** She gave her address. */
  email?: { address: string; wording: string; language: string | null };
};

export type Decision = { interaction: NewInteraction; delivery: NewDelivery | null; effects?: Effects };

/** A follower as the connection knows her. */
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
  /** The conversation that asked her for her address. */
  askedForEmail(connection: EngineConnection, personId: string): StoredConversation | null;
  /** Picks a public reply, not the one picked last; null when there are none. */
  pickPublicReply(automation: EngineAutomation, language: string | null): string | null;
  /** Picks a wording, not the one picked last. */
  pickVariant(automation: EngineAutomation): string;
  /** When the next message of the connection's lane can go out; null for at once. */
  turnOf(connection: EngineConnection, lane: LaneKind): Date | null;
};

/** @param choice what the matching said; null where it was not asked, for own comments */
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
  const live = event.kind === 'live_comment';
  if (connection.addonOff) return skip('facebook_addon_off');
  if (event.own || choice === null) return skip('own_comment');
  if (choice.automation === null) {
    return skip(live && choice.reason === 'no_automation' ? 'live_comment' : choice.reason);
  }

  const { automation } = choice;
  const matched = { automation_id: automation.id, matched_words: choice.matchedWords };
  const skipMatched = (reason: Reason): Decision => {
    const skipped = skip(reason);
    return { ...skipped, interaction: { ...skipped.interaction, ...matched } };
  };
  if (connection.beingDeleted) return skipMatched('being_deleted');
  if (cameBefore(automation, event)) return skipMatched('before_it_was_on');
  const expiresAt = new Date(event.at.getTime() + (live ? LIVE_REPLY_WINDOW_MS : PRIVATE_REPLY_WINDOW_MS));
  if (expiresAt <= context.now) return skipMatched(live ? 'live_over' : 'too_old');
  const standing = context.standingOf(connection, event.personId);
  const silenced = silencedBecause(standing, context.now) ?? answeredLately(automation, event.personId, context);
  if (silenced !== null) return skipMatched(silenced);

  const lane = live ? 'live_replies' : 'private_replies';
  const turn = context.turnOf(connection, lane);
  const interaction = {
    ...newInteraction(event, receivedAt, connection, context, waitsBecause(connection, turn)),
    ...matched,
    waiting_until: connection.paused || connection.queuePaused ? null : turn,
  };
  const answer = answerTo(interaction, connection, choice, standing, context, {
    kind: 'private_reply',
    lane,
    recipient: event.platformId,
    expiresAt,
    username: event.username,
  });
  const publicReply = live ? null : publicReplyTo(event, choice, interaction, context);
  if (publicReply !== null) answer.delivery.content = { ...answer.delivery.content, publicReply };
  if (event.postId !== null && event.postId === connection.firstPostId) answer.delivery.priority = FIRST_POST_PRIORITY;
  return answer;
}

function waitsBecause(connection: EngineConnection, turn: Date | null): Reason {
  if (connection.requiresAuth) return 'needs_reconnect';
  if (connection.paused) return 'paused';
  if (connection.queuePaused) return 'paused_by_you';
  return turn === null ? 'queued' : 'rate_limited';
}

/**
 * A comment that we find ourselves may be from long ago: "on" answers what comes from then on. On a post that a prepared
 * automation was attached to, nothing from before is answered, however we learn of it. Meta's times have no fractions.
 */
function cameBefore(automation: EngineAutomation, event: CommentEvent): boolean {
  if (event.catchUp === true) return false;
  const isBefore = (since: Date) => event.at.getTime() + 1000 <= since.getTime();
  const attachedAt = event.postId === null ? undefined : automation.attachedAt.get(event.postId);
  if (attachedAt !== undefined && isBefore(attachedAt)) return true;
  return event.found === true && isBefore(automation.switchedOnAt);
}

/**
 * Messages, story replies, mentions and taps. In this order: what is none of ours, STOP and START, a tap on a button of a
 * conversation, the answer to a question of one, the automations.
 */
export function decideMessage(
  event: MessageEvent,
  receivedAt: Date,
  connection: EngineConnection,
  context: DecidingContext,
): Decision {
  const decide = (reason: Reason, effects?: Effects): Decision => ({
    interaction: newInteraction(event, receivedAt, connection, context, reason),
    delivery: null,
    ...(effects !== undefined && { effects }),
  });
  if (event.self) return decide('self_test');
  if (event.standby) return decide('another_app');
  const standing = context.standingOf(connection, event.personId);
  const written = event.kind === 'direct_message' || event.kind === 'story_reply';
  if (written) {
    const word = stopOrStart(event.text);
    if (word === 'stop') return decide('stop_obeyed', { stopped: true });
    if (word === 'start' && standing.stopped) return decide('start_obeyed', { started: true });
  }
  if (connection.addonOff) return decide('facebook_addon_off');

  const going = goingOn(event, connection, context);
  const gone = going === null ? null : goOn(event, receivedAt, connection, going, standing, context);
  if (gone !== null) return gone;
  if (event.kind === 'button_tap') return decide('button_tap');
  return answerByAutomation(event, receivedAt, connection, standing, context);
}

/** The conversation that this message goes on with; null when it has nothing to do with any. */
function goingOn(
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
function goOn(
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
  // Her id in the conversation may be another than that of her comment (reference 3.2): from here on it is known.
  const conversation = { ...stored, personId: event.personId, conversation: moved.conversation };
  return { interaction, delivery, effects: { conversation, ...emailOf(moved, plan) } };
}

function emailOf({ email }: Move, { emailAsk, language }: Plan): Pick<Effects, 'email'> {
  if (email === null || emailAsk === null) return {};
  return { email: { address: email, wording: emailAsk.consent, language } };
}

function answerByAutomation(
  event: MessageEvent,
  receivedAt: Date,
  connection: EngineConnection,
  standing: Standing,
  context: DecidingContext,
): Decision {
  const skip = (reason: Reason, about: Partial<NewInteraction> = {}): Decision => ({
    interaction: { ...newInteraction(event, receivedAt, connection, context, reason), ...about },
    delivery: null,
  });
  const choice = chooseForMessage(event, connection, standing);
  if (choice.automation === null) {
    return skip(event.kind === 'direct_message' ? 'direct_message' : 'story_interaction');
  }
  const { automation } = choice;
  const matched = { automation_id: automation.id, matched_words: choice.matchedWords };
  if (connection.beingDeleted) return skip('being_deleted', matched);
  const expiresAt = windowAfter(event.at);
  if (expiresAt <= context.now) return skip('outside_window', matched);
  const mention = event.kind === 'story_mention';
  const silenced =
    silencedBecause(standing, context.now) ??
    (mention
      ? thankedLately(standing, context.now)
      : // Who writes for the first time in so long is answered, whatever came before.
        choice.how === 'any_comment'
        ? null
        : answeredLately(automation, event.personId, context));
  if (silenced !== null) return skip(silenced, matched);

  const turn = context.turnOf(connection, 'messages');
  const interaction = {
    ...newInteraction(
      event,
      receivedAt,
      connection,
      context,
      waitsBecause({ ...connection, queuePaused: false }, turn),
    ),
    ...matched,
    waiting_until: connection.paused ? null : turn,
  };
  const answer = answerTo(interaction, connection, choice, standing, context, {
    kind: 'message',
    lane: 'messages',
    recipient: event.personId,
    expiresAt,
    username: standing.username,
  });
  if (!mention) return answer;
  if (answer.delivery.content.step === undefined) {
    answer.delivery.content = { ...answer.delivery.content, reasonWhenSent: 'thanked' };
  }
  return { ...answer, effects: { ...answer.effects, thanked: true } };
}

/**
 * "Any message" on direct messages means her first one ever, or the first after she was silent for as long as the same
 * person is not answered again.
 */
function chooseForMessage(
  event: MessageEvent,
  connection: EngineConnection,
  standing: Standing,
): Choice<EngineAutomation> {
  if (event.kind === 'button_tap') return { automation: null, reason: 'no_automation' };
  const door = { trigger: event.kind, postId: event.storyId };
  const choice = connection.automations.choose(door, event.text);
  if (event.kind !== 'direct_message' || choice.automation === null || choice.how !== 'any_comment') return choice;
  const { repeatAfterMinutes } = choice.automation;
  const { lastWroteAt } = standing;
  const first =
    lastWroteAt === null ||
    (repeatAfterMinutes !== null && lastWroteAt.getTime() + repeatAfterMinutes * 60_000 <= event.at.getTime());
  return first ? choice : connection.automations.chooseByWords(door, event.text);
}

/** What keeps everything automatic from her; null when nothing does. */
function silencedBecause({ stopped, blocked, takenOverUntil }: Standing, now: Date): Reason | null {
  if (stopped) return 'stopped';
  if (blocked) return 'blocked';
  return takenOverUntil !== null && takenOverUntil > now ? 'taken_over' : null;
}

function thankedLately({ thankedAt }: Standing, now: Date): Reason | null {
  return thankedAt !== null && thankedAt.getTime() + THANKED_ONCE_IN_MS > now.getTime() ? 'thanked_lately' : null;
}

/** The cool-down holds over all doors: the same automation, or another one that leads to the same place. */
function answeredLately(automation: EngineAutomation, personId: string, context: DecidingContext): Reason | null {
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
function answerTo(
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
    personId: interaction.person_id,
    plan,
    conversation: begun.conversation,
  };
  const content = stepContent(plan, begun.say!, { ...composing, conversationId: id });
  return { interaction, delivery: delivery(id, content), effects: { conversation } };
}

/** A message whose link is broken waits while the creator wants it to: see server/engine/outcomes/holding.ts. */
export function holdBack({ interaction, delivery }: Decision, holding: ReadonlySet<string>, now: Date): void {
  if (delivery === null || !holding.has(delivery.automation_id ?? '')) return;
  const { content, lane, due_at, expires_at } = delivery;
  if (lane === 'live_replies' || !carriesLink(content)) return;
  delivery.held_from = due_at;
  delivery.due_at = heldUntil(now, expires_at);
  if (interaction.reason !== 'queued' && interaction.reason !== 'rate_limited') return;
  interaction.reason = 'link_broken';
  interaction.waiting_until = delivery.due_at;
}

/**
 * Until when a message can be held back that the platform takes until `expiresAt`: the last seventh of the time is for sending,
 * for a message whose link may work again later is worth more than none.
 */
export function heldUntil(now: Date, expiresAt: Date): Date {
  return new Date(expiresAt.getTime() - Math.max(0, expiresAt.getTime() - now.getTime()) / 7);
}

/** What follows a tap is only known when it is sent; it may be the link. */
function carriesLink({ step }: DeliveryContent): boolean {
  return step === undefined || step === 'next' || step === 'delivery' || step === 'follow_up';
}

/** Only top-level comments can be replied to [N/D/R]: an answer to a reply goes below its parent, by name. */
function publicReplyTo(
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

/** What follows a message once it is sent; null: nothing. */
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
  };
}

/** PostgreSQL holds neither NUL nor halves of surrogate pairs. */
function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '').toWellFormed() : text.toWellFormed();
}
