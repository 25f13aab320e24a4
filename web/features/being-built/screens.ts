import { paths } from '#web/paths.ts';

export type UnbuiltScreen = {
  title: string;
  /** What will be here. */
  says: string;
  /** What of it works already, elsewhere. */
  meanwhile?: { says: string; to: string; label: string };
};

const toPosts = { to: paths.postsAndReels, label: 'Posts & Reels' };
const shop = 'Recipes, meal plans and the links to buy what they need.';

/** Screens that have an address but no content yet. Patterns as in `routes.tsx`. */
export const UNBUILT_SCREENS: Record<string, UnbuiltScreen> = {
  [paths.saveToEmail]: {
    title: 'Save to Email',
    says: 'A box on your blog with which readers send a recipe to themselves, and you gain a subscriber.',
  },
  [paths.memberships]: {
    title: 'Memberships',
    says: 'Paid memberships for your blog: fewer ads, members-only recipes.',
  },
  [paths.appLinks]: {
    title: 'App Links',
    says: 'Links that open in the right app instead of Instagram’s own browser.',
    meanwhile: { says: 'Links in your messages are short and counted already.', ...toPosts },
  },
  [paths.checkout]: {
    title: 'Checkout',
    says: 'Paying for a plan. Nothing here can charge you today.',
  },
  [paths.shopTheRecipe]: {
    title: 'Shop the Recipe',
    says: shop,
    meanwhile: { says: 'Your recipes and where they are used are there already.', to: paths.recipes, label: 'Recipes' },
  },
  [paths.mealPlans]: { title: 'Meal Plans', says: 'Several recipes with one shopping list.' },
  [`${paths.mealPlans}/:mealPlanId`]: { title: 'Meal plan', says: 'One meal plan with its shopping list.' },
  [`${paths.mealPlans}/:mealPlanId/edit-ingredients`]: {
    title: 'Ingredients of a meal plan',
    says: 'Changing what goes on a meal plan’s shopping list.',
  },
  [paths.shopTheRecipeSettings]: { title: 'Recipe settings', says: 'Which shops your links lead to.' },
};
