import { Lock } from 'lucide-react';
import { type BlogLock, linesToCheck, type Recipe } from '#contract/recipes.ts';
import { Badge } from '#web/ui/Badge.tsx';

/** Whether a recipe's shopping list can be sent. */
export function RecipeStateBadge({ list }: Pick<Recipe, 'list'>) {
  if (list === null || list.lines === 0) return <Badge>No ingredients</Badge>;
  if (list.toCheck > 0) return <Badge tone="warning">{linesToCheck(list.toCheck)}</Badge>;
  return <Badge tone="accent">List ready</Badge>;
}

/** Strangers read less of it on the blog, and here. */
export function LockBadge({ lock }: { lock: BlogLock }) {
  const whom = lock.for === 'subscribers' ? 'subscribers' : 'members';
  return (
    <Badge icon={<Lock aria-hidden="true" className="size-3.5" />}>
      {lock.of === 'recipe' ? `Only for ${whom}` : `Post partly for ${whom}`}
    </Badge>
  );
}
