/** Whether a recipe was brought in twice, from pages that nothing else says are the same. */
import { sql } from 'kysely';
import type { RecipeIngredients } from '#contract/recipe-ingredients.ts';
import type { CreatorTransaction } from '#server/db/database.ts';

/** Of the foods of the recipe with more of them. */
const SAME_FOODS = 0.8;

/** @returns the recipe of the creator with the same name and nearly the same foods, of several the most alike */
export async function findLookalike(
  trx: CreatorTransaction,
  { creatorId, recipeId }: { creatorId: string; recipeId: string },
): Promise<RecipeIngredients['lookalike']> {
  const { rows } = await sql<{ id: string; leadsTo: string; foods: string; ours: string }>`
    select r.id, r.url as "leadsTo", i.foods, own.foods as ours
    from recipes o
    join recipe_ingredients own on own.creator_id = o.creator_id and own.recipe_id = o.id and own.foods <> ''
    join recipes r on r.creator_id = o.creator_id and lower(r.name) = lower(o.name) and r.id <> o.id
    join recipe_ingredients i on i.creator_id = r.creator_id and i.recipe_id = r.id and i.foods <> ''
    where o.creator_id = ${creatorId} and o.id = ${recipeId}
    order by r.created_at, r.id
  `.execute(trx);
  const found = rows
    .map(({ id, leadsTo, foods, ours }) => ({ id, leadsTo, share: sharedFoods(ours, foods) }))
    .filter(({ share }) => share >= SAME_FOODS)
    .toSorted((one, other) => other.share - one.share)[0];
  return found === undefined ? null : { id: found.id, leadsTo: found.leadsTo };
}

/** @param one names of foods, as `recipe_ingredients.foods` has them */
function sharedFoods(one: string, other: string): number {
  const [ours, theirs] = [one.split(', '), new Set(other.split(', '))];
  return ours.filter((food) => theirs.has(food)).length / Math.max(ours.length, theirs.size);
}
