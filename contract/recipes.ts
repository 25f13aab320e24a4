/** Recipes: a page of the creator's, told once. Automations point to it; a change of its address reaches them all. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { UsedBy } from '#contract/keywords.ts';
import { byAutomation, CreatorParams, Id, PageQuery, pageOf, Timestamp, WebLink } from '#contract/shapes.ts';

/** The fields a creator fills in. */
export const RecipeInput = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(1, 'Enter a name for the recipe.'), z.maxLength(120, 'At most 120 characters.')),
  /** Of its page; null for a recipe without one: its shopping list is its page. */
  url: z.nullable(WebLink),
  pictureUrl: z.nullable(WebLink),
  /** Words that followers may write for it; a start for automations. */
  keywordIdeas: z
    .array(
      z
        .string()
        .check(
          z.trim(),
          z.minLength(1, 'Remove the empty keyword.'),
          z.maxLength(100, 'A keyword can have at most 100 characters.'),
        ),
    )
    .check(z.maxLength(50, 'At most 50 words.')),
  /** The message sent with it, as a start for automations; may be empty. */
  messageText: z.string().check(z.trim(), z.maxLength(4000, 'At most 4,000 characters.')),
});
export type RecipeInput = z.infer<typeof RecipeInput>;

/** Whom something on the blog is for alone: subscribers, members or a tier of theirs. `of`: the recipe, or other text of its post. */
export const BlogLock = z.object({ for: z.string().check(z.maxLength(60)), of: z.enum(['recipe', 'text']) });
export type BlogLock = z.infer<typeof BlogLock>;

export const Recipe = z.object({
  ...RecipeInput.shape,
  id: Id,
  version: z.int(),
  /** Its page, else its list. */
  leadsTo: z.url(),
  /** Null while it has no ingredients. `toCheck`: lines of which we are not sure. */
  list: z.nullable(z.object({ url: z.url(), lines: z.int(), toCheck: z.int() })),
  /** Since when its post on the blog is not public any more. */
  postGoneAt: z.nullable(Timestamp),
  /** What of its post on the blog not everybody may read. Strangers see as much of it here. */
  lock: z.nullable(BlogLock),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  usedBy: byAutomation(UsedBy),
});
export type Recipe = z.infer<typeof Recipe>;

/** Of its ingredients. `none`: nothing that can be bought. */
export const RecipeState = z.enum(['none', 'to_check', 'ready']);
export type RecipeState = z.infer<typeof RecipeState>;

export function linesToCheck(count: number): string {
  return count === 1 ? '1 line to check' : `${count} lines to check`;
}

const RecipeParams = z.object({ creatorId: Id, recipeId: Id });

export const listRecipes = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/recipes',
  access: 'creator',
  refreshedBy: ['automations'],
  summary:
    'Recipes, most recently changed first, with where they’re used; `search` looks in name, link, keywords and foods; `state` is of their ingredients',
  params: CreatorParams,
  query: z.object({
    ...PageQuery,
    search: z.optional(z.string().check(z.maxLength(100))),
    state: z.optional(RecipeState),
  }),
  response: pageOf(Recipe),
  errors: ['invalid_input'],
});

export const getRecipe = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/recipes/:recipeId',
  access: 'creator',
  refreshedBy: ['automations'],
  summary: 'One recipe',
  params: RecipeParams,
  response: Recipe,
  errors: ['not_found'],
});

export const createRecipe = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/recipes',
  access: 'creator',
  quotas: ['recipes', 'saved_bytes'],
  makes: true,
  summary: 'Create a recipe; refused if another one has the same link',
  params: CreatorParams,
  body: RecipeInput,
  response: Recipe,
  errors: ['invalid_input', 'already_exists'],
});

export const updateRecipe = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/recipes/:recipeId',
  access: 'creator',
  quotas: ['saved_bytes'],
  summary: 'Change a recipe; a new link applies to every automation and to messages already sent',
  params: RecipeParams,
  body: z.extend(RecipeInput, { version: z.int() }),
  response: Recipe,
  errors: ['invalid_input', 'not_found', 'already_exists', 'changed_meanwhile'],
});

export const deleteRecipe = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/recipes/:recipeId',
  access: 'creator',
  summary: 'Delete a recipe; refused while an automation uses it',
  params: RecipeParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'not_possible_now'],
});
