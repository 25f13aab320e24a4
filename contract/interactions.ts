/** Interactions with their outcomes: the activity list, a post's list, one person's story. */
import * as z from 'zod/mini';
import { endpoint, LIVE_EVENTS } from '#contract/endpoint.ts';
import { OutcomeFilter, OutcomeStatus, Reason } from '#contract/outcomes.ts';
import { atMost, CreatorParams, Id, PageQuery, pageOf, ShownWords, Timestamp } from '#contract/shapes.ts';

export const InteractionKind = z.enum([
  'comment',
  'live_comment',
  'story_reply',
  'story_mention',
  'direct_message',
  'button_tap',
]);

export const Delivery = z.object({
  id: Id,
  kind: z.enum(['private_reply', 'message', 'public_reply']),
  state: z.enum(['queued', 'sending', 'sent', 'failed', 'expired', 'cancelled']),
  /** The text the follower reads. */
  text: z.string(),
  /** Without an address: a tap that answers us. */
  buttons: atMost(10, z.object({ title: z.string(), url: z.nullable(z.string()) })),
  dueAt: Timestamp,
  expiresAt: Timestamp,
  sentAt: z.nullable(Timestamp),
  readAt: z.nullable(Timestamp),
  clickedAt: z.nullable(Timestamp),
  failure: z.nullable(z.string()),
});

/** One row of every list of what happened ("the outcome line"). */
export const Interaction = z.object({
  id: Id,
  kind: InteractionKind,
  connectionId: Id,
  postId: z.nullable(z.string()),
  postPictureUrl: z.nullable(z.string()),
  personId: z.string(),
  username: z.nullable(z.string()),
  text: z.string(),
  occurredAt: Timestamp,
  receivedAt: Timestamp,
  outcome: OutcomeStatus,
  reason: Reason,
  /** The reason as a sentence, with times filled in. */
  says: z.string(),
  remedy: z.nullable(z.string()),
  waitingUntil: z.nullable(Timestamp),
  /** Answered again because the creator was testing the post; figures count it as already answered. */
  isTest: z.boolean(),
  automationId: z.nullable(Id),
  automationName: z.nullable(z.string()),
  matchedWords: ShownWords,
  sentAt: z.nullable(Timestamp),
  readAt: z.nullable(Timestamp),
  clickedAt: z.nullable(Timestamp),
});
export type Interaction = z.infer<typeof Interaction>;

export const listInteractions = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/interactions',
  access: 'creator',
  refreshedBy: ['interactions'],
  personal: true,
  summary: 'Activity, newest first; filter by post, contact, outcome or handle',
  params: CreatorParams,
  query: z.object({
    ...PageQuery,
    postId: z.optional(z.string().check(z.maxLength(64))),
    personId: z.optional(z.string().check(z.maxLength(64))),
    automationId: z.optional(Id),
    kind: z.optional(InteractionKind),
    outcome: z.optional(OutcomeFilter),
    /** Beginning of a handle, with or without the @. */
    handle: z.optional(z.string().check(z.trim(), z.maxLength(64))),
    /** `followers` (default) leaves out the account's own comments; `all` shows them. */
    from: z.optional(z.enum(['followers', 'all'])),
  }),
  response: pageOf(Interaction),
});

/** Actions the creator can take for this person now, decided by Meta's rules. */
export const Help = z.object({
  /** In plain words: what most likely happened. */
  likely: z.string(),
  action: z.enum(['resend_private_reply', 'send_message', 'wait', 'ask_to_comment', 'nothing']),
  /** In plain words: what the button does, or what the follower must do. */
  advice: z.string(),
});

export const getInteraction = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/interactions/:interactionId',
  access: 'creator',
  refreshedBy: ['interactions'],
  personal: true,
  summary: 'One interaction with every message sent and what you can do now',
  params: z.object({ creatorId: Id, interactionId: Id }),
  response: z.extend(Interaction, { deliveries: atMost(100, Delivery), help: Help }),
  errors: ['not_found'],
});

/** Send it again in the one way that Meta's rules allow (see `help.action`). */
export const resend = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/interactions/:interactionId/resend',
  access: 'creator',
  quotas: ['resent'],
  makes: true,
  summary: 'Resend the link to someone who didn’t get it, where Instagram allows it',
  params: z.object({ creatorId: Id, interactionId: Id }),
  response: Interaction,
  errors: ['not_found', 'not_possible_now', 'needs_reconnect'],
});

/** Something changed; the browser asks again for what it shows. Sent as server-sent events. */
export const LiveEvent = z.object({
  what: z.enum(LIVE_EVENTS),
  postIds: z.optional(atMost(1000, z.string())),
});
export type LiveEvent = z.infer<typeof LiveEvent>;

export const live = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/live',
  access: 'creator',
  summary: 'Live updates as server-sent events, at most a few per second',
  params: CreatorParams,
  response: LiveEvent,
  stream: true,
});
