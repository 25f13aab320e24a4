/** How the screens of meal plans speak. */
import type { PlanChanges } from '#contract/meal-plan-ingredients.ts';
import {
  DAYS_OF_WEEK,
  datesOfWeek,
  MEAL_SLOTS,
  type Meal,
  type MealPlanInput,
  type MealSlot,
} from '#contract/meal-plans.ts';

export const SLOTS: Record<MealSlot, string> = {
  breakfast: 'Breakfast',
  lunch: 'Lunch',
  dinner: 'Dinner',
  snack: 'Snack',
};

export function slotWords(slot: string): string {
  return (MEAL_SLOTS as readonly string[]).includes(slot) ? SLOTS[slot as MealSlot] : slot;
}

const DATE = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'short', day: 'numeric', timeZone: 'UTC' });

/** "Monday, Jan 4"; "Day 1" without a date. */
export function sectionNames({
  kind,
  startsOn,
  sections,
}: Pick<MealPlanInput, 'kind' | 'startsOn' | 'sections'>): string[] {
  if (kind === 'free') return sections;
  if (startsOn !== null) return datesOfWeek(startsOn).map((date) => DATE.format(date));
  return Array.from({ length: DAYS_OF_WEEK }, (_, day) => `Day ${day + 1}`);
}

export function mealName(
  meal: Pick<Meal, 'recipeId' | 'text'>,
  recipes: ReadonlyMap<string, { name: string }>,
): string {
  return meal.recipeId === null ? meal.text : (recipes.get(meal.recipeId)?.name ?? 'A recipe');
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** What of two versions of a plan differs, field by field. */
export function planDifferences(
  mine: MealPlanInput,
  theirs: MealPlanInput,
  recipes: ReadonlyMap<string, { name: string }>,
) {
  const mealsOf = (plan: MealPlanInput) =>
    plan.meals
      .map((meal) => {
        const more = [slotWords(meal.slot), meal.servings === null ? '' : `for ${meal.servings}`].filter(Boolean);
        return `${sectionNames(plan)[meal.section] ?? ''}: ${[mealName(meal, recipes), ...more].join(', ')}`;
      })
      .join('\n');
  return differing<MealPlanInput>(mine, theirs, [
    ['name', 'Name', ({ name }) => name],
    ['note', 'Note', ({ note }) => note],
    ['pictureUrl', 'Picture', ({ pictureUrl }) => pictureUrl ?? 'none'],
    ['sections', 'Days', (plan) => sectionNames(plan).join(', ')],
    ['meals', 'Meals', mealsOf],
  ]);
}

/** @param lineWords what a line of a meal says */
export function changeDifferences(
  mine: PlanChanges,
  theirs: PlanChanges,
  lineWords: (mealId: string, lineId: string) => string,
) {
  const amountsOf = (amounts: PlanChanges['items'][number]['amounts']) =>
    amounts
      ?.map(({ from, to, unit }) => [to === null ? from : `${from}-${to}`, unit].filter(Boolean).join(' '))
      .join(', ');
  const said = (parts: (string | false | undefined)[]) => parts.filter(Boolean).join(', ');
  return differing<PlanChanges>(mine, theirs, [
    [
      'items',
      'Items',
      ({ items }) =>
        items
          .map((item) => {
            const flags = [item.leftOut && 'left out', item.have && 'people have it'];
            return `${item.key}: ${said([amountsOf(item.amounts), item.food, item.aisle, item.product, item.note, ...flags])}`;
          })
          .join('\n'),
    ],
    [
      'lines',
      'Lines',
      ({ lines }) =>
        lines
          .map((line) => {
            const now = said([amountsOf(line.amounts), line.food, line.leftOut && 'left out']);
            return `${lineWords(line.mealId, line.lineId)}: ${now}`;
          })
          .join('\n'),
    ],
    ['own', 'Your own items', ({ own }) => own.map(({ text }) => text).join('\n')],
    ['together', 'Put together', ({ together }) => together.map(({ from, into }) => `${from} with ${into}`).join('\n')],
    ['apart', 'Taken apart', ({ apart }) => apart.join('\n')],
  ]);
}

function differing<T>(mine: T, theirs: T, fields: [field: string, label: string, words: (content: T) => string][]) {
  return fields
    .map(([field, label, words]) => ({ field, label, mine: words(mine), theirs: words(theirs) }))
    .filter((one) => one.mine !== one.theirs);
}
