import { getListFigures } from '#contract/list-figures.ts';
import { Sums } from '#web/features/recipes/ShoppingFigures.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';

/** Who opened the plan, and went to a shop; nothing while nobody did. */
export function PlanFigures({ mealPlanId }: { mealPlanId: string }) {
  const { creatorId } = useCreator();
  const { data } = useEndpoint(getListFigures, { params: { creatorId }, query: { mealPlanId } });
  return data === undefined || data.opened + data.toShops === 0 ? null : <Sums figures={data} />;
}
