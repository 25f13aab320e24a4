/** Two automations that want the same comment: the ways to decide. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Id } from '#contract/shapes.ts';

/** "Here" is the automation named in the path, "there" the other one. */
export const ClashAnswer = z.enum(['answer_here', 'answer_there', 'remove_here', 'remove_there']);
export type ClashAnswer = z.infer<typeof ClashAnswer>;

export const resolveClash = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/automations/:automationId/clash',
  access: 'creator',
  summary: 'Resolve two automations with the same keyword: choose which one replies, or remove the keyword from one',
  params: z.object({ creatorId: Id, automationId: Id }),
  body: z.object({
    otherId: Id,
    how: ClashAnswer,
    /** To be dropped with `remove_…`: words as the clash names them. */
    words: z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(100)),
  }),
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'not_possible_now'],
});
