/** Meal plans. The one writer of `meal_plans` and of what is published of them. */
import { sql } from 'kysely';
import type { ResponseOf } from '#contract/endpoint.ts';
import { NO_CHANGES, type PlanChanges, type PlanIngredients } from '#contract/meal-plan-ingredients.ts';
import {
  type ListedMealPlan,
  MEAL_PLAN_FIGURES_DAYS,
  type MealPlan,
  type MealPlanInput,
  MOST_SUGGESTED,
  type PlanDifferences,
  type suggestMealPlan,
} from '#contract/meal-plans.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { Library, refuseWhileLedTo, searched, usesInButtons } from '#server/features/libraries/library.ts';
import { listUrl, newCode } from '#server/features/recipes/ingredients.ts';
import { requireRecipes } from '#server/features/recipes/recipes.ts';
import { contentOf, mealsOf, type PlanRow, type PublishedPlan, recipeIdsOf, summariesOf } from './content.ts';
import { differencesOf } from './differences.ts';

const PAGE_SIZE = 50;
const DAY_MS = 86_400_000;
const LONGEST_NAME = 120;

type Deps = { clock: Clock; ids: Ids; config: { baseUrl: string } };
type Stored = MealPlanInput & Partial<{ code: string; changes: PlanChanges }>;
type Of = { creatorId: string; mealPlanId: string };

const CHANGED =
  'Someone else changed this plan while you were editing. Your version is still here: compare and choose.';
const MISSING = 'This meal plan doesn’t exist, or was deleted.';

const library = new Library<Stored, PlanRow, { row: PlanRow }>({
  table: 'meal_plans',
  order: 'last_changed_first',
  missing: MISSING,
  changed: CHANGED,
  alsoSelect: sql`(
    select published_at from published_meal_plans p
    where p.creator_id = meal_plans.creator_id and p.meal_plan_id = meal_plans.id
  ) as published_at`,
  problemsOf: () => [],
  columnsOf: ({ name, note, pictureUrl, kind, startsOn, sections, meals, code, changes }) => ({
    ...{ name, note, picture_url: pictureUrl, kind, starts_on: kind === 'week' ? startsOn : null },
    ...{ sections: JSON.stringify(sections), meals: JSON.stringify(meals) },
    ...(code !== undefined && { list_code: code }),
    ...(changes !== undefined && { changes: JSON.stringify(changes) }),
  }),
  contentOf: (row) => ({ row }),
  unique: {
    field: 'name',
    constraint: 'meal_plans_by_name',
    sameAs: ({ name }) => sql`lower(name) = lower(${name})`,
    message: ({ name }) => `You already have a plan named “${name}”. Choose another name.`,
  },
  usesOf: (creatorId, ids) => usesInButtons('mealPlanId', creatorId, ids),
  refuseRemoval: refuseWhileLedTo,
});

type Query = { search?: string | undefined; after?: string | undefined; limit?: number | undefined };

export async function list(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  { search, after, limit = PAGE_SIZE }: Query,
): Promise<{ items: ListedMealPlan[]; next: string | null }> {
  const found = searched(search, (like) => sql`name ilike ${like}`);
  const page = await library.list(trx, creatorId, { after, limit }, found);
  const since = new Date(deps.clock.now().getTime() - MEAL_PLAN_FIGURES_DAYS * DAY_MS);
  const { rows } = await sql<{ id: string; people: number }>`
    select l.meal_plan_id as id, count(distinct coalesce(c.delivery_id, c.id))::int as people from links l
    join clicks c on c.creator_id = l.creator_id and c.link_id = l.id
    where l.creator_id = ${creatorId} and l.meal_plan_id = any(${page.items.map(({ id }) => id)}::uuid[]) and l.part = 'list'
      and c.clicked_at > ${since} and c.not_counted_because is null
    group by 1
  `.execute(trx);
  const people = new Map(rows.map((one) => [one.id, one.people]));
  return {
    ...page,
    items: page.items.map(({ id, row, updatedAt }) => ({
      ...{ id, name: row.name, pictureUrl: row.picture_url, updatedAt, people: people.get(id) ?? 0 },
      ...{ kind: row.kind as MealPlan['kind'], startsOn: row.starts_on, meals: mealsOf(row).length },
      published: publicationOf(deps, row),
    })),
  };
}

/** @throws AppError not_found */
export async function get(deps: Deps, trx: CreatorTransaction, { creatorId, mealPlanId }: Of): Promise<MealPlan> {
  const { row } = await library.get(trx, creatorId, mealPlanId);
  const meals = mealsOf(row);
  return {
    ...{
      id: row.id,
      version: row.version,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
    },
    ...{ name: row.name, note: row.note, pictureUrl: row.picture_url },
    ...{ kind: row.kind as MealPlan['kind'], startsOn: row.starts_on, sections: row.sections as string[], meals },
    recipes: await summariesOf(trx, creatorId, recipeIdsOf(meals)),
    published: publicationOf(deps, row),
  };
}

/** @throws AppError not_found, already_exists */
export async function create(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
  input: MealPlanInput,
  changes: PlanChanges = NO_CHANGES,
): Promise<MealPlan> {
  await requireRecipes(trx, creatorId, recipeIdsOf(input.meals));
  const { id } = await library.create(deps, trx, creatorId, { ...input, code: newCode(deps), changes });
  return get(deps, trx, { creatorId, mealPlanId: id });
}

/** @throws AppError not_found, already_exists, changed_meanwhile */
export async function change(
  deps: Deps,
  trx: CreatorTransaction,
  of: Of,
  input: MealPlanInput & { version: number },
): Promise<MealPlan> {
  await requireRecipes(trx, of.creatorId, recipeIdsOf(input.meals));
  await library.change(deps, trx, of.creatorId, of.mealPlanId, input);
  return get(deps, trx, of);
}

/** @throws AppError not_found */
export async function duplicate(deps: Deps, trx: CreatorTransaction, of: Of): Promise<MealPlan> {
  const { row } = await library.get(trx, of.creatorId, of.mealPlanId);
  const { name, note, pictureUrl, kind, startsOn, sections, meals, changes } = await contentOf(trx, row);
  const input = { note, pictureUrl, kind, startsOn, sections, meals: [...meals] };
  return create(deps, trx, of.creatorId, { ...input, name: await freeName(trx, of.creatorId, name) }, changes);
}

/** "Week of pasta (2)" */
async function freeName(trx: CreatorTransaction, creatorId: string, name: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select lower(name) as name from meal_plans where creator_id = ${creatorId}
  `.execute(trx);
  const taken = new Set(rows.map((row) => row.name));
  for (let number = 2; ; number++) {
    const ending = ` (${number})`;
    const wanted = `${name.replace(/ \(\d+\)$/, '').slice(0, LONGEST_NAME - ending.length)}${ending}`;
    if (!taken.has(wanted.toLowerCase())) return wanted;
  }
}

/** @throws AppError not_found, not_possible_now */
export async function remove(deps: Deps, trx: CreatorTransaction, { creatorId, mealPlanId }: Of): Promise<void> {
  const { row } = await held(trx, { creatorId, mealPlanId });
  if (row.published_at !== null) {
    throw new AppError('not_possible_now', `People can open “${row.name}”. Unpublish it first, then delete it.`);
  }
  await library.remove(deps, trx, creatorId, mealPlanId);
}

/** @throws AppError not_found */
export async function getIngredients(trx: CreatorTransaction, { creatorId, mealPlanId }: Of): Promise<PlanIngredients> {
  const { row } = await library.get(trx, creatorId, mealPlanId);
  const { meals, recipes, words, changes } = await contentOf(trx, row);
  const lines = recipes.map(({ url: _, pictureUrl: __, ...recipe }) => recipe);
  return { version: row.version, meals: [...meals], recipes: lines, words: words as PlanIngredients['words'], changes };
}

/** @throws AppError not_found, changed_meanwhile */
export async function saveIngredients(
  deps: Deps,
  trx: CreatorTransaction,
  of: Of,
  { version, ...changes }: PlanChanges & { version: number },
): Promise<PlanIngredients> {
  const { row } = await held(trx, of);
  if (row.version !== version) throw new AppError('changed_meanwhile', CHANGED);
  await trx
    .updateTable('meal_plans')
    .set({ changes: JSON.stringify(changes), version: sql`version + 1`, updated_at: deps.clock.now() })
    .where('creator_id', '=', of.creatorId)
    .where('id', '=', of.mealPlanId)
    .execute();
  return getIngredients(trx, of);
}

/** @returns null while it is not published. @throws AppError not_found */
export async function differences(trx: CreatorTransaction, of: Of): Promise<PlanDifferences | null> {
  const { row } = await library.get(trx, of.creatorId, of.mealPlanId);
  const published = await trx
    .selectFrom('published_meal_plans')
    .select('content')
    .where('creator_id', '=', of.creatorId)
    .where('meal_plan_id', '=', of.mealPlanId)
    .executeTakeFirst();
  if (published === undefined) return null;
  return differencesOf(published.content as PublishedPlan, await contentOf(trx, row)) ?? NOTHING;
}
const NOTHING: PlanDifferences = { details: false, meals: { added: [], removed: [] }, items: [] };

/** @throws AppError not_found, changed_meanwhile, not_possible_now */
export async function publish(deps: Deps, trx: CreatorTransaction, of: Of, version: number): Promise<MealPlan> {
  const { row } = await held(trx, of);
  if (row.version !== version) throw new AppError('changed_meanwhile', CHANGED);
  if (mealsOf(row).length === 0) throw new AppError('not_possible_now', 'Add a meal first, then publish the plan.');
  const published = { content: JSON.stringify(await contentOf(trx, row)), published_at: deps.clock.now() };
  await trx
    .insertInto('published_meal_plans')
    .values({ creator_id: of.creatorId, meal_plan_id: of.mealPlanId, ...published })
    .onConflict((conflict) => conflict.columns(['creator_id', 'meal_plan_id']).doUpdateSet(published))
    .execute();
  return get(deps, trx, of);
}

/** @throws AppError not_found, not_possible_now while a button leads to it */
export async function unpublish(deps: Deps, trx: CreatorTransaction, of: Of): Promise<MealPlan> {
  const { row } = await held(trx, of);
  refuseWhileLedTo(row.name, await library.usesOf(trx, of.creatorId, of.mealPlanId));
  await trx
    .deleteFrom('published_meal_plans')
    .where('creator_id', '=', of.creatorId)
    .where('meal_plan_id', '=', of.mealPlanId)
    .execute();
  return get(deps, trx, of);
}

/** Those that can be bought, asked for by most people first. */
export async function suggest(
  deps: Deps,
  trx: CreatorTransaction,
  creatorId: string,
): Promise<ResponseOf<typeof suggestMealPlan>> {
  const since = new Date(deps.clock.now().getTime() - MEAL_PLAN_FIGURES_DAYS * DAY_MS);
  const { rows } = await sql<{ id: string; people: number }>`
    with recipes_of as materialized (
      select distinct a.id as automation_id, button ->> 'recipeId' as recipe_id
      from automations a cross join jsonb_array_elements(a.buttons) as button
      where a.creator_id = ${creatorId} and button ->> 'recipeId' is not null
    )
    select i.recipe_id as id, count(distinct c.person_id)::int as people
    from recipes_of o
    join interactions c on c.creator_id = ${creatorId} and c.automation_id = o.automation_id
      and c.kind in ('comment', 'live_comment') and c.occurred_at > ${since} and not c.is_test
    join recipe_ingredients i on i.creator_id = ${creatorId} and i.recipe_id = o.recipe_id::uuid
      and i.line_count > 0 and i.deleted_recipe is null
    group by 1 order by 2 desc, 1 limit ${MOST_SUGGESTED}
  `.execute(trx);
  const found = await summariesOf(
    trx,
    creatorId,
    rows.map(({ id }) => id),
  );
  const recipes = new Map(found.map((recipe) => [recipe.id, recipe]));
  return { recipes: rows.map(({ id, people }) => ({ ...recipes.get(id)!, people })) };
}

/**
 * Holds them until the end of the transaction.
 *
 * @returns addresses by id
 * @throws AppError not_found, invalid_input for one that is not published
 */
export async function requirePublishedPlans(
  { config }: Pick<Deps, 'config'>,
  trx: CreatorTransaction,
  creatorId: string,
  ids: string[],
): Promise<Map<string, string>> {
  const rows = await library.hold(trx, creatorId, ids, 'A meal plan is gone. Choose another one or enter a link.');
  const published = await trx
    .selectFrom('published_meal_plans')
    .select('meal_plan_id')
    .where('creator_id', '=', creatorId)
    .where('meal_plan_id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  const missing = rows.find(({ id }) => !published.some(({ meal_plan_id }) => meal_plan_id === id));
  if (missing !== undefined) {
    throw new AppError('invalid_input', `Publish the meal plan “${missing.name}” first, then send it.`);
  }
  return new Map(rows.map(({ id, list_code }) => [id, listUrl(config, list_code)]));
}

/** Nobody changes it until the end of the transaction. @throws AppError not_found */
async function held(trx: CreatorTransaction, { creatorId, mealPlanId }: Of) {
  await library.hold(trx, creatorId, [mealPlanId], MISSING, 'update');
  return library.get(trx, creatorId, mealPlanId);
}

function publicationOf({ config }: Pick<Deps, 'config'>, row: PlanRow): MealPlan['published'] {
  return row.published_at && { at: row.published_at.toISOString(), url: listUrl(config, row.list_code) };
}
