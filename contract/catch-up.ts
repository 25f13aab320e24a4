/** Replies to people who asked before an automation listened, or with a word it did not know. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, Id, Timestamp } from '#contract/shapes.ts';

/** Who asked in the last seven days and got nothing, each with their newest comment. */
export const CatchUpPreview = z.object({
  people: z.number(),
  /** Beyond these a second catch-up follows the first. */
  atMost: z.number(),
  /** When the last of them will have the message, after those who wait already; null: nobody knows. */
  doneAt: z.nullable(Timestamp),
  /** Of them, whose seven days end before their turn, and when the first is lost. */
  expiring: z.number(),
  firstExpiryAt: z.nullable(Timestamp),
  leftOut: z.object({
    /** They have this link, or wait for it. */
    haveIt: z.number(),
    /** They wrote STOP, you blocked them, or you are writing with them yourself. */
    unwanted: z.number(),
  }),
  /** Most people first, the first hundred. */
  posts: atMost(
    100,
    z.object({
      postId: z.string(),
      caption: z.nullable(z.string()),
      pictureUrl: z.nullable(z.string()),
      people: z.number(),
    }),
  ),
  /** The first message they get, with its variables; most people first, the first five automations. */
  messages: atMost(5, z.object({ people: z.number(), text: z.string(), buttons: atMost(3, z.string()) })),
  /** The first of them: whose seven days end first. */
  first: atMost(
    100,
    z.object({
      interactionId: Id,
      username: z.nullable(z.string()),
      text: z.string(),
      occurredAt: Timestamp,
      expiresAt: Timestamp,
      automationName: z.string(),
    }),
  ),
});
export type CatchUpPreview = z.infer<typeof CatchUpPreview>;

/** people = sent + waiting + failed + expired + cancelled. */
export const CatchUp = z.object({
  id: Id,
  postId: z.nullable(z.string()),
  people: z.number(),
  sent: z.number(),
  waiting: z.number(),
  failed: z.number(),
  expired: z.number(),
  cancelled: z.number(),
  startedAt: Timestamp,
  cancelledAt: z.nullable(Timestamp),
});
export type CatchUp = z.infer<typeof CatchUp>;

const PostId = z.string().check(z.maxLength(64));

export const previewCatchUp = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/catch-up',
  access: 'creator',
  personal: true,
  summary:
    'Preview a catch-up across posts: who asked in the last 7 days and got no message, and how long sending would take',
  params: CreatorParams,
  response: CatchUpPreview,
});

export const previewPostCatchUp = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/posts/:postId/catch-up',
  access: 'creator',
  refreshedBy: ['interactions', 'posts', 'automations'],
  personal: true,
  summary:
    'Preview a catch-up for one post: who asked in the last 7 days and got no message, and how long sending would take',
  params: z.object({ creatorId: Id, postId: PostId }),
  response: CatchUpPreview,
  errors: ['not_found'],
});

const Start = z.object({
  /** Made by the caller: the same id again is the same catch-up, not a second one. */
  batchId: Id,
});

export const startCatchUp = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/catch-up',
  access: 'creator',
  quotas: ['catch_ups'],
  summary: 'Send to everyone in the preview, across posts',
  params: CreatorParams,
  body: Start,
  response: CatchUp,
});

export const startPostCatchUp = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/posts/:postId/catch-up',
  access: 'creator',
  quotas: ['catch_ups'],
  summary: 'Send to everyone in this post’s preview',
  params: z.object({ creatorId: Id, postId: PostId }),
  body: Start,
  response: CatchUp,
  errors: ['not_found'],
});

const BatchParams = z.object({ creatorId: Id, batchId: Id });

export const getCatchUp = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/catch-up/:batchId',
  access: 'creator',
  summary: 'Progress of a catch-up',
  params: BatchParams,
  response: CatchUp,
  errors: ['not_found'],
});

export const cancelCatchUp = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/catch-up/:batchId/cancel',
  access: 'creator',
  summary: 'Cancel a catch-up’s unsent messages',
  params: BatchParams,
  response: CatchUp,
  errors: ['not_found'],
});

export const listMisses = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/posts/:postId/misses',
  access: 'creator',
  refreshedBy: ['interactions', 'posts', 'automations'],
  personal: true,
  summary: 'Words people commented in the last 7 days that no automation listens for; likely misspellings first',
  params: z.object({ creatorId: Id, postId: PostId }),
  response: z.object({
    items: atMost(
      100,
      z.object({
        word: z.string(),
        people: z.number(),
        /** Looks like one of the words that the post listens for. */
        resembles: z.nullable(z.string()),
        example: z.string(),
      }),
    ),
  }),
  errors: ['not_found'],
});
