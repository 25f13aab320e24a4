/** Custom Replies: libraries of public replies and of messages, with wordings that take turns. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { UsedBy } from '#contract/keywords.ts';
import { checkMessage, checkPublicReply } from '#contract/message-text.ts';
import { byAutomation, CreatorParams, Id, PageQuery, pageOf, Timestamp } from '#contract/shapes.ts';

/** Longer than anything that can be sent, so that a text too long is answered with how much too long it is. */
const Text = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Write the text.'),
    z.maxLength(10_000, 'A text can have at most 10,000 characters.'),
  );
const Texts = z.array(Text).check(z.minLength(1, 'Write at least one text.'), z.maxLength(20, 'At most 20 versions.'));

/** Used where the words that a follower wrote told the automation the language. */
const ReplyTranslation = z.object({
  language: z.string().check(z.regex(/^[a-z]{2,3}$/, 'Use a language code like en or es.')),
  texts: Texts,
});

export const ReplyKind = z.enum(['public_reply', 'message']);
export type ReplyKind = z.infer<typeof ReplyKind>;

/** The fields a creator fills in. `checkReply` adds the platform's limits. */
export const ReplyInput = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(80, 'A name can have at most 80 characters.')),
  kind: ReplyKind,
  texts: Texts,
  translations: z.array(ReplyTranslation).check(z.maxLength(20, 'At most 20 languages.')),
});
export type ReplyInput = z.infer<typeof ReplyInput>;

export const Reply = z.object({
  ...ReplyInput.shape,
  id: Id,
  version: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  usedBy: byAutomation(UsedBy),
});
export type Reply = z.infer<typeof Reply>;

/** Problems that keep the texts from being sent, errors first: `texts.0`, `translations.1.texts.2`, `translations.0.language`. */
export function checkReply(input: Pick<ReplyInput, 'kind' | 'texts' | 'translations'>) {
  const checkOne = (text: string, path: string) =>
    (input.kind === 'public_reply' ? checkPublicReply(text) : checkMessage({ text, buttons: [] })).map(
      ({ severity, message }) => ({ path, severity, message }),
    );
  const languages = input.translations.map(({ language }) => language);
  const problems = [
    ...input.texts.flatMap((text, at) => checkOne(text, `texts.${at}`)),
    ...input.translations.flatMap(({ texts }, place) =>
      texts.flatMap((text, at) => checkOne(text, `translations.${place}.texts.${at}`)),
    ),
    ...languages.flatMap((language, at) =>
      languages.indexOf(language) < at
        ? [
            {
              path: `translations.${at}.language`,
              severity: 'error' as const,
              message: 'This language is listed twice.',
            },
          ]
        : [],
    ),
  ];
  return problems.sort((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
}

const ReplyParams = z.object({ creatorId: Id, replyId: Id });

export const listReplies = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/replies',
  access: 'creator',
  refreshedBy: ['automations'],
  summary: 'Custom Replies by name, with the automations that use them',
  params: CreatorParams,
  query: z.object(PageQuery),
  response: pageOf(Reply),
  errors: ['invalid_input'],
});

export const getReply = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/replies/:replyId',
  access: 'creator',
  refreshedBy: ['automations'],
  summary: 'One library of Custom Replies',
  params: ReplyParams,
  response: Reply,
  errors: ['not_found'],
});

export const createReply = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/replies',
  access: 'creator',
  quotas: ['replies', 'saved_bytes'],
  makes: true,
  summary: 'Create a library of Custom Replies',
  params: CreatorParams,
  body: ReplyInput,
  response: Reply,
  errors: ['invalid_input', 'already_exists'],
});

export const updateReply = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/replies/:replyId',
  access: 'creator',
  quotas: ['saved_bytes'],
  summary: 'Change a library of Custom Replies; refused if someone changed it since `version`',
  params: ReplyParams,
  body: z.extend(ReplyInput, { version: z.int() }),
  response: Reply,
  errors: ['invalid_input', 'not_found', 'already_exists', 'changed_meanwhile', 'not_possible_now'],
});

export const deleteReply = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/replies/:replyId',
  access: 'creator',
  summary: 'Delete a library of Custom Replies; refused while an automation that is on uses it',
  params: ReplyParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'not_possible_now'],
});
