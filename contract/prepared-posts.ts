/** Automations made before their post, captions that ask for another word, old posts that wake up, and replays. */
import * as z from 'zod/mini';
import { AutomationInput } from '#contract/automations.ts';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, Id, ShownWords, Timestamp } from '#contract/shapes.ts';

const PostId = z.string().check(z.minLength(1), z.maxLength(64));

const PostView = z.object({
  id: z.string(),
  caption: z.string(),
  pictureUrl: z.nullable(z.string()),
  permalink: z.nullable(z.string()),
  postedAt: Timestamp,
});

export const PreparedPost = z.object({
  automationId: Id,
  name: z.string(),
  connectionId: Id,
  /** The posts it was made for: the `next` post, or posts whose `caption` has one of `captionWords`. */
  preparedFor: z.enum(['next', 'caption']),
  /** `asks`: several posts or automations fit and `candidates` says which; `off`: it waits once it is switched on. */
  state: z.enum(['off', 'waiting', 'asks', 'attached']),
  words: ShownWords,
  captionWords: ShownWords,
  switchedOnAt: z.nullable(Timestamp),
  /** Newest first, at most 20. */
  attached: atMost(20, z.extend(PostView, { attachedAt: Timestamp })),
  candidates: atMost(100, PostView),
  /** Older posts whose caption fits too, at most 5: attached only when the creator says so. */
  olderPosts: atMost(5, PostView),
});
export type PreparedPost = z.infer<typeof PreparedPost>;

export const listPreparedPosts = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/prepared-posts',
  access: 'creator',
  refreshedBy: ['posts', 'automations'],
  summary: 'Up to 100 automations set up before their post: waiting, asking which post, or attached',
  params: CreatorParams,
  response: z.object({ items: atMost(100, PreparedPost) }),
});

const PreparedParams = z.object({ creatorId: Id, automationId: Id });

export const attachPreparedPost = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/prepared-posts/:automationId/attach',
  access: 'creator',
  summary: 'Attach a prepared automation to a post; earlier comments don’t get a reply',
  params: PreparedParams,
  body: z.object({ postId: PostId }),
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'not_possible_now'],
});

export const detachPreparedPost = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/prepared-posts/:automationId/detach',
  access: 'creator',
  summary: 'Detach the automation from a post, or turn down the suggested ones; it keeps waiting',
  params: PreparedParams,
  /** Of an automation for captions with several posts: which. */
  body: z.object({ postId: z.optional(PostId) }),
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'not_possible_now'],
});

export const CaptionWarning = z.object({
  automationId: Id,
  name: z.string(),
  words: ShownWords,
  /** The word that the caption asks for and nobody listens for there. */
  asked: z.string(),
  post: PostView,
});
export type CaptionWarning = z.infer<typeof CaptionWarning>;

export const listCaptionWarnings = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/caption-warnings',
  access: 'creator',
  refreshedBy: ['posts', 'automations'],
  summary: 'Posts whose caption asks for a keyword that none of their automations has',
  params: CreatorParams,
  query: z.object({ postId: z.optional(PostId) }),
  response: z.object({ items: atMost(100, CaptionWarning) }),
});

export const WakingPost = z.object({
  post: PostView,
  foundAt: Timestamp,
  /** In the last three hours, beside what three hours usually bring. */
  comments: z.number(),
  usual: z.number(),
  /** Of those, how many seem to ask for something. */
  asking: z.number(),
  /** Prepared automations that still wait and could be attached. */
  prepared: atMost(100, z.object({ automationId: Id, name: z.string() })),
});
export type WakingPost = z.infer<typeof WakingPost>;

export const listWakingPosts = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/waking-posts',
  access: 'creator',
  refreshedBy: ['posts', 'automations'],
  summary: 'Older posts without an automation that are getting comments again',
  params: CreatorParams,
  response: z.object({ items: atMost(100, WakingPost) }),
});

export const dismissWakingPost = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/waking-posts/:postId/dismiss',
  access: 'creator',
  summary: 'Stop mentioning this post for now',
  params: z.object({ creatorId: Id, postId: PostId }),
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});

const ReplayedComment = z.object({
  id: Id,
  text: z.string(),
  username: z.nullable(z.string()),
  postId: z.nullable(z.string()),
  at: Timestamp,
});

export const replayAutomation = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/automations/replay',
  access: 'creator',
  summary: 'Simulate a draft against recent comments; nothing is sent',
  params: CreatorParams,
  body: z.object({
    draft: z.extend(AutomationInput, { id: z.nullable(Id) }),
    days: z.int().check(z.minimum(1), z.maximum(7)),
  }),
  response: z.object({
    /** How many comments were read: of the draft's post, or of the whole account where it names none. */
    comments: z.number(),
    /** There were more; the newest were read. */
    capped: z.boolean(),
    wouldMatch: z.object({
      count: z.number(),
      people: z.number(),
      examples: atMost(100, z.extend(ReplayedComment, { matchedWords: ShownWords, how: z.string() })),
    }),
    /** A guess: comments that nobody answers and that look like asking. `words`: what they wrote, counted. */
    wouldMiss: z.object({
      count: z.number(),
      examples: atMost(100, z.extend(ReplayedComment, { why: z.string() })),
      words: atMost(100, z.object({ word: z.string(), count: z.number() })),
    }),
    /** A guess: matches in comments that look like no request. */
    falseAlarms: z.object({
      count: z.number(),
      examples: atMost(100, z.extend(ReplayedComment, { why: z.string() })),
    }),
    /** Others that want the same comments; `winner` answers them. */
    clashes: atMost(
      100,
      z.object({
        automationId: Id,
        name: z.string(),
        winner: z.enum(['this', 'other']),
        count: z.number(),
        examples: atMost(100, z.string()),
      }),
    ),
  }),
  errors: ['invalid_input', 'not_found'],
});
