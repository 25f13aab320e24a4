/** Automations: trigger, scope, words, reply. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { CreatorParams, Id, Timestamp } from '#contract/shapes.ts';

const Word = z
  .string()
  .check(z.trim(), z.minLength(1, 'A word is empty.'), z.maxLength(100, 'A word has at most 100 characters.'));

const WebAddress = z
  .url({ protocol: /^https?$/, error: 'Enter a link that starts with https://' })
  .check(z.trim(), z.maxLength(2000, 'The link has at most 2,000 characters.'));

export const Button = z.object({
  title: z
    .string()
    .check(z.trim(), z.minLength(1, 'Give the button a text.'), z.maxLength(20, 'A button has at most 20 characters.')),
  url: WebAddress,
});

export const MatchMode = z.enum(['whole_word', 'contains', 'exact', 'all_words', 'any_comment']);

/** What a creator fills in. The message limits are Instagram's; `message-text.ts` checks them in full. */
export const AutomationInput = z.object({
  connectionId: Id,
  name: z.string().check(z.trim(), z.maxLength(120)),
  postId: z.nullable(z.string().check(z.maxLength(64))),
  words: z.array(Word).check(z.maxLength(1000, 'At most 1,000 words.')),
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
          z.minLength(1, 'A public reply is empty.'),
          z.maxLength(300, 'A public reply has at most 300 characters.'),
        ),
    )
    .check(z.maxLength(20)),
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
  /** Other automations that listen for the same words in the same place, in words. */
  clashes: z.array(
    z.object({ automationId: Id, name: z.string(), words: z.array(z.string()), winner: z.enum(['this', 'other']) }),
  ),
  /** Why it can't fire although it is on, in words; null when it can. */
  blockedBecause: z.nullable(z.string()),
});
export type Automation = z.infer<typeof Automation>;

const AutomationParams = z.object({ creatorId: Id, automationId: Id });

export const listAutomations = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/automations',
  access: 'creator',
  summary: 'All automations, newest first; of one post with `postId`',
  params: CreatorParams,
  query: z.object({ postId: z.optional(z.string().check(z.maxLength(64))) }),
  response: z.object({
    items: z.array(
      z.extend(Automation, {
        figures: AutomationFigures,
        /** Null: it listens on any post. */
        post: z.nullable(z.object({ caption: z.string(), pictureUrl: z.nullable(z.string()) })),
      }),
    ),
  }),
});

export const getAutomation = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/automations/:automationId',
  access: 'creator',
  summary: 'One automation',
  params: AutomationParams,
  response: Automation,
  errors: ['not_found'],
});

export const createAutomation = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/automations',
  access: 'creator',
  summary: 'Create an automation, switched off',
  params: CreatorParams,
  body: AutomationInput,
  response: Automation,
  errors: ['invalid_input', 'not_found'],
});

export const updateAutomation = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/automations/:automationId',
  access: 'creator',
  summary: 'Change an automation; refused when someone changed it since `version`',
  params: AutomationParams,
  body: z.extend(AutomationInput, { version: z.int() }),
  response: Automation,
  errors: ['invalid_input', 'not_found', 'changed_meanwhile'],
});

/** What happens with comments that were there before it was switched on. */
export const switchAutomation = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/automations/:automationId/switch',
  access: 'creator',
  summary: 'Switch an automation on or off',
  params: AutomationParams,
  body: z.object({ on: z.boolean() }),
  response: Automation,
  errors: ['not_found', 'invalid_input', 'not_connected', 'needs_reconnect'],
});

export const deleteAutomation = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/automations/:automationId',
  access: 'creator',
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
  summary: 'What would happen with a comment; sends nothing',
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
        matchedWords: z.array(z.string()),
        how: z.string(),
        message: z.string(),
      }),
    ),
    others: z.array(z.object({ automationId: z.nullable(Id), name: z.string(), why: z.string() })),
  }),
  errors: ['invalid_input', 'not_found'],
});
