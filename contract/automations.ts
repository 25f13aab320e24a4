/** Automations: trigger, scope, words, reply. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import {
  atMost,
  byAutomation,
  CreatorParams,
  Id,
  PageQuery,
  pageOf,
  ShownWords,
  Timestamp,
  WebLink,
} from '#contract/shapes.ts';

const Word = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Remove the empty keyword.'),
    z.maxLength(100, 'A keyword can have at most 100 characters.'),
  );

/** What a button may lead to instead of a typed address, one of them: then `url` is what that says, whatever is sent here. */
export const BUTTON_TARGETS = ['recipeId', 'mealPlanId', 'appLinkId'] as const;

export const Button = z.object({
  title: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Enter the button text.'),
      z.maxLength(20, 'Button text can have at most 20 characters.'),
    ),
  url: WebLink,
  recipeId: z.optional(Id),
  /** Of the recipe: its shopping list, not its page. */
  part: z.optional(z.enum(['list'])),
  mealPlanId: z.optional(Id),
  appLinkId: z.optional(Id),
});

export const MatchMode = z.enum(['whole_word', 'contains', 'exact', 'all_words', 'any_comment']);

/** The follower's act that starts it. */
export const Trigger = z.enum(['comment', 'live_comment', 'story_reply', 'story_mention', 'direct_message']);
export type Trigger = z.infer<typeof Trigger>;

/** Where it listens: one post (or story, or live), any, the next post, posts whose caption has a word. */
export const Scope = z.enum(['one', 'any', 'next', 'caption']);
export type Scope = z.infer<typeof Scope>;

const StepText = z.string().check(z.trim(), z.minLength(1, 'Write the message.'), z.maxLength(4000));
const ButtonTitle = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter the button text.'),
    z.maxLength(20, 'Button text can have at most 20 characters.'),
  );

/** A message with one button; a tap opens the 24 hours in which we may write. */
export const TapStep = z.object({ text: StepText, buttonTitle: ButtonTitle });
export type TapStep = z.infer<typeof TapStep>;

/** Asks for an address; `consent` is the wording stored with it. */
export const EmailAsk = z.object({
  text: StepText,
  consent: z
    .string()
    .check(z.trim(), z.minLength(1, 'Enter what they agree to.'), z.maxLength(500, 'At most 500 characters.')),
});
export type EmailAsk = z.infer<typeof EmailAsk>;

/** Sent once when nobody clicked, within the 24 hours after the follower's last message. */
export const FollowUp = z.object({ text: StepText, afterMinutes: z.int().check(z.minimum(10), z.maximum(23 * 60)) });
export type FollowUp = z.infer<typeof FollowUp>;

/** A product card above the buttons: Meta's generic template. */
export const Card = z.object({
  title: z.string().check(z.trim(), z.minLength(1), z.maxLength(80, 'At most 80 characters.')),
  subtitle: z.string().check(z.trim(), z.maxLength(80, 'At most 80 characters.')),
  imageUrl: z.nullable(WebLink),
});
export type Card = z.infer<typeof Card>;

/** Another wording of the message, compared with the first. */
export const Variant = z.object({ id: z.string().check(z.regex(/^[b-e]$/)), text: StepText });
export type Variant = z.infer<typeof Variant>;

/** The message for followers who wrote one of these words. */
export const Translation = z.object({
  language: z.string().check(z.regex(/^[a-z]{2,3}$/, 'Use a language code like en or es.')),
  words: z.array(Word).check(z.minLength(1, 'Add at least one keyword.'), z.maxLength(100)),
  messageText: StepText,
  publicReplies: z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(300))).check(z.maxLength(20)),
});
export type Translation = z.infer<typeof Translation>;

/** The fields a creator fills in. The message limits are Instagram's; `message-text.ts` checks them in full. */
export const AutomationInput = z.object({
  connectionId: Id,
  name: z.string().check(z.trim(), z.maxLength(120)),
  trigger: z._default(Trigger, 'comment'),
  /** Left out: `one` with a post, `any` without. */
  scope: z.optional(Scope),
  /** The post, story or live of scope `one`; null otherwise. */
  postId: z.nullable(z.string().check(z.maxLength(64))),
  captionWords: z._default(z.array(Word).check(z.maxLength(50)), []),
  /** Custom Keywords it listens for besides its own words. */
  keywordIds: z._default(z.array(Id).check(z.maxLength(50)), []),
  /** A library of Custom Replies used besides its own public replies. */
  replyId: z._default(z.nullable(Id), null),
  words: z.array(Word).check(z.maxLength(1000, 'At most 1,000 keywords.')),
  mode: MatchMode,
  excludedWords: z.array(Word).check(z.maxLength(1000)),
  typoTolerance: z.boolean(),
  priority: z.int().check(z.minimum(-1000), z.maximum(1000)),
  messageText: z.string().check(z.trim(), z.minLength(1, 'Write the message.'), z.maxLength(4000)),
  buttons: z.array(Button).check(z.maxLength(3, 'At most three buttons.')),
  publicReplies: z
    .array(
      z
        .string()
        .check(
          z.trim(),
          z.minLength(1, 'Remove the empty public reply.'),
          z.maxLength(300, 'A public reply can have at most 300 characters.'),
        ),
    )
    .check(z.maxLength(20)),
  variants: z._default(z.array(Variant).check(z.maxLength(4, 'At most five versions.')), []),
  translations: z._default(z.array(Translation).check(z.maxLength(20)), []),
  card: z._default(z.nullable(Card), null),
  opening: z._default(z.nullable(TapStep), null),
  followAsk: z._default(z.nullable(TapStep), null),
  emailAsk: z._default(z.nullable(EmailAsk), null),
  followUp: z._default(z.nullable(FollowUp), null),
  /** How long the same person is not answered again; null: every comment is answered. */
  repeatAfterMinutes: z.nullable(z.int().check(z.minimum(1), z.maximum(60 * 24 * 365))),
});
export type AutomationInput = z.infer<typeof AutomationInput>;

export const AutomationFigures = z.object({
  matched: z.number(),
  sent: z.number(),
  waiting: z.number(),
  failed: z.number(),
  opened: z.number(),
  clicked: z.number(),
});

export const Automation = z.object({
  ...AutomationInput.shape,
  id: Id,
  version: z.int(),
  switchedOnAt: z.nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** Other automations that listen for the same words in the same place, in words; the first hundred. */
  clashes: atMost(
    100,
    z.object({ automationId: Id, name: z.string(), words: atMost(100, z.string()), winner: z.enum(['this', 'other']) }),
  ),
  /** Why it can't fire although it is on, in words; null when it can. */
  blockedBecause: z.nullable(z.string()),
  /** Changes that wait to be published; null: there are none. */
  draft: z.nullable(
    z.object({
      input: AutomationInput,
      version: z.int(),
      /** The live version that it began from. */
      base: z.int(),
      savedAt: Timestamp,
      savedBy: z.string(),
    }),
  ),
  /** Of the last draft, there or gone; 0: there never was one. */
  draftVersion: z.int(),
});
export type Automation = z.infer<typeof Automation>;

const AutomationParams = z.object({ creatorId: Id, automationId: Id });

export const listAutomations = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/automations',
  access: 'creator',
  refreshedBy: ['interactions', 'automations'],
  summary: 'Automations, newest first; filter by post with `postId` or by trigger with `trigger`',
  params: CreatorParams,
  query: z.object({
    ...PageQuery,
    postId: z.optional(z.string().check(z.maxLength(64))),
    trigger: z.optional(Trigger),
  }),
  response: pageOf(
    z.extend(Automation, {
      figures: AutomationFigures,
      /** Null: it listens on any post. */
      post: z.nullable(z.object({ caption: z.string(), pictureUrl: z.nullable(z.string()) })),
    }),
  ),
  errors: ['invalid_input'],
});

export const getAutomation = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/automations/:automationId',
  access: 'creator',
  refreshedBy: ['interactions', 'automations'],
  summary: 'One automation',
  params: AutomationParams,
  response: Automation,
  errors: ['not_found'],
});

export const createAutomation = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/automations',
  access: 'creator',
  quotas: ['automations', 'links', 'saved_bytes'],
  makes: true,
  summary: 'Create an automation, turned off',
  params: CreatorParams,
  body: AutomationInput,
  response: Automation,
  errors: ['invalid_input', 'not_found'],
});

export const updateAutomation = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/automations/:automationId',
  access: 'creator',
  quotas: ['links', 'saved_bytes'],
  summary: 'Change an automation; refused if someone changed it since `version`',
  params: AutomationParams,
  body: z.extend(AutomationInput, { version: z.int() }),
  response: Automation,
  errors: ['invalid_input', 'not_found', 'changed_meanwhile'],
});

/** How comments from before it was switched on are handled. */
export const switchAutomation = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/automations/:automationId/switch',
  access: 'creator',
  summary: 'Turn an automation on or off',
  params: AutomationParams,
  body: z.object({ on: z.boolean() }),
  response: Automation,
  errors: ['not_found', 'invalid_input', 'not_connected', 'needs_reconnect'],
});

export const deleteAutomation = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/automations/:automationId',
  access: 'creator',
  quotas: ['deleted_automations'],
  summary: 'Delete an automation; its history stays',
  params: AutomationParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});

/** The tester: which automation would answer this comment on this post, and why the others would not. */
export const testComment = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/automations/test',
  access: 'creator',
  summary: 'Test what would happen with a comment; nothing is sent',
  params: CreatorParams,
  body: z.object({
    connectionId: Id,
    postId: z.nullable(z.string().check(z.maxLength(64))),
    text: z.string().check(z.maxLength(10_000)),
    /** An automation as it stands in the editor, unsaved; counted as switched on. */
    draft: z.optional(z.extend(AutomationInput, { id: z.nullable(Id) })),
  }),
  response: z.object({
    answer: z.nullable(
      z.object({
        automationId: z.nullable(Id),
        name: z.string(),
        matchedWords: ShownWords,
        how: z.string(),
        message: z.string(),
      }),
    ),
    others: byAutomation(z.object({ automationId: z.nullable(Id), name: z.string(), why: z.string() })),
  }),
  errors: ['invalid_input', 'not_found'],
});
