import * as planIngredients from '#contract/meal-plan-ingredients.ts';
import * as mealPlans from '#contract/meal-plans.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerMealPlans } from './routes.ts';

export const feature: Feature = {
  contract: { mealPlans, planIngredients },
  routes: registerMealPlans,
  holds: {
    meal_plans: { exported: { as: 'mealPlans', without: ['bytes'] } },
    published_meal_plans: { exported: { as: 'publishedMealPlans', without: ['bytes'] } },
  },
};
