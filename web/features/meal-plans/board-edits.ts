/** Edits of a plan's board, each giving a new plan. */
import { DAYS_OF_WEEK, type Meal, type MealPlanInput } from '#contract/meal-plans.ts';

export function addMeal(
  plan: MealPlanInput,
  section: number,
  { recipeId, text }: Pick<Meal, 'recipeId' | 'text'>,
): MealPlanInput {
  const meal = { id: crypto.randomUUID(), section, slot: '', recipeId, text, servings: null };
  return { ...plan, meals: [...plan.meals, meal] };
}

export function changeMeal(plan: MealPlanInput, id: string, over: Partial<Meal>): MealPlanInput {
  return { ...plan, meals: plan.meals.map((meal) => (meal.id === id ? { ...meal, ...over } : meal)) };
}

export function removeMeal(plan: MealPlanInput, id: string): MealPlanInput {
  return { ...plan, meals: plan.meals.filter((meal) => meal.id !== id) };
}

/** To the end of a section; @param by within its own section: one up (-1) or down (1) */
export function moveMeal(plan: MealPlanInput, id: string, section: number, by?: -1 | 1): MealPlanInput {
  const moved = plan.meals.find((meal) => meal.id === id);
  if (moved === undefined) return plan;
  if (by === undefined) {
    return { ...plan, meals: [...plan.meals.filter((meal) => meal.id !== id), { ...moved, section }] };
  }
  const ofSection = plan.meals.filter((meal) => meal.section === section);
  const other = ofSection[ofSection.indexOf(moved) + by];
  if (other === undefined) return plan;
  const swapped = new Map([
    [moved.id, other],
    [other.id, moved],
  ]);
  return { ...plan, meals: plan.meals.map((meal) => swapped.get(meal.id) ?? meal) };
}

export function addSection(plan: MealPlanInput): MealPlanInput {
  return { ...plan, sections: [...plan.sections, `Section ${plan.sections.length + 1}`] };
}

export function nameSection(plan: MealPlanInput, section: number, name: string): MealPlanInput {
  return { ...plan, sections: plan.sections.with(section, name) };
}

/** An empty one. */
export function removeSection(plan: MealPlanInput, section: number): MealPlanInput {
  return {
    ...plan,
    sections: plan.sections.toSpliced(section, 1),
    meals: plan.meals.map((meal) => (meal.section > section ? { ...meal, section: meal.section - 1 } : meal)),
  };
}

/** Its meals stay on their day; what no week has room for goes to the last one. */
export function changeKind(plan: MealPlanInput, kind: MealPlanInput['kind'], names: string[]): MealPlanInput {
  if (kind === plan.kind) return plan;
  if (kind === 'free') return { ...plan, kind, startsOn: null, sections: names };
  const meals = plan.meals.map((meal) => ({ ...meal, section: Math.min(meal.section, DAYS_OF_WEEK - 1) }));
  return { ...plan, kind, sections: [], meals };
}
