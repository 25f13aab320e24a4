/** What a creator changes in the shopping list of one meal plan. It lies on top of the recipes, and never changes one. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { IngredientWordInput } from '#contract/ingredient-words.ts';
import { AISLES } from '#contract/ingredients/aisles.ts';
import { Meal, MOST_MEALS } from '#contract/meal-plans.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { FixedAmount, FoodName, MOST_LINES, RecipeLine } from '#contract/recipe-ingredients.ts';
import { atMost, Id } from '#contract/shapes.ts';

export const MOST_OWN_ITEMS = 100;
const MOST_CHANGES = 500;

/** Of an item: contract/ingredients/merging.ts. */
const ItemKey = z.string().check(z.minLength(1), z.maxLength(300));
const Amounts = z.array(FixedAmount).check(z.maxLength(3, 'At most 3 amounts.'));
/** What stood there when it was changed: where that is another one now, the change is kept and marked. */
const Basis = z.string().check(z.maxLength(500));

/** Amounts are for the servings of the recipe. */
export const LineChange = z.object({
  ...{ mealId: Id, lineId: Id, basis: Basis },
  leftOut: z.optional(z.literal(true)),
  amounts: z.optional(Amounts),
  food: z.optional(FoodName),
});
export type LineChange = z.infer<typeof LineChange>;

/** Amounts are for the plan as it is. */
export const ItemChange = z.object({
  ...{ key: ItemKey, basis: Basis },
  amounts: z.optional(Amounts),
  food: z.optional(FoodName),
  aisle: z.optional(z.enum(Object.keys(AISLES) as (keyof typeof AISLES)[])),
  leftOut: z.optional(z.literal(true)),
  /** People have it: it begins unticked. */
  have: z.optional(z.literal(true)),
  /** What shops look for in its place. */
  product: z.optional(z.string().check(z.trim(), z.maxLength(100, 'At most 100 characters.'))),
  note: z.optional(z.string().check(z.trim(), z.maxLength(200, 'At most 200 characters.'))),
});
export type ItemChange = z.infer<typeof ItemChange>;

/** At most so many, and one of each thing. */
function oneOfEach<S extends z.ZodMiniType>(item: S, most: number, keyOf: (change: z.output<S>) => string) {
  return z.array(item).check(
    z.maxLength(most, `At most ${most}.`),
    z.refine((all) => new Set(all.map(keyOf)).size === all.length, 'Two are of the same thing.'),
  );
}

const OwnItem = z.object({
  id: Id,
  text: z.string().check(z.trim(), z.minLength(1, 'Enter what to buy.'), z.maxLength(200, 'At most 200 characters.')),
});

export const PlanChanges = z.object({
  lines: oneOfEach(LineChange, MOST_CHANGES, ({ mealId, lineId }) => `${mealId} ${lineId}`),
  items: oneOfEach(ItemChange, MOST_CHANGES, ({ key }) => key),
  /** Lines that stand in no recipe. */
  own: oneOfEach(OwnItem, MOST_OWN_ITEMS, ({ id }) => id),
  /** Items whose lines stand in another one. */
  together: oneOfEach(z.object({ from: ItemKey, into: ItemKey }), MOST_CHANGES, ({ from }) => from),
  /** Items of which each line stands alone. */
  apart: oneOfEach(ItemKey, MOST_CHANGES, (key) => key),
});
export type PlanChanges = z.infer<typeof PlanChanges>;

export const NO_CHANGES: PlanChanges = { lines: [], items: [], own: [], together: [], apart: [] };

/** What is read of a recipe. */
export const PlanRecipe = z.object({
  id: Id,
  name: z.string(),
  servings: z.nullable(z.int()),
  measures: z.enum(['us', 'uk', 'metric', 'au']),
  language: z.string(),
  lines: atMost(MOST_LINES, z.pick(RecipeLine, { id: true, text: true, fixes: true, checked: true })),
});
export type PlanRecipe = z.infer<typeof PlanRecipe>;

export const PlanIngredients = z.object({
  /** Of the plan. */
  version: z.int(),
  meals: atMost(MOST_MEALS, Meal),
  recipes: atMost(MOST_MEALS, PlanRecipe),
  /** The creator's own, with which lines are read. */
  words: atMost(QUOTAS.ingredient_words.most, IngredientWordInput),
  changes: PlanChanges,
});
export type PlanIngredients = z.infer<typeof PlanIngredients>;

const MealPlanParams = z.object({ creatorId: Id, mealPlanId: Id });
const path = '/creators/:creatorId/meal-plans/:mealPlanId/ingredients';

export const getPlanIngredients = endpoint({
  method: 'GET',
  path,
  access: 'creator',
  refreshedBy: ['automations', 'plans'],
  summary: 'Ingredients of a meal plan: the lines of its recipes as they are now, and what was changed for this plan',
  params: MealPlanParams,
  response: PlanIngredients,
  errors: ['not_found'],
});

export const savePlanIngredients = endpoint({
  method: 'PUT',
  path,
  access: 'creator',
  quotas: ['plan_bytes'],
  summary:
    'Save what is changed in the shopping list of a meal plan; no recipe changes, and people see it once published',
  params: MealPlanParams,
  body: z.extend(PlanChanges, { version: z.int() }),
  response: PlanIngredients,
  errors: ['invalid_input', 'not_found', 'changed_meanwhile'],
});
