/** Outgoing webhooks: other tools of the creator hear of what happens. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { InteractionKind } from '#contract/interactions.ts';
import { LINK_CHANNELS } from '#contract/link-channels.ts';
import { OutcomeStatus, Reason } from '#contract/outcomes.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { atMost, CreatorParams, Id, PageQuery, pageOf, Timestamp, WebLink } from '#contract/shapes.ts';

export const OutgoingType = z.enum(['interaction', 'delivery', 'contact', 'click', 'member']);
export type OutgoingType = z.infer<typeof OutgoingType>;

/**
 * Kinds of events that carry what people wrote, their names and addresses: making or changing an address that gets them
 * needs the permission `export`, like downloading the same.
 */
export const PERSONAL_TYPES: readonly OutgoingType[] = ['interaction', 'contact', 'member'];

/**
 * The header that proves where a request comes from: `t=1790000000,v1=5257a8…`. `v1` is HMAC-SHA256, in hex, of
 * `<t>.<body as it came>` with the endpoint's secret; `t` is in seconds since 1970. For 24 hours after a new secret was made
 * there are two `v1`, of the new and of the old one: take the request when either is right.
 */
export const SIGNATURE_HEADER = 'Creator-HQ-Signature';

const text = z.nullable(z.string());

/** Payloads by type. The same `id` may arrive twice: a receiver that answered too late is tried again. */
export const OUTGOING_DATA = {
  /** Somebody commented, wrote, replied to a story or tapped; with what was decided at once. */
  interaction: z.object({
    id: Id,
    kind: InteractionKind,
    connectionId: Id,
    postId: text,
    personId: z.string(),
    username: text,
    text: z.string(),
    occurredAt: Timestamp,
    outcome: OutcomeStatus,
    reason: Reason,
    automationId: z.nullable(Id),
  }),
  /** A message came to its end: sent, or not any more. */
  delivery: z.object({
    id: Id,
    interactionId: Id,
    automationId: z.nullable(Id),
    connectionId: Id,
    kind: z.enum(['private_reply', 'message', 'public_reply']),
    state: z.enum(['sent', 'failed', 'expired', 'cancelled']),
    text,
    /** Which wording, where several are compared */
    variant: text,
    failure: text,
    finishedAt: z.nullable(Timestamp),
  }),
  /**
   * Somebody new (`new`), somebody gave their address (`email`), or saved a recipe on the blog (`saved`: which page); or what
   * became of their newsletter.
   */
  contact: z.object({
    change: z.enum(['new', 'email', 'saved', 'confirmed', 'unsubscribed', 'bounced', 'complained']),
    connectionId: z.nullable(Id),
    personId: text,
    username: text,
    email: text,
    contactId: z.optional(Id),
    url: z.optional(z.string()),
    title: z.optional(z.string()),
  }),
  /** A person, no previewer, tapped a link. */
  click: z.object({
    id: Id,
    url: z.string(),
    deliveryId: z.nullable(Id),
    automationId: z.nullable(Id),
    /** `list`: a shopping list was opened; `shop`: somebody went on to a shop. */
    what: z.optional(z.enum(['followed', 'list', 'shop'])),
    /** Where the link stood, as its address says. */
    channel: z.optional(z.nullable(z.enum(LINK_CHANNELS))),
    /** Id of the shop; null: of none. */
    shop: z.optional(z.nullable(z.string())),
    clickedAt: Timestamp,
  }),
  /** A reader became a member, pays on or not, or is one no longer. */
  member: z.object({
    change: z.enum(['joined', 'renewed', 'late', 'mended', 'canceled', 'kept', 'changed', 'refunded', 'over']),
    contactId: Id,
    email: text,
    tier: z.string(),
    /** What was paid for; null: nothing. */
    paidUntil: z.nullable(Timestamp),
  }),
} as const satisfies Record<OutgoingType, z.ZodMiniType>;

/** The body of every request. `test` carries nothing but a greeting. */
export const outgoingBody = (type: OutgoingType) =>
  z.object({ id: Id, type: z.literal(type), creatorId: Id, happenedAt: Timestamp, data: OUTGOING_DATA[type] });

const Types = z.array(OutgoingType).check(z.minLength(1, 'Choose at least one event.'), z.maxLength(5));

export const OutgoingEndpoint = z.object({
  id: Id,
  url: z.string(),
  types: atMost(5, OutgoingType),
  createdAt: Timestamp,
  /** The name of who added it, or answers for it since that person was removed; null: no longer in the team. */
  createdBy: z.nullable(z.string()),
  on: z.boolean(),
  /** Why it is off, in words; null while it is on, or when somebody switched it off. */
  offBecause: z.nullable(z.string()),
  failingSince: z.nullable(Timestamp),
  lastDeliveredAt: z.nullable(Timestamp),
  /** Until then requests carry a second signature, with the secret of before; null: there was none, or it ended. */
  oldSecretUntil: z.nullable(Timestamp),
});
export type OutgoingEndpoint = z.infer<typeof OutgoingEndpoint>;

export const listEndpoints = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/outgoing-webhooks',
  access: 'creator',
  summary: 'Outgoing webhooks and whether they work',
  params: CreatorParams,
  response: z.object({ items: atMost(QUOTAS.webhooks.most, OutgoingEndpoint) }),
});

export const addEndpoint = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/outgoing-webhooks',
  access: 'creator',
  needs: 'api_key',
  quotas: ['webhooks'],
  makes: true,
  summary: 'Add a webhook. Interaction and contact events require export permission. The secret is shown only once',
  params: CreatorParams,
  body: z.object({ url: WebLink, types: Types }),
  response: z.extend(OutgoingEndpoint, { secret: z.string() }),
  errors: ['invalid_input', 'not_allowed'],
});

const EndpointParams = z.object({ creatorId: Id, endpointId: Id });

export const changeEndpoint = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/outgoing-webhooks/:endpointId',
  access: 'creator',
  needs: 'api_key',
  summary:
    'Change a webhook’s URL and events, or turn it on or off. Interaction and contact events require export permission',
  params: EndpointParams,
  body: z.object({ url: WebLink, types: Types, on: z.boolean() }),
  response: OutgoingEndpoint,
  errors: ['invalid_input', 'not_found', 'not_allowed'],
});

export const changeSecret = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/outgoing-webhooks/:endpointId/secret',
  access: 'creator',
  needs: 'api_key',
  summary: 'Create a new signing secret. It is shown only once; the old one keeps signing for 24 hours',
  params: EndpointParams,
  response: z.extend(OutgoingEndpoint, { secret: z.string() }),
  errors: ['not_found', 'not_allowed'],
});

export const removeEndpoint = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/outgoing-webhooks/:endpointId',
  access: 'creator',
  needs: 'api_key',
  summary: 'Remove a webhook and its log',
  params: EndpointParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});

export const sendTestEvent = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/outgoing-webhooks/:endpointId/test',
  access: 'creator',
  needs: 'api_key',
  quotas: ['test_events'],
  summary: 'Send an event of type `test`',
  params: EndpointParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'not_possible_now'],
});

export const OutgoingEvent = z.object({
  id: Id,
  type: z.enum([...OutgoingType.options, 'test']),
  happenedAt: Timestamp,
  state: z.enum(['queued', 'delivered', 'failed']),
  /** When it is tried next; null when it is not. */
  nextTryAt: z.nullable(Timestamp),
  tries: atMost(
    50,
    z.object({
      at: Timestamp,
      /** The receiver's HTTP status; null when there was no answer. */
      status: z.nullable(z.number()),
      /** The error in words. */
      error: z.nullable(z.string()),
      ms: z.number(),
    }),
  ),
});

export const listEvents = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/outgoing-webhooks/:endpointId/events',
  access: 'creator',
  summary: 'A webhook’s log, newest first; kept for 30 days',
  params: EndpointParams,
  query: z.object({ ...PageQuery, state: z.optional(z.enum(['queued', 'delivered', 'failed'])) }),
  response: pageOf(OutgoingEvent),
  errors: ['not_found'],
});

export const redeliver = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/outgoing-webhooks/:endpointId/events/:eventId/redeliver',
  access: 'creator',
  needs: 'api_key',
  summary: 'Send an event again',
  params: z.object({ creatorId: Id, endpointId: Id, eventId: Id }),
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'not_possible_now'],
});
