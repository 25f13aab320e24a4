/** Posts and reels of the connected accounts. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, Id, PageQuery, pageOf, ShownWords, Timestamp } from '#contract/shapes.ts';

/**
 * `comments` is what people wrote: comments = sent + waiting + failed + expired + missed +
 * noKeyword + notSent. `instagramCounts` is
 * Instagram's own number, and both meet: instagramCounts = comments + own - since - deleted + hidden + earlier.
 */
export const Reconciliation = z.object({
  instagramCounts: z.nullable(z.number()),
  countedAt: z.nullable(Timestamp),
  comments: z.number(),
  /** The account's own comments, our public replies among them: Instagram counts them too. */
  own: z.number(),
  /** Of those: no webhook told of them, our reading of the post found them. */
  found: z.number(),
  /** Instagram counts them and shows them to no app: filtered words, restricted people. Null: not read to the first comment yet. */
  hidden: z.nullable(z.number()),
  /** Counted by Instagram, from before our time or hidden. */
  earlier: z.number(),
  /** Seen, and deleted since. */
  deleted: z.number(),
  /** Seen after Instagram counted. */
  since: z.number(),
  matched: z.number(),
  sent: z.number(),
  waiting: z.number(),
  waitingUntil: z.nullable(Timestamp),
  failed: z.number(),
  expired: z.number(),
  missed: z.number(),
  noKeyword: z.number(),
  /** Skipped for another reason: blocked, answered before … */
  notSent: z.number(),
  failures: atMost(50, z.object({ reason: z.string(), says: z.string(), count: z.number() })),
  opened: z.number(),
  clicked: z.number(),
});

export const Post = z.object({
  id: z.string(),
  connectionId: Id,
  caption: z.string(),
  mediaType: z.nullable(z.string()),
  productType: z.nullable(z.string()),
  permalink: z.nullable(z.string()),
  pictureUrl: z.nullable(z.string()),
  postedAt: Timestamp,
  /** Instagram's own number of comments */
  instagramCounts: z.nullable(z.number()),
  likeCount: z.nullable(z.number()),
  gone: z.boolean(),
  /** `on`: an automation answers; `off`: there is one, switched off; `none`. */
  automation: z.enum(['on', 'off', 'none']),
  automationWords: ShownWords,
  /** The word that the caption asks followers to write; null: it asks for none. */
  asksFor: z.nullable(z.string()),
  /** Comments people wrote, without the account's own */
  comments: z.number(),
  matched: z.number(),
  sent: z.number(),
  waiting: z.number(),
  failed: z.number(),
});
export type Post = z.infer<typeof Post>;

export const listPosts = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/posts',
  access: 'creator',
  refreshedBy: ['interactions', 'posts', 'automations'],
  summary: 'Posts and reels, newest or most commented first; search in captions',
  params: CreatorParams,
  query: z.object({
    ...PageQuery,
    search: z.optional(z.string().check(z.trim(), z.maxLength(200))),
    /** `asks`: the caption asks for a word and nothing replies. */
    automation: z.optional(z.enum(['on', 'off', 'none', 'asks'])),
    kind: z.optional(z.enum(['reel', 'post'])),
    /** By when they went up, or by comments, the most first; where there are none yet, by Instagram’s number. */
    sort: z.optional(z.enum(['newest', 'comments'])),
  }),
  response: z.extend(pageOf(Post), { total: z.number(), syncedAt: z.nullable(Timestamp) }),
});

const PostParams = z.object({ creatorId: Id, postId: z.string().check(z.maxLength(64)) });

/** How long comments on a post are answered again after `testPost`. */
export const TEST_LASTS_MINUTES = 10;

export const testPost = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/posts/:postId/test',
  access: 'creator',
  summary:
    'Start or end a live test: for 10 minutes, people who already got the message get it again when they comment',
  params: PostParams,
  body: z.object({ open: z.boolean() }),
  response: z.object({ until: z.nullable(Timestamp) }),
  errors: ['not_found'],
});

export const getPost = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/posts/:postId',
  access: 'creator',
  refreshedBy: ['interactions', 'posts', 'automations'],
  summary: 'One post with its comment counts and the keywords its caption suggests',
  params: PostParams,
  response: z.extend(Post, { reconciliation: Reconciliation, suggestedWords: atMost(50, z.string()) }),
  errors: ['not_found'],
});

export const syncPosts = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/posts/sync',
  access: 'creator',
  summary: 'Sync posts and figures from Instagram and Facebook now',
  params: CreatorParams,
  response: z.object({ added: z.number(), updated: z.number() }),
  errors: ['not_connected', 'needs_reconnect', 'platform_unreachable'],
});
