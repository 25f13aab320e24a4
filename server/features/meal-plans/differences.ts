/** What people see otherwise once a plan is published again. */
import { isDeepStrictEqual } from 'node:util';
import { languageOf } from '#contract/ingredients/languages.ts';
import { listPlan, needOf, planLanguage, readPlan } from '#contract/ingredients/plan-list.ts';
import type { PlanDifferences } from '#contract/meal-plans.ts';
import type { PublishedPlan } from './content.ts';

/** @returns null: nothing */
export function differencesOf(before: PublishedPlan, after: PublishedPlan): PlanDifferences | null {
  const [left, right] = [stored(before), stored(after)];
  if (isDeepStrictEqual(left, right)) return null;
  const [had, has] = [itemsOf(left), itemsOf(right)];
  const names = [...new Set([...has.keys(), ...had.keys()])];
  return {
    details: !isDeepStrictEqual(detailsOf(left), detailsOf(right)),
    meals: { added: mealsBut(right, left), removed: mealsBut(left, right) },
    items: names.flatMap((key) => {
      const [one, other] = [had.get(key), has.get(key)];
      if (one?.need === other?.need && one?.says === other?.says) return [];
      return [{ name: (other ?? one)!.name, before: one?.need ?? null, after: other?.need ?? null }];
    }),
  };
}

/** As the database gives it back, without what is absent. */
function stored(content: PublishedPlan): PublishedPlan {
  return JSON.parse(JSON.stringify(content)) as PublishedPlan;
}

function detailsOf({ recipes, words: _, changes: __, ...plan }: PublishedPlan) {
  return { ...plan, recipes: recipes.map(({ id, name, url, pictureUrl }) => ({ id, name, url, pictureUrl })) };
}

function mealsBut(of: PublishedPlan, but: PublishedPlan): string[] {
  const others = new Set(but.meals.map(({ id }) => id));
  const names = new Map(of.recipes.map(({ id, name }) => [id, name]));
  return of.meals.filter(({ id }) => !others.has(id)).map((meal) => names.get(meal.recipeId ?? '') ?? meal.text);
}

function itemsOf(content: PublishedPlan) {
  const languageFor = (recipe: Parameters<typeof languageOf>[0]) => languageOf(recipe, content.words);
  const language = languageFor(planLanguage(content));
  const { items, unread } = listPlan(readPlan(content, languageFor), content.changes, { language });
  const shown = items.filter(({ isLeftOut }) => !isLeftOut);
  return new Map([
    ...shown.map((item) => {
      const { food, aisle, starts, note, words } = item;
      return [
        item.key,
        { name: food.name, need: needOf(item), says: JSON.stringify([food.name, aisle, starts, note, words]) },
      ] as const;
    }),
    ...unread.map(({ id, text }) => [`unread ${id}`, { name: text, need: '', says: text }] as const),
  ]);
}
