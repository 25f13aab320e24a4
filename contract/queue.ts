/** The queue of messages that wait for the platform's limit, and the creator's hand on it. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { atMost, CreatorParams, Id, PageQuery, pageOf, Timestamp } from '#contract/shapes.ts';

/** Reasons that hold up the whole queue; `rate_limited` and `barred` end at `until`, the others when somebody acts. */
export const HoldUp = z.enum([
  'paused_by_you',
  'needs_reconnect',
  'platform_paused',
  'barred',
  'rate_limited',
  'setting',
]);
export type HoldUp = z.infer<typeof HoldUp>;

export const Queue = z.object({
  connectionId: Id,
  platform: z.enum(['instagram', 'facebook']),
  username: z.string(),
  waiting: z.number(),
  /** Messages an hour at the moment, and what the platform allows. */
  perHour: z.number(),
  platformPerHour: z.number(),
  /** When the last one will have gone out; null: nobody knows. */
  doneAt: z.nullable(Timestamp),
  heldUp: z.nullable(z.object({ by: HoldUp, says: z.string(), until: z.nullable(Timestamp) })),
  /** People whose seven days end before their turn comes, as it looks now, and when the first of them is lost. */
  expiring: z.number(),
  firstExpiryAt: z.nullable(Timestamp),
  /** Most waiting first, the first hundred. */
  posts: atMost(
    100,
    z.object({
      /** Null: of no post that we know. */
      postId: z.nullable(z.string()),
      caption: z.nullable(z.string()),
      pictureUrl: z.nullable(z.string()),
      waiting: z.number(),
      doneAt: z.nullable(Timestamp),
      expiring: z.number(),
    }),
  ),
  control: z.object({
    paused: z.boolean(),
    slowedToPercent: z.nullable(z.number()),
    slowedUntil: z.nullable(Timestamp),
    /** `deadline`: whose seven days end first. */
    order: z.enum(['deadline', 'newest']),
    firstPostId: z.nullable(z.string()),
  }),
  /** When this was worked out. */
  madeAt: Timestamp,
});
export type Queue = z.infer<typeof Queue>;

export const listQueues = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/queue',
  access: 'creator',
  summary: 'Messages waiting for rate limits, by account and post: when they’ll be sent, and whose would expire first',
  params: CreatorParams,
  response: z.object({ items: atMost(QUOTAS.connections.most, Queue) }),
});

const QueueParams = z.object({ creatorId: Id, connectionId: Id });

export const controlQueue = endpoint({
  method: 'PATCH',
  path: '/creators/:creatorId/queue/:connectionId',
  access: 'creator',
  summary: 'Pause, resume or slow down an account’s queue, or change its order',
  params: QueueParams,
  body: z.object({
    paused: z.optional(z.boolean()),
    /** A share of the platform’s rate for some time; null: full speed. */
    slow: z.optional(
      z.nullable(
        z.object({
          toPercent: z.number().check(z.int(), z.minimum(1), z.maximum(99)),
          minutes: z.number().check(z.int(), z.minimum(1), z.maximum(7 * 24 * 60)),
        }),
      ),
    ),
    order: z.optional(z.enum(['deadline', 'newest'])),
    firstPostId: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
  }),
  response: Queue,
  errors: ['not_found', 'invalid_input'],
});

export const listExpiring = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/queue/:connectionId/expiring',
  access: 'creator',
  personal: true,
  summary: 'People whose message would expire before it can be sent, soonest first',
  params: QueueParams,
  query: z.object(PageQuery),
  response: z.extend(
    pageOf(
      z.object({
        interactionId: Id,
        postId: z.nullable(z.string()),
        username: z.nullable(z.string()),
        text: z.string(),
        expiresAt: Timestamp,
      }),
    ),
    { total: z.number() },
  ),
  errors: ['not_found'],
});
