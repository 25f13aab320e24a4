/** What a plan is made of now: its meals, the lines of their recipes, and what was changed on top. */
import { type Selectable, sql } from 'kysely';
import type { OwnWord } from '#contract/ingredients/own-words.ts';
import type { PlanContent } from '#contract/ingredients/plan-list.ts';
import type { PlanChanges, PlanRecipe } from '#contract/meal-plan-ingredients.ts';
import type { Meal, RecipeOfPlan } from '#contract/meal-plans.ts';
import type { CreatorTransaction } from '#server/db/database.ts';
import type { MealPlansTable } from '#server/db/types.ts';
import { ownWordsOf } from '#server/features/ingredient-words/words.ts';

export type PlanRow = Selectable<MealPlansTable> & { published_at: Date | null };

/** What people see of a plan, kept as it was when it was published. */
export type PublishedPlan = Omit<PlanContent, 'recipes'> & {
  name: string;
  note: string;
  pictureUrl: string | null;
  kind: 'week' | 'free';
  startsOn: string | null;
  sections: string[];
  recipes: (PlanRecipe & {
    pictureUrl: string | null;
    /** Its page, else its list. */
    url: string;
    /** Whom alone the blog shows it to, as of now. */
    lockedFor?: string;
  })[];
  words: OwnWord[];
};

export function mealsOf({ meals }: Pick<PlanRow, 'meals'>): Meal[] {
  return meals as Meal[];
}

export function recipeIdsOf(meals: readonly Meal[]): string[] {
  return [...new Set(meals.flatMap(({ recipeId }) => recipeId ?? []))];
}

/** Without those of meals that are gone. */
export function changesOf(row: Pick<PlanRow, 'meals' | 'changes'>): PlanChanges {
  const changes = row.changes as PlanChanges;
  const meals = new Set(mealsOf(row).map(({ id }) => id));
  return { ...changes, lines: changes.lines.filter(({ mealId }) => meals.has(mealId)) };
}

/** All that its page would show now. */
export async function contentOf(trx: CreatorTransaction, row: PlanRow): Promise<PublishedPlan> {
  const { name, note, picture_url: pictureUrl, kind, starts_on: startsOn, sections } = row;
  return {
    ...{ name, note, pictureUrl, kind: kind as PublishedPlan['kind'], startsOn, sections: sections as string[] },
    ...{ meals: mealsOf(row), changes: changesOf(row) },
    recipes: await readRecipes(trx, row.creator_id, recipeIdsOf(mealsOf(row))),
    words: await ownWordsOf(trx, row.creator_id),
  };
}

async function readRecipes(trx: CreatorTransaction, creatorId: string, ids: string[]) {
  const { rows } = await sql<PublishedPlan['recipes'][number]>`
    select r.id, r.name, r.picture_url as "pictureUrl", r.url, i.servings, coalesce(i.measures, 'us') as measures,
      coalesce(i.language, 'en') as language, (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', line -> 'id', 'text', line -> 'text', 'fixes', line -> 'fixes', 'checked', line -> 'checked'
        ) order by place), '[]')
        from jsonb_array_elements(i.lines) with ordinality as one (line, place)
      ) as lines
    from recipes r
    left join recipe_ingredients i on i.creator_id = r.creator_id and i.recipe_id = r.id
    where r.creator_id = ${creatorId} and r.id = any(${ids}::uuid[])
    order by r.id
  `.execute(trx);
  return rows;
}

/** By id, in no order. */
export async function summariesOf(trx: CreatorTransaction, creatorId: string, ids: string[]): Promise<RecipeOfPlan[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<RecipeOfPlan>`
    select r.id, r.name, r.picture_url as "pictureUrl", i.servings, coalesce(i.line_count, 0) as lines,
      coalesce(i.to_check, 0) as "toCheck"
    from recipes r
    left join recipe_ingredients i on i.creator_id = r.creator_id and i.recipe_id = r.id
    where r.creator_id = ${creatorId} and r.id = any(${ids}::uuid[])
  `.execute(trx);
  return rows;
}
