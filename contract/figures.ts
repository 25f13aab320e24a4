/** HQ home: figures, first steps. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { CreatorParams, Timestamp } from '#contract/shapes.ts';

const Figures = z.object({
  comments: z.number(),
  matched: z.number(),
  sent: z.number(),
  opened: z.number(),
  clicked: z.number(),
});

export const getHome = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/home',
  access: 'creator',
  summary: 'Figures of the last seven days, the queue, and the first steps still open',
  params: CreatorParams,
  response: z.object({
    week: Figures,
    weekBefore: Figures,
    /** Oldest first, one per day of the last seven, in UTC. */
    days: z.array(z.object({ day: z.iso.date(), comments: z.number(), sent: z.number() })),
    queue: z.object({
      waiting: z.number(),
      doneAt: z.nullable(Timestamp),
      nextExpiryAt: z.nullable(Timestamp),
      paused: z.boolean(),
    }),
    steps: z.array(z.object({ id: z.enum(['connect', 'automation', 'test', 'first_reply']), done: z.boolean() })),
  }),
});
