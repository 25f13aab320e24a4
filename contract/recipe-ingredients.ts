/** What a recipe needs, line by line: what its author wrote, how it is read, and what the creator corrected. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { UNITS } from '#contract/ingredients/units.ts';
import { Id, Timestamp } from '#contract/shapes.ts';

export const MOST_LINES = 150;
export const MOST_STEPS = 60;

/** Exact: "3/2", "2". */
const Quantity = z.string().check(z.regex(/^[1-9]\d{0,8}(\/[1-9]\d{0,8})?$/, 'Enter a number, like 2 or 1/2.'));
/** A word of the creator's own that is a measure: contract/ingredients/units.ts. */
const OWN_UNIT = /^own:[\p{L}\p{M}\p{N} '.-]{1,65}$/u;
// Not as patterns: readers of the API's description know no classes of letters.
const Unit = z.nullable(
  z.string().check(
    z.maxLength(70),
    z.refine((unit) => UNITS.includes(unit) || OWN_UNIT.test(unit), 'Choose a measure of the list.'),
  ),
);
const Size = { from: Quantity, to: z.nullable(Quantity), unit: Unit };
/** One quantity of a line, or of an item of a list. */
export const FixedAmount = z.object({ ...Size, each: z.nullable(z.object(Size)) });
export const FoodName = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter the food.'), z.maxLength(100, 'A food can have at most 100 characters.'));

const Remarks = z
  .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(200, 'At most 200 characters.')))
  .check(z.maxLength(10, 'At most 10.'));

/** What the creator says of a line, in place of what we read; what they did not touch is not there. */
export const LineFixes = z.object({
  kind: z.optional(z.enum(['ingredient', 'heading', 'note'])),
  amounts: z.optional(z.array(FixedAmount).check(z.maxLength(3, 'At most 3 amounts.'))),
  food: z.optional(FoodName),
  optional: z.optional(z.boolean()),
  /** "finely chopped" */
  preparation: z.optional(Remarks),
  notes: z.optional(Remarks),
});
export type LineFixes = z.infer<typeof LineFixes>;

export const RecipeLine = z.object({
  id: Id,
  /** "For the sauce"; empty for none. */
  group: z.string().check(z.trim(), z.maxLength(100, 'A heading can have at most 100 characters.')),
  text: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Remove the empty line.'),
      z.maxLength(500, 'A line can have at most 500 characters.'),
    ),
  fixes: LineFixes,
  /** The creator looked at how it is read. */
  checked: z.boolean(),
  /** As the page had it when it was read last; null for a line that the creator wrote. */
  sourceText: z.nullable(z.string().check(z.maxLength(500))),
  /** How the page's recipe card names the line. */
  sourceUid: z.nullable(z.string().check(z.maxLength(100))),
  /** Of a corrected line that the page says otherwise since: how; null: it is gone there. Until the creator chose. */
  pageSays: z.optional(z.nullable(z.string().check(z.maxLength(500)))),
});
export type RecipeLine = z.infer<typeof RecipeLine>;

export const IngredientsInput = z.object({
  /** Null: the recipe does not say. */
  servings: z.nullable(
    z.int().check(z.minimum(1, 'Enter a number from 1 to 100.'), z.maximum(100, 'Enter a number from 1 to 100.')),
  ),
  minutes: z.nullable(z.int().check(z.minimum(1), z.maximum(10_000))),
  /** Whose cups and spoons. */
  measures: z.enum(['us', 'uk', 'metric', 'au']),
  /** BCP 47. */
  language: z.string().check(z.regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8}){0,3}$/)),
  lines: z.array(RecipeLine).check(
    z.maxLength(MOST_LINES, 'A recipe can have at most 150 lines.'),
    z.refine((lines) => new Set(lines.map(({ id }) => id)).size === lines.length, 'Two lines have the same id.'),
  ),
  /** Only of a recipe without a page: its list is its page. */
  steps: z
    .array(
      z
        .string()
        .check(z.trim(), z.minLength(1, 'Remove the empty step.'), z.maxLength(2000, 'At most 2,000 characters.')),
    )
    .check(z.maxLength(MOST_STEPS, 'A recipe can have at most 60 steps.')),
});
export type IngredientsInput = z.infer<typeof IngredientsInput>;

/** For how long what a page changed can be undone. */
export const UNDO_SYNC_DAYS = 30;
/** Who read the page again without the creator. */
export const SyncedBy = z.enum(['plugin', 'guard', 'import']);
export type SyncedBy = z.infer<typeof SyncedBy>;

export const RecipeIngredients = z.object({
  ...IngredientsInput.shape,
  /** 0 while nothing was saved. */
  version: z.int(),
  /** Null while nothing was saved. */
  updatedAt: z.nullable(Timestamp),
  listUrl: z.nullable(z.url()),
  /** Another recipe that has the same name and nearly the same foods. */
  lookalike: z.nullable(z.object({ id: Id, leadsTo: z.string() })),
  /**
   * What the page changed last without the creator: how many lines, and how many wait for their word. Null where there is nothing
   * that could be undone, as after they saved.
   */
  sync: z.nullable(
    z.object({
      ...{ at: Timestamp, by: SyncedBy },
      ...{ changed: z.int(), added: z.int(), removed: z.int(), waiting: z.int() },
    }),
  ),
});
export type RecipeIngredients = z.infer<typeof RecipeIngredients>;

const RecipeParams = z.object({ creatorId: Id, recipeId: Id });

export const getIngredients = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/recipes/:recipeId/ingredients',
  access: 'creator',
  refreshedBy: ['automations'],
  summary: 'Ingredients of a recipe, with the creator’s corrections; an empty list while none were saved',
  params: RecipeParams,
  response: RecipeIngredients,
  errors: ['not_found'],
});

export const saveIngredients = endpoint({
  method: 'PUT',
  path: '/creators/:creatorId/recipes/:recipeId/ingredients',
  access: 'creator',
  quotas: ['ingredient_bytes'],
  summary: 'Save the ingredients of a recipe; lists that shoppers open follow at once',
  params: RecipeParams,
  body: z.extend(IngredientsInput, { version: z.int().check(z.minimum(0)) }),
  response: RecipeIngredients,
  errors: ['invalid_input', 'not_found', 'changed_meanwhile'],
});

export const undoSync = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/recipes/:recipeId/sync/undo',
  access: 'creator',
  summary: 'Undo what the recipe’s page changed last in its ingredients; for 30 days, until someone saves them',
  params: RecipeParams,
  response: RecipeIngredients,
  errors: ['not_found', 'not_possible_now'],
});
