/** The creator's own words for ingredients: learned once, read in every recipe. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { atMost, CreatorParams, Id, PageQuery, pageOf, Timestamp } from '#contract/shapes.ts';

export const LONGEST_WORD = 60;
const LETTERS = /[\p{L}\p{N}]/u;
const WORD = /^[\p{L}\p{M}\p{N} '’&.-]+$/u;

/** As contract/ingredients/own-words.ts reads them. */
export const IngredientWordInput = z.object({
  kind: z.enum(['unit', 'food', 'alias', 'brand', 'preparation', 'ignore']),
  word: z.string().check(
    z.trim(),
    z.maxLength(LONGEST_WORD, `A word can have at most ${LONGEST_WORD} characters.`),
    z.refine((word) => LETTERS.test(word) && WORD.test(word), 'Enter a word of letters, numbers, spaces and hyphens.'),
  ),
  /** Of a measure its size, "1 tbsp", or nothing; of another name the food; of a food its aisle, or nothing; else nothing. */
  means: z.string().check(z.trim(), z.maxLength(100, 'At most 100 characters.')),
});
export type IngredientWordInput = z.infer<typeof IngredientWordInput>;

export const IngredientWord = z.object({
  ...IngredientWordInput.shape,
  id: Id,
  version: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type IngredientWord = z.infer<typeof IngredientWord>;

const WordParams = z.object({ creatorId: Id, wordId: Id });

export const listIngredientWords = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/ingredient-words',
  access: 'creator',
  refreshedBy: ['automations'],
  summary: 'The creator’s own words for ingredients by name; `search` looks in the word and what it means',
  params: CreatorParams,
  query: z.object({ ...PageQuery, search: z.optional(z.string().check(z.maxLength(100))) }),
  response: pageOf(IngredientWord),
  errors: ['invalid_input'],
});

export const getOwnWords = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/ingredient-words/all',
  access: 'creator',
  refreshedBy: ['automations'],
  summary: 'All of the creator’s own words, without more than it takes to read lines with them',
  params: CreatorParams,
  response: z.object({ items: atMost(QUOTAS.ingredient_words.most, IngredientWordInput) }),
});

export const createIngredientWord = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/ingredient-words',
  access: 'creator',
  quotas: ['ingredient_words'],
  makes: true,
  summary: 'Teach a word; lines with a correction of their own stay as they are',
  params: CreatorParams,
  body: IngredientWordInput,
  response: IngredientWord,
  errors: ['invalid_input', 'already_exists'],
});

export const updateIngredientWord = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/ingredient-words/:wordId',
  access: 'creator',
  summary: 'Change a word; refused if someone changed it since `version`',
  params: WordParams,
  body: z.extend(IngredientWordInput, { version: z.int() }),
  response: IngredientWord,
  errors: ['invalid_input', 'not_found', 'already_exists', 'changed_meanwhile'],
});

export const deleteIngredientWord = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/ingredient-words/:wordId',
  access: 'creator',
  summary: 'Forget a word; lines are read as before it',
  params: WordParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found'],
});

const MOST_EXAMPLES = 20;

export const WordPreview = z.object({
  lines: z.int(),
  recipes: z.int(),
  /** The first 20 of those lines, most recently changed recipes first. */
  examples: atMost(
    MOST_EXAMPLES,
    z.object({
      recipeId: Id,
      recipe: z.string(),
      text: z.string(),
      /** How it is read, in words. */
      before: z.string(),
      after: z.string(),
    }),
  ),
});
export type WordPreview = z.infer<typeof WordPreview>;

export const previewIngredientWord = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/ingredient-words/preview',
  access: 'creator',
  quotas: ['word_previews'],
  summary: 'How many lines of how many recipes would be read otherwise; nothing is saved',
  params: CreatorParams,
  body: z.object({
    /** The word that would change; null: a new one. */
    wordId: z.nullable(Id),
    /** Null: it would be forgotten. */
    becomes: z.nullable(IngredientWordInput),
  }),
  response: WordPreview,
  errors: ['invalid_input', 'not_found'],
});
