/** Recipes as they stand on a page, in a text or in a post's caption. Reading saves nothing. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { completeLink } from '#contract/links.ts';
import { MOST_LINES, MOST_STEPS } from '#contract/recipe-ingredients.ts';
import { atMost, CreatorParams, Id } from '#contract/shapes.ts';

/** Why an address gave no recipe, each with its words; pasting the ingredients is always a way on. */
export const READ_FAILURES = {
  bad_address: 'That isn’t the address of a web page. Copy the one you see when the recipe is open.',
  private_address: 'That address is inside a private network. Copy one that anyone can open.',
  unreachable: 'We can’t reach that website. Check the address.',
  certificate: 'That website’s certificate isn’t valid, so we didn’t open it.',
  no_answer: 'That website gave no proper answer. Try again in a minute.',
  gone: 'There’s no longer a page at that address.',
  blocked: 'Your blog doesn’t let us in. Our plugin gets in, or paste the ingredients.',
  login: 'That page asks to log in. Publish it first, or paste the ingredients.',
  too_large: 'That page is too large to read. Paste the ingredients instead.',
  not_html: 'That address isn’t a web page. Copy the one of the recipe’s page.',
  nothing: 'We found no ingredients there. Paste them instead.',
  several: 'That page has several recipes. Which one?',
} as const;
export type ReadFailure = keyof typeof READ_FAILURES;

const LONGEST_TEXT = 20_000;

const Reading = z.object({
  name: z.nullable(z.string()),
  /** Where the page is after all redirects; null for a text. */
  url: z.nullable(z.string()),
  pictureUrl: z.nullable(z.string()),
  /** The least that the author names. */
  servings: z.nullable(z.int()),
  minutes: z.nullable(z.int()),
  /** BCP 47. */
  language: z.nullable(z.string()),
  /** Whose cups and spoons its author means: by its language, else as the creator's settings say. */
  measures: z.enum(['us', 'uk', 'metric', 'au']),
  groups: atMost(
    40,
    z.object({
      /** Null for what stands under no heading. */
      name: z.nullable(z.string()),
      /** `uid`: the recipe card's own name of the line, the same when it changes. */
      lines: atMost(MOST_LINES, z.object({ text: z.string(), uid: z.nullable(z.string()) })),
    }),
  ),
  /** Beyond 150. */
  linesLeftOut: z.int(),
  /** Of a text: what isn't an ingredient, in its order. Of a page none: reading them is a visit to the blog. */
  steps: atMost(MOST_STEPS, z.string()),
  /** By what the ingredients were found. */
  foundBy: z.enum(['plugin', 'wprm', 'create', 'card', 'json_ld', 'microdata', 'list', 'text', 'post']),
  /** The recipe that has this page already. */
  already: z.nullable(z.object({ id: Id, name: z.string() })),
});
export type Reading = z.infer<typeof Reading>;
export type FoundBy = Reading['foundBy'];

export const readRecipe = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/recipes/read',
  access: 'creator',
  quotas: ['recipe_readings'],
  summary: 'Read a recipe from a page, a text or a post’s caption; nothing is saved',
  params: CreatorParams,
  body: z
    .object({
      url: z.optional(
        z.string().check(z.overwrite(completeLink), z.maxLength(2000, 'A link can have at most 2,000 characters.')),
      ),
      text: z.optional(z.string().check(z.maxLength(LONGEST_TEXT, 'At most 20,000 characters.'))),
      postId: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
      /** Of a page with several recipes: the name of one, as the answer before had it. */
      choice: z.optional(z.string().check(z.maxLength(200))),
    })
    .check(
      z.refine(
        ({ url, text, postId }) => [url, text, postId].filter((given) => given !== undefined).length === 1,
        'Enter an address, a text or a post: one of them.',
      ),
    ),
  response: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('read'), reading: Reading }),
    z.object({
      kind: z.literal('failed'),
      because: z.enum(Object.keys(READ_FAILURES) as [ReadFailure, ...ReadFailure[]]),
      says: z.string(),
      /** Names of the page’s recipes, where it has several. */
      choices: atMost(50, z.string()),
    }),
  ]),
  errors: ['invalid_input', 'not_found'],
});
