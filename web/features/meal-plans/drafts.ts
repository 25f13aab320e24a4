/** What the parts of the screens of a plan hand each other. */
import type { PlanChanges } from '#contract/meal-plan-ingredients.ts';
import type { MealPlanInput, RecipeOfPlan } from '#contract/meal-plans.ts';
import type { VersionedDraft } from '#web/shell/versioned-draft.ts';

export type PlanDraft = VersionedDraft<MealPlanInput>;
export type ChangesDraft = VersionedDraft<PlanChanges>;
/** `servings`: undefined while they are asked for. */
export type ShownRecipe = Omit<RecipeOfPlan, 'servings'> & { servings: number | null | undefined };
