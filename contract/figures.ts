/**
 * Figures: of a post, an automation or the account by day, and of wordings tried side by side. Days are the creator's, and
 * comments are what people wrote: without the account's own and our public replies.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, Id, Timestamp } from '#contract/shapes.ts';

export const Figures = z.object({
  comments: z.number(),
  /** Had a keyword, answered or not */
  matched: z.number(),
  sent: z.number(),
  opened: z.number(),
  clicked: z.number(),
});

const DayFigures = z.extend(Figures, {
  /** Followers who gave an e-mail address */
  addresses: z.number(),
});

/** The followers who wrote on a day, and what came of it, also later. */
export const getFigures = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/figures',
  access: 'creator',
  summary: 'Results by day for an automation, a post or the whole account; 30 days by default',
  params: CreatorParams,
  query: z.object({
    automationId: z.optional(Id),
    postId: z.optional(z.string().check(z.maxLength(64))),
    /** The first and the last day; at most 366 days. */
    from: z.optional(z.iso.date()),
    to: z.optional(z.iso.date()),
  }),
  response: z.object({
    total: DayFigures,
    /** Oldest first, none left out */
    days: atMost(366, z.extend(DayFigures, { day: z.iso.date() })),
    /** The whole account over the same days: what is usual there. */
    usual: Figures,
  }),
  errors: ['invalid_input'],
});

/** Tables for spreadsheets. Full-page navigations; filters as in the lists. */
export const FIGURES_CSV_PATH = (creatorId: string) => `/api/v1/creators/${creatorId}/figures.csv`;
export const INTERACTIONS_CSV_PATH = (creatorId: string) => `/api/v1/creators/${creatorId}/interactions.csv`;
export const MEMBERS_CSV_PATH = (creatorId: string) => `/api/v1/creators/${creatorId}/members.csv`;
export const MONEY_CSV_PATH = (creatorId: string) => `/api/v1/creators/${creatorId}/members-money.csv`;
export const CONTACTS_CSV_PATH = (creatorId: string) => `/api/v1/creators/${creatorId}/contacts.csv`;

/** Wordings of one message, tried side by side. */
export const Comparison = z.object({
  wordings: atMost(
    5,
    z.object({
      /** `a` is the automation's own text. */
      id: z.string(),
      text: z.string(),
      /** Who got it, and how many of them tapped a link */
      people: z.number(),
      clicked: z.number(),
      /** Where the true share of people who tap lies, with 95 % confidence. */
      low: z.number(),
      high: z.number(),
    }),
  ),
  /**
   * - `too_few`: too few people got one of the wordings to say anything.
   * - `not_sure`: the difference may be chance.
   * - `decided`: everybody gets the winner now.
   */
  state: z.enum(['too_few', 'not_sure', 'decided']),
  winner: z.nullable(z.string()),
  decidedAt: z.nullable(Timestamp),
  /** People per wording at which it is looked at next. */
  needed: z.number(),
});
export type Comparison = z.infer<typeof Comparison>;

const WordingsParams = z.object({ creatorId: Id, automationId: Id });

export const getComparison = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/automations/:automationId/wordings',
  access: 'creator',
  refreshedBy: ['interactions', 'automations'],
  summary: 'How the versions of an automation’s message compare',
  params: WordingsParams,
  response: Comparison,
  errors: ['not_found'],
});

export const compareAgain = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/automations/:automationId/wordings/compare-again',
  access: 'creator',
  summary: 'Restart the comparison of message versions; they’re sent in rotation again',
  params: WordingsParams,
  response: Comparison,
  errors: ['not_found', 'not_possible_now'],
});
