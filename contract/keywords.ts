/** Custom Keywords: named sets of words that any automation can listen for. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { byAutomation, CreatorParams, Id, PageQuery, pageOf, Timestamp } from '#contract/shapes.ts';

const Word = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Remove the empty keyword.'),
    z.maxLength(100, 'A keyword can have at most 100 characters.'),
  );
const Words = z.array(Word).check(z.maxLength(1000, 'At most 1,000 keywords.'));

/** What a creator fills in. */
export const KeywordInput = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(80, 'A name can have at most 80 characters.')),
  words: Words,
  mode: z.enum(['whole_word', 'contains', 'exact', 'all_words']),
  excludedWords: Words,
  typoTolerance: z.boolean(),
});
export type KeywordInput = z.infer<typeof KeywordInput>;

/** An automation that a set or a library is used by. */
export const UsedBy = z.object({
  automationId: Id,
  name: z.string(),
  on: z.boolean(),
  /** Of an automation for comments; stories and lives have no panel among the posts. */
  postId: z.nullable(z.string()),
});
export type UsedBy = z.infer<typeof UsedBy>;

export const Keyword = z.object({
  ...KeywordInput.shape,
  id: Id,
  version: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  usedBy: byAutomation(UsedBy),
});
export type Keyword = z.infer<typeof Keyword>;

const KeywordParams = z.object({ creatorId: Id, keywordId: Id });

export const listKeywords = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/keywords',
  access: 'creator',
  refreshedBy: ['automations'],
  summary: 'Custom Keywords by name, with the automations that use them',
  params: CreatorParams,
  query: z.object(PageQuery),
  response: pageOf(Keyword),
  errors: ['invalid_input'],
});

export const getKeyword = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/keywords/:keywordId',
  access: 'creator',
  refreshedBy: ['automations'],
  summary: 'One set of Custom Keywords',
  params: KeywordParams,
  response: Keyword,
  errors: ['not_found'],
});

export const createKeyword = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/keywords',
  access: 'creator',
  quotas: ['keywords', 'saved_bytes'],
  makes: true,
  summary: 'Create a set of Custom Keywords',
  params: CreatorParams,
  body: KeywordInput,
  response: Keyword,
  errors: ['invalid_input', 'already_exists'],
});

export const updateKeyword = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/keywords/:keywordId',
  access: 'creator',
  quotas: ['saved_bytes'],
  summary: 'Change a set of Custom Keywords; refused if someone changed it since `version`',
  params: KeywordParams,
  body: z.extend(KeywordInput, { version: z.int() }),
  response: Keyword,
  errors: ['invalid_input', 'not_found', 'already_exists', 'changed_meanwhile'],
});

export const deleteKeyword = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/keywords/:keywordId',
  access: 'creator',
  summary: 'Delete a set of Custom Keywords; refused while an automation that is on uses it',
  params: KeywordParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'not_possible_now'],
});
