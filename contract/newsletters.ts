/**
 * The newsletter: one email to many, as everybody gets it who said yes, or a segment of them; corrections go to whoever saved a
 * recipe. What an email looks like is its own design, made from the live template of its kind; the endpoints of
 * `email-templates.ts` show it and send a test.
 */
import * as z from 'zod/mini';
import { EmailDesign } from '#contract/email-templates.ts';
import { endpoint } from '#contract/endpoint.ts';
import { ToolName } from '#contract/newsletter-tools.ts';
import { SegmentText } from '#contract/segments.ts';
import { atMost, CreatorParams, Id, PageQuery, pageOf, Timestamp, WebLink } from '#contract/shapes.ts';

/** Names the type of its template, too. */
export const BroadcastKind = z.enum(['broadcast', 'digest', 'correction']);
export type BroadcastKind = z.infer<typeof BroadcastKind>;

/**
 * - `draft`: nobody gets it yet.
 * - `scheduled`: it begins at `sendAt`, and can be taken back until then.
 * - `gathering`: its readers are being found; the first ones have it already.
 * - `paused`: by somebody, or by itself; `because` says why.
 */
export const BroadcastState = z.enum(['draft', 'scheduled', 'gathering', 'sending', 'paused', 'done', 'cancelled']);
export type BroadcastState = z.infer<typeof BroadcastState>;

/** Between pressing send and the first email. */
export const HOLD_SECONDS = 60;

/** Every email is waiting, left out or sent; of those sent, what became of them. */
export const BroadcastFigures = z.object({
  total: z.int(),
  waiting: z.int(),
  /** Not sent: they unsubscribed meanwhile, their address is shut, or it was cancelled. */
  leftOut: z.int(),
  sent: z.int(),
  bounced: z.int(),
  complained: z.int(),
  unsubscribed: z.int(),
  /** People who followed a link of it. */
  clicked: z.int(),
});
export type BroadcastFigures = z.infer<typeof BroadcastFigures>;

const FACTS = {
  id: Id,
  kind: BroadcastKind,
  state: BroadcastState,
  /** Counts every change of what it says or who gets it. */
  version: z.int(),
  subject: z.string(),
  /** Null: everybody who said yes; of a correction, everybody who saved the recipe. */
  segment: z.nullable(z.string()),
  /** Of a correction. */
  recipeId: z.nullable(Id),
  /** Why it paused, or is a draft again, in a sentence. */
  because: z.nullable(z.string()),
  /** A collaborator asked owners to send it. */
  asked: z.nullable(z.object({ by: z.string(), at: Timestamp })),
  changedBy: z.string(),
  changedAt: Timestamp,
  sendAt: z.nullable(Timestamp),
  finishedAt: z.nullable(Timestamp),
  /** Its domain is new to mail services, so `aDay` newsletters leave a day, and the next ones at `nextAt`. */
  slowed: z.nullable(z.object({ aDay: z.int(), nextAt: Timestamp })),
  /** Counted every few seconds while it is sent. */
  figures: BroadcastFigures,
};
export const BroadcastSummary = z.object(FACTS);
export type BroadcastSummary = z.infer<typeof BroadcastSummary>;
export const Broadcast = z.object({
  ...FACTS,
  design: EmailDesign,
  /** Where the most people went from it. */
  topLinks: atMost(5, z.object({ url: z.string(), clicked: z.int() })),
});
export type Broadcast = z.infer<typeof Broadcast>;

const BroadcastParams = z.object({ creatorId: Id, broadcastId: Id });
const ACCESS = { access: 'creator' } as const;
const Seen = z.object({ version: z.int() });

export const listBroadcasts = endpoint({
  ...ACCESS,
  method: 'GET',
  path: '/creators/:creatorId/broadcasts',
  summary: 'Newsletters, the last changed first',
  refreshedBy: ['account'],
  params: CreatorParams,
  query: z.object(PageQuery),
  response: pageOf(BroadcastSummary),
  errors: ['invalid_input'],
});

export const createBroadcast = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/broadcasts',
  summary: 'Begin a newsletter with the live template',
  makes: true,
  quotas: ['broadcasts'],
  params: CreatorParams,
  response: Broadcast,
});

export const getBroadcast = endpoint({
  ...ACCESS,
  method: 'GET',
  path: '/creators/:creatorId/broadcasts/:broadcastId',
  summary: 'One newsletter: what it says, who gets it, how far it is',
  refreshedBy: ['account'],
  params: BroadcastParams,
  response: Broadcast,
  errors: ['not_found'],
});

export const changeBroadcast = endpoint({
  ...ACCESS,
  method: 'PUT',
  path: '/creators/:creatorId/broadcasts/:broadcastId',
  summary: 'Change a draft; refused if someone else changed it',
  params: BroadcastParams,
  body: z.extend(Seen, { design: EmailDesign, segment: z.nullable(SegmentText) }),
  response: Broadcast,
  errors: ['not_found', 'invalid_input', 'changed_meanwhile', 'not_possible_now'],
});

export const deleteBroadcast = endpoint({
  ...ACCESS,
  method: 'DELETE',
  path: '/creators/:creatorId/broadcasts/:broadcastId',
  summary: 'Delete a draft',
  params: BroadcastParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'not_possible_now'],
});

export const readAudience = endpoint({
  ...ACCESS,
  method: 'GET',
  path: '/creators/:creatorId/broadcasts/:broadcastId/audience',
  summary: 'How many would get it now, and who is left out and why',
  params: BroadcastParams,
  response: z.object({
    /** Null: counting takes longer than two seconds. */
    count: z.nullable(z.int()),
    leftOut: atMost(10, z.object({ count: z.int(), why: z.string() })),
  }),
  errors: ['not_found'],
});

export const askToSend = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/broadcasts/:broadcastId/ask',
  summary: 'Ask owners to send a draft; they get an email',
  quotas: ['sending_asked'],
  params: BroadcastParams,
  response: Broadcast,
  errors: ['not_found', 'invalid_input', 'not_possible_now'],
});

export const sendBroadcast = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/broadcasts/:broadcastId/send',
  needs: 'newsletter',
  summary: 'Send a draft in a minute, or at a time; `errors` names each block with a problem',
  params: BroadcastParams,
  /** `sendAt` null: in a minute. */
  body: z.extend(Seen, { sendAt: z.nullable(Timestamp) }),
  response: Broadcast,
  errors: ['not_found', 'invalid_input', 'changed_meanwhile', 'not_possible_now'],
});

export const cancelBroadcast = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/broadcasts/:broadcastId/cancel',
  needs: 'newsletter',
  summary: 'Cancel a newsletter: a draft again if it has not begun, else no more is sent',
  params: BroadcastParams,
  response: Broadcast,
  errors: ['not_found', 'not_possible_now'],
});

export const pauseBroadcast = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/broadcasts/:broadcastId/pause',
  needs: 'newsletter',
  summary: 'Send no more of a newsletter for now',
  params: BroadcastParams,
  response: Broadcast,
  errors: ['not_found', 'not_possible_now'],
});

export const resumeBroadcast = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/broadcasts/:broadcastId/resume',
  needs: 'newsletter',
  summary: 'Go on with a paused newsletter',
  params: BroadcastParams,
  response: Broadcast,
  errors: ['not_found', 'invalid_input', 'not_possible_now'],
});

/** Who sends newsletters: this program, or a tool, beside which nothing of ours goes out. */
export const NewsletterWriter = z.enum(['here', ...ToolName.options]);
export type NewsletterWriter = z.infer<typeof NewsletterWriter>;

/** `approve`: as a draft that waits for somebody to send it. */
export const WeeklyMode = z.enum(['off', 'approve', 'send']);
export type WeeklyMode = z.infer<typeof WeeklyMode>;
const Weekly = z.object({
  mode: WeeklyMode,
  /** Monday is 1; day and hour are of the creator's time zone. */
  day: z.int().check(z.gte(1), z.lte(7)),
  hour: z.int().check(z.gte(0), z.lte(23)),
});

export const Newsletter = z.object({
  writer: NewsletterWriter,
  /** What keeps a newsletter from being sent, a sentence each. */
  missing: atMost(5, z.string()),
  /** Once a week, of recipes that are new since the last time; nothing where none is. */
  weekly: z.extend(Weekly, { nextAt: z.nullable(Timestamp) }),
});
export type Newsletter = z.infer<typeof Newsletter>;

export const getNewsletter = endpoint({
  ...ACCESS,
  method: 'GET',
  path: '/creators/:creatorId/newsletter',
  summary: 'Who sends newsletters, and what is missing before one can be sent',
  refreshedBy: ['account'],
  params: CreatorParams,
  response: Newsletter,
});

export const changeNewsletterWriter = endpoint({
  ...ACCESS,
  method: 'PUT',
  path: '/creators/:creatorId/newsletter/writer',
  needs: 'newsletter',
  summary: 'Send newsletters from here or from a tool; then what is being sent here pauses',
  params: CreatorParams,
  body: z.object({ writer: NewsletterWriter }),
  response: Newsletter,
  errors: ['not_possible_now'],
});

export const changeWeeklyRecipes = endpoint({
  ...ACCESS,
  method: 'PUT',
  path: '/creators/:creatorId/newsletter/weekly',
  needs: 'newsletter',
  summary: 'Send new recipes once a week: by itself, as a draft to approve, or not',
  params: CreatorParams,
  body: Weekly,
  response: Newsletter,
});

/** A recipe that many readers saved in these weeks a year ago, and who may get newsletters. */
export const Season = z.object({
  /** Of the page, as it was saved. */
  url: z.string(),
  title: z.string(),
  pictureUrl: z.nullable(z.string()),
  /** Readers who saved it then. */
  count: z.int(),
});
export type Season = z.infer<typeof Season>;

export const getSeason = endpoint({
  ...ACCESS,
  method: 'GET',
  path: '/creators/:creatorId/newsletter/season',
  summary: 'The recipe most saved in these weeks a year ago by readers who said yes, for a newsletter to them',
  params: CreatorParams,
  /** Null: there is none, or it was answered. */
  response: z.object({ season: z.nullable(Season) }),
});

const SeasonInput = z.object({ url: WebLink });

export const writeSeasonDraft = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/newsletter/season/draft',
  summary: 'Begin a newsletter to readers who saved a recipe',
  makes: true,
  quotas: ['broadcasts'],
  params: CreatorParams,
  body: SeasonInput,
  response: Broadcast,
  errors: ['not_found', 'invalid_input'],
});

export const declineSeason = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/newsletter/season/decline',
  summary: 'Don’t suggest a recipe of last season again this year',
  params: CreatorParams,
  body: SeasonInput,
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'invalid_input'],
});

const RecipeParams = z.object({ creatorId: Id, recipeId: Id });

export const readSavers = endpoint({
  ...ACCESS,
  method: 'GET',
  path: '/creators/:creatorId/recipes/:recipeId/savers',
  summary: 'How many saved a recipe and can be told what was wrong with it',
  params: RecipeParams,
  /** `nextAt`: not before, as they were told of a mistake within a week. */
  response: z.object({ count: z.int(), nextAt: z.nullable(Timestamp) }),
  errors: ['not_found'],
});

export const CorrectionInput = z.object({
  text: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Write what was wrong, and what is right.'),
      z.maxLength(2000, 'At most 2,000 characters.'),
    ),
});

export const createCorrection = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/recipes/:recipeId/corrections',
  summary: 'Begin an email to everyone who saved a recipe, with what was wrong; it is sent like a newsletter',
  makes: true,
  quotas: ['broadcasts'],
  params: RecipeParams,
  body: CorrectionInput,
  response: Broadcast,
  errors: ['not_found', 'invalid_input'],
});
