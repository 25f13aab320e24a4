/** Meal plans: recipes of some days with one shopping list. People see what was published last; changes wait until they are. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { atMost, CreatorParams, Id, PageQuery, pageOf, Timestamp, WebLink } from '#contract/shapes.ts';

export const MOST_MEALS = 60;
export const MOST_SECTIONS = 14;
export const DAYS_OF_WEEK = 7;
/** @param startsOn "2027-01-04". @returns the days of its week, at midnight UTC */
export function datesOfWeek(startsOn: string): Date[] {
  const first = Date.parse(`${startsOn}T00:00:00Z`);
  return Array.from({ length: DAYS_OF_WEEK }, (_, day) => new Date(first + day * 86_400_000));
}

/** Meals of a day that have a name in every language; a creator may write another word. */
export const MEAL_SLOTS = ['breakfast', 'lunch', 'dinner', 'snack'] as const;
export type MealSlot = (typeof MEAL_SLOTS)[number];

const Servings = z
  .int()
  .check(z.minimum(1, 'Enter a number from 1 to 100.'), z.maximum(100, 'Enter a number from 1 to 100.'));

export const Meal = z
  .object({
    id: Id,
    /** Its day or section, counted from 0. */
    section: z.int().check(z.minimum(0), z.maximum(MOST_SECTIONS - 1)),
    slot: z.string().check(z.trim(), z.maxLength(40, 'At most 40 characters.')),
    /** Null: a meal without a list, like leftovers, as `text` says. */
    recipeId: z.nullable(Id),
    text: z.string().check(z.trim(), z.maxLength(120, 'At most 120 characters.')),
    /** Null: as the recipe is written. Of a recipe that does not say for how many: so many times the recipe. */
    servings: z.nullable(Servings),
  })
  .check(
    z.refine(({ recipeId, text }) => recipeId !== null || text !== '', {
      error: 'Choose a recipe or write what there is to eat.',
      path: ['text'],
    }),
  );
export type Meal = z.infer<typeof Meal>;

/** The fields a creator fills in. */
export const MealPlanInput = z
  .object({
    name: z
      .string()
      .check(z.trim(), z.minLength(1, 'Enter a name for the plan.'), z.maxLength(120, 'At most 120 characters.')),
    note: z.string().check(z.trim(), z.maxLength(2000, 'At most 2,000 characters.')),
    pictureUrl: z.nullable(WebLink),
    kind: z.enum(['week', 'free']),
    /** The date of a week's first day; null: a week of any time. */
    startsOn: z.nullable(z.iso.date()),
    /** Names of what a free plan is divided into; a week has its seven days. */
    sections: z
      .array(
        z
          .string()
          .check(z.trim(), z.minLength(1, 'Enter a name for the section.'), z.maxLength(60, 'At most 60 characters.')),
      )
      .check(z.maxLength(MOST_SECTIONS, 'A plan can have at most 14 sections.')),
    meals: z.array(Meal).check(
      z.maxLength(MOST_MEALS, 'A plan can have at most 60 meals.'),
      z.refine((meals) => new Set(meals.map(({ id }) => id)).size === meals.length, 'Two meals have the same id.'),
    ),
  })
  .check(
    z.refine(({ kind, sections }) => (kind === 'week') === (sections.length === 0), {
      error: 'A free plan needs a section; a week has its days.',
      path: ['sections'],
    }),
    z.refine(
      ({ kind, sections, meals }) =>
        meals.every(({ section }) => section < (kind === 'week' ? DAYS_OF_WEEK : sections.length)),
      { error: 'A meal stands in a section that isn’t there.', path: ['meals'] },
    ),
  );
export type MealPlanInput = z.infer<typeof MealPlanInput>;

/** What a plan shows of a recipe. */
export const RecipeOfPlan = z.object({
  id: Id,
  name: z.string(),
  pictureUrl: z.nullable(z.string()),
  /** Null: the recipe does not say. */
  servings: z.nullable(z.int()),
  /** Lines that can be bought; 0: nothing of it comes onto the list. */
  lines: z.int(),
  toCheck: z.int(),
});
export type RecipeOfPlan = z.infer<typeof RecipeOfPlan>;

export const MealPlan = z.object({
  ...{ id: Id, version: z.int(), createdAt: Timestamp, updatedAt: Timestamp },
  ...{ name: z.string(), note: z.string(), pictureUrl: z.nullable(z.string()) },
  ...{ kind: z.enum(['week', 'free']), startsOn: z.nullable(z.string()) },
  sections: atMost(MOST_SECTIONS, z.string()),
  meals: atMost(MOST_MEALS, Meal),
  /** Those of its meals. */
  recipes: atMost(MOST_MEALS, RecipeOfPlan),
  /** Null: nobody but the team sees it. */
  published: z.nullable(z.object({ at: Timestamp, url: z.url() })),
});
export type MealPlan = z.infer<typeof MealPlan>;

export const MEAL_PLAN_FIGURES_DAYS = 28;

export const ListedMealPlan = z.object({
  ...{ id: Id, name: z.string(), pictureUrl: z.nullable(z.string()), updatedAt: Timestamp },
  ...{ kind: z.enum(['week', 'free']), startsOn: z.nullable(z.string()), meals: z.int() },
  published: z.nullable(z.object({ at: Timestamp, url: z.url() })),
  /** Who opened it in these days. */
  people: z.int(),
});
export type ListedMealPlan = z.infer<typeof ListedMealPlan>;

/** What people see otherwise once the draft is published. */
export const PlanDifferences = z.object({
  /** Name, note, picture, days or their order. */
  details: z.boolean(),
  meals: z.object({ added: atMost(MOST_MEALS, z.string()), removed: atMost(MOST_MEALS, z.string()) }),
  /** `before`, `after`: how much; null: not on the list. */
  items: atMost(100, z.object({ name: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })),
});
export type PlanDifferences = z.infer<typeof PlanDifferences>;

const MealPlanParams = z.object({ creatorId: Id, mealPlanId: Id });
const path = '/creators/:creatorId/meal-plans';

export const listMealPlans = endpoint({
  method: 'GET',
  path,
  access: 'creator',
  refreshedBy: ['plans'],
  summary: 'Meal plans, most recently changed first; `search` looks in names',
  params: CreatorParams,
  query: z.object({ ...PageQuery, search: z.optional(z.string().check(z.maxLength(100))) }),
  response: pageOf(ListedMealPlan),
  errors: ['invalid_input'],
});

export const getMealPlan = endpoint({
  method: 'GET',
  path: `${path}/:mealPlanId`,
  access: 'creator',
  refreshedBy: ['automations', 'plans'],
  summary: 'One meal plan',
  params: MealPlanParams,
  response: MealPlan,
  errors: ['not_found'],
});

export const createMealPlan = endpoint({
  method: 'POST',
  path,
  access: 'creator',
  quotas: ['meal_plans', 'plan_bytes'],
  makes: true,
  summary: 'Make a meal plan; no one sees it before it is published',
  params: CreatorParams,
  body: MealPlanInput,
  response: MealPlan,
  errors: ['invalid_input', 'not_found', 'already_exists'],
});

export const changeMealPlan = endpoint({
  method: 'PUT',
  path: `${path}/:mealPlanId`,
  access: 'creator',
  quotas: ['plan_bytes'],
  summary: 'Change a meal plan; people see what was published until it is published again',
  params: MealPlanParams,
  body: z.extend(MealPlanInput, { version: z.int() }),
  response: MealPlan,
  errors: ['invalid_input', 'not_found', 'already_exists', 'changed_meanwhile'],
});

export const duplicateMealPlan = endpoint({
  method: 'POST',
  path: `${path}/:mealPlanId/duplicate`,
  access: 'creator',
  quotas: ['meal_plans', 'plan_bytes'],
  makes: true,
  summary:
    'Make a meal plan like this one, with what was changed in its ingredients; no one sees it before it is published',
  params: MealPlanParams,
  response: MealPlan,
  errors: ['not_found'],
});

export const deleteMealPlan = endpoint({
  method: 'DELETE',
  path: `${path}/:mealPlanId`,
  access: 'creator',
  summary: 'Delete a meal plan; refused while it is published',
  params: MealPlanParams,
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'not_possible_now'],
});

export const getPlanDifferences = endpoint({
  method: 'GET',
  path: `${path}/:mealPlanId/differences`,
  access: 'creator',
  refreshedBy: ['automations', 'plans'],
  summary:
    'What people will see otherwise once a published meal plan is published again; null while it isn’t published',
  params: MealPlanParams,
  response: z.object({ differences: z.nullable(PlanDifferences) }),
  errors: ['not_found'],
});

export const publishMealPlan = endpoint({
  method: 'POST',
  path: `${path}/:mealPlanId/publish`,
  access: 'creator',
  quotas: ['plan_bytes'],
  summary: 'Show people a meal plan as it is now, with the ingredients of its recipes as they are now',
  params: MealPlanParams,
  body: z.object({ version: z.int() }),
  response: MealPlan,
  errors: ['not_found', 'changed_meanwhile', 'not_possible_now'],
});

export const unpublishMealPlan = endpoint({
  method: 'POST',
  path: `${path}/:mealPlanId/unpublish`,
  access: 'creator',
  summary: 'Unpublish a meal plan: its address answers that it isn’t there',
  params: MealPlanParams,
  response: MealPlan,
  errors: ['not_found'],
});

/** Into a week: one for each of its working days. */
export const MOST_SUGGESTED = 5;

export const suggestMealPlan = endpoint({
  method: 'POST',
  path: `${path}/suggest`,
  access: 'creator',
  summary:
    'Recipes that most people asked for in comments of the last 28 days, as a start for a meal plan; saves nothing',
  params: CreatorParams,
  response: z.object({ recipes: atMost(MOST_SUGGESTED, z.extend(RecipeOfPlan, { people: z.int() })) }),
});
