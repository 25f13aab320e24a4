import { linesToCheck, type Recipe } from '#contract/recipes.ts';
import { Badge } from '#web/ui/Badge.tsx';

/** Whether a recipe's shopping list can be sent. */
export function RecipeStateBadge({ list }: Pick<Recipe, 'list'>) {
  if (list === null || list.lines === 0) return <Badge>No ingredients</Badge>;
  if (list.toCheck > 0) return <Badge tone="warning">{linesToCheck(list.toCheck)}</Badge>;
  return <Badge tone="accent">List ready</Badge>;
}
