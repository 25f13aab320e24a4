/** A whole blog: its pages are found, and their recipes read in the background. For a month all of it can be undone. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { CreatorParams, Id, PageQuery, pageOf, Timestamp, WebLink } from '#contract/shapes.ts';

/** Of one import. */
export const MOST_IMPORTED_RECIPES = 2_000;
export const MOST_IMPORT_PAGES = 20_000;
export const UNDO_IMPORT_DAYS = 30;

export const RecipeImport = z.object({
  id: Id,
  site: z.url(),
  /** `failed`: stopped, for the reason in `failure`; it can go on. */
  state: z.enum(['running', 'paused', 'done', 'failed']),
  /** How its pages were found; null while they are looked for. */
  way: z.nullable(z.enum(['plugin', 'wprm', 'sitemap'])),
  failure: z.nullable(z.string()),
  /** Pages found; of them those that are still to be read. */
  found: z.int(),
  waiting: z.int(),
  /** New recipes; recipes that were there, whose page changed them, and those as they were. */
  made: z.int(),
  updated: z.int(),
  same: z.int(),
  /** Of these recipes, those with lines of which we are not sure. */
  toCheck: z.int(),
  /** Pages without a recipe, and pages that could not be read. */
  noRecipe: z.int(),
  notRead: z.int(),
  madeAt: Timestamp,
  finishedAt: z.nullable(Timestamp),
  /** Null: not any more. */
  undoUntil: z.nullable(Timestamp),
  /** `kept`: recipes that were used or changed since. Null: not undone; `isDone` false: under way. */
  undo: z.nullable(z.object({ isDone: z.boolean(), undone: z.int(), kept: z.int() })),
});
export type RecipeImport = z.infer<typeof RecipeImport>;

const ImportParams = z.object({ creatorId: Id, recipeImportId: Id });
const ACCESS = { access: 'creator' } as const;

export const listRecipeImports = endpoint({
  ...ACCESS,
  method: 'GET',
  path: '/creators/:creatorId/recipe-imports',
  refreshedBy: ['imports'],
  summary: 'Blogs whose recipes were brought in, newest first',
  params: CreatorParams,
  query: z.object(PageQuery),
  response: pageOf(RecipeImport),
  errors: ['invalid_input'],
});

export const startRecipeImport = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/recipe-imports',
  quotas: ['recipe_imports'],
  makes: true,
  summary: 'Bring in all recipes of a blog, in the background; one blog at a time',
  params: CreatorParams,
  body: z.object({ site: WebLink }),
  response: RecipeImport,
  errors: ['invalid_input', 'not_possible_now'],
});

export const getRecipeImport = endpoint({
  ...ACCESS,
  method: 'GET',
  path: '/creators/:creatorId/recipe-imports/:recipeImportId',
  refreshedBy: ['imports'],
  summary: 'How far an import is, and what became of its pages',
  params: ImportParams,
  response: RecipeImport,
  errors: ['not_found'],
});

export const listUnreadPages = endpoint({
  ...ACCESS,
  method: 'GET',
  path: '/creators/:creatorId/recipe-imports/:recipeImportId/not-read',
  refreshedBy: ['imports'],
  summary: 'Pages of an import that could not be read, each with the reason; for 60 days',
  params: ImportParams,
  query: z.object(PageQuery),
  response: pageOf(z.object({ url: z.string(), says: z.string() })),
  errors: ['not_found', 'invalid_input'],
});

export const pauseRecipeImport = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/recipe-imports/:recipeImportId/pause',
  summary: 'Pause an import; what was read stays',
  params: ImportParams,
  response: RecipeImport,
  errors: ['not_found', 'not_possible_now'],
});

export const continueRecipeImport = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/recipe-imports/:recipeImportId/continue',
  summary: 'Go on with an import that is paused or stopped',
  params: ImportParams,
  response: RecipeImport,
  errors: ['not_found', 'not_possible_now'],
});

export const retryRecipeImport = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/recipe-imports/:recipeImportId/retry',
  summary: 'Read the pages again that could not be read',
  params: ImportParams,
  response: RecipeImport,
  errors: ['not_found', 'not_possible_now'],
});

export const undoRecipeImport = endpoint({
  ...ACCESS,
  method: 'POST',
  path: '/creators/:creatorId/recipe-imports/:recipeImportId/undo',
  summary: 'Undo an import of the last 30 days, except for recipes that were used or changed since',
  params: ImportParams,
  response: RecipeImport,
  errors: ['not_found', 'not_possible_now'],
});
