/** HQ home: what some days brought, the queue, and the first steps still open. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Figures } from '#contract/figures.ts';
import { OutcomeStatus, Reason } from '#contract/outcomes.ts';
import { atMost, CreatorParams, Timestamp } from '#contract/shapes.ts';

/** How many of the creator's days home can show, today the last of them. */
export const HOME_DAYS = [7, 30, 90] as const;

export const getHome = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/home',
  access: 'creator',
  refreshedBy: ['interactions', 'posts', 'connections', 'automations', 'account'],
  summary: 'Results of the last 7, 30 or 90 days, the queue, and the first steps still to do',
  params: CreatorParams,
  query: z.object({
    days: z._default(z.coerce.number().check(z.refine((days) => HOME_DAYS.includes(days as 7))), 7),
  }),
  response: z.object({
    /** The first and the last day; the last is the creator's today. */
    from: z.iso.date(),
    to: z.iso.date(),
    figures: Figures,
    /** As many days before these. */
    before: Figures,
    /** Oldest first, none left out. */
    days: atMost(90, z.extend(Figures, { day: z.iso.date() })),
    /** Posts with the most comments in these days. */
    topPosts: atMost(5, z.extend(Figures, { id: z.string(), caption: z.string(), pictureUrl: z.nullable(z.string()) })),
    /** Outcomes of the comments with reasons, most frequent first; they add up to `figures.comments`. */
    outcomes: atMost(100, z.object({ outcome: OutcomeStatus, reason: Reason, says: z.string(), count: z.number() })),
    queue: z.object({
      waiting: z.number(),
      doneAt: z.nullable(Timestamp),
      nextExpiryAt: z.nullable(Timestamp),
      paused: z.boolean(),
    }),
    /** Somebody has commented since the account was connected. */
    begun: z.boolean(),
    /** The first follower got a link, and nobody has been told yet. */
    celebrates: z.boolean(),
    steps: atMost(4, z.object({ id: z.enum(['connect', 'automation', 'test', 'first_reply']), done: z.boolean() })),
  }),
});

export const seeFirstLink = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/home/first-link-seen',
  access: 'creator',
  summary: 'Dismiss the notice that the first follower got a link',
  params: CreatorParams,
  response: z.object({ message: z.string() }),
});
