import type { AutomationInput } from '#contract/automations.ts';

/** Leads to the shopping list of a recipe, and follows it. */
export function listButton(recipeId: string, url: string): AutomationInput['buttons'][number] {
  return { title: 'Shop ingredients', url, recipeId, part: 'list' };
}
