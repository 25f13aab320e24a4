/** The days of a meal plan, as people read them: what there is to eat, leading to the recipes. */
import { DAYS_OF_WEEK, datesOfWeek, MEAL_SLOTS, type Meal, type MealSlot } from '#contract/meal-plans.ts';
import type { PublishedPlan } from '#server/features/meal-plans/content.ts';
import { onlyFor } from '#server/features/recipes/locks.ts';
import { type Html, html } from '#server/http/html.ts';
import { pageLanguage } from './words/page-language.ts';

export type Day = {
  name: string;
  /** `more`: for what and how many, and whether it is locked. */
  meals: { name: string; more: string[]; recipe: PublishedPlan['recipes'][number] | null }[];
};

export function daysOf(plan: PublishedPlan, language: string): Html {
  const days = readDays(plan, language);
  return html`<section class="days">${plan.note !== '' && html`<p>${plan.note.split('\n').map((line) => html`<bdi>${line}</bdi><br>`)}</p>`}${days.map(
    ({ name, meals }) => html`<h2>${name}</h2><ul>${meals.map(mealOf)}</ul>`,
  )}</section>`;
}

function mealOf({ name, more, recipe }: Day['meals'][number]): Html {
  const said = html`<bdi>${name}</bdi>`;
  return html`<li>${recipe?.pictureUrl != null && html`<img src="${recipe.pictureUrl}" alt="" width="48" height="48" loading="lazy" referrerpolicy="no-referrer">`}<span class="row">${
    recipe === null ? said : html`<a href="${recipe.url}">${said}</a>`
  }${more.length > 0 && html`<small>${more.join(', ')}</small>`}</span></li>`;
}

/** Those that have a meal. */
export function readDays(plan: PublishedPlan, language: string): Day[] {
  const { words } = pageLanguage(language);
  const recipes = new Map(plan.recipes.map((recipe) => [recipe.id, recipe]));
  return sectionNames(plan, language).flatMap((name, place) => {
    const meals = plan.meals.filter(({ section }) => section === place);
    const shown = meals.map((meal) => {
      const recipe = recipes.get(meal.recipeId ?? '') ?? null;
      const count = meal.servings ?? recipe?.servings ?? null;
      const servings =
        recipe === null || count === null
          ? ''
          : recipe.servings === null
            ? `${count}×`
            : words.forServings(String(count));
      const locked =
        recipe?.lockedFor === undefined ? '' : `${onlyFor(recipe.lockedFor, words)} ${words.readItOnTheBlog}`;
      const more = [slotName(meal, words.slots), servings, locked].filter((part) => part !== '');
      return { name: recipe?.name ?? meal.text, more, recipe };
    });
    return shown.length === 0 ? [] : [{ name, meals: shown }];
  });
}

function slotName({ slot }: Meal, names: Record<MealSlot, string>): string {
  return (MEAL_SLOTS as readonly string[]).includes(slot) ? names[slot as MealSlot] : slot;
}

function sectionNames({ kind, startsOn, sections }: PublishedPlan, language: string): string[] {
  if (kind === 'free') return sections;
  const { words, tag } = pageLanguage(language);
  if (startsOn === null) return Array.from({ length: DAYS_OF_WEEK }, (_, day) => words.day(String(day + 1)));
  const format = new Intl.DateTimeFormat(tag, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
  return datesOfWeek(startsOn).map((date) => format.format(date));
}
