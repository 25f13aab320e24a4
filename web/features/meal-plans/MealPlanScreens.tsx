import { CalendarDays } from 'lucide-react';
import { Suspense } from 'react';
import { useLocation, useParams } from 'react-router';
import * as z from 'zod/mini';
import { getMealPlan } from '#contract/meal-plans.ts';
import { Id } from '#contract/shapes.ts';
import { MealPlanPage } from '#web/features/meal-plans/MealPlanPage.tsx';
import { MealPlansPage } from '#web/features/meal-plans/MealPlansPage.tsx';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { lazyPart } from '#web/shell/fetch-code.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** Brings the reader of lines and the foods it knows. */
const PlanIngredientsPage = lazyPart(
  async () => (await import('#web/features/recipes/ingredients/IngredientsEditors.ts')).PlanIngredientsPage,
);

/** Meal plans, one of them, and its ingredients. */
export function MealPlanScreens() {
  const { mealPlanId } = useParams();
  return mealPlanId === undefined ? <MealPlansPage /> : <OnePlan mealPlanId={mealPlanId} />;
}

function OnePlan({ mealPlanId }: { mealPlanId: string }) {
  const { creatorId } = useCreator();
  const { pathname } = useLocation();
  const isIngredients = pathname.endsWith('/edit-ingredients');
  // Old addresses carry ids of another product: nobody needs to be asked for them.
  const mayExist = z.safeParse(Id, mealPlanId).success;
  const plan = useEndpoint(getMealPlan, { params: { creatorId, mealPlanId } }, { enabled: mayExist, retry: false });
  if (!mayExist || plan.error?.code === 'not_found') {
    return (
      <>
        <PageHeader title={isIngredients ? 'Ingredients of a meal plan' : 'Meal plan'} />
        <EmptyState
          icon={<CalendarDays className="size-7" />}
          title="Meal plan not found"
          action={<ButtonLink to={paths.mealPlans}>See all meal plans</ButtonLink>}
        >
          It may have been deleted, or the address is incomplete.
        </EmptyState>
      </>
    );
  }
  return (
    <Loaded
      query={plan}
      loading="Loading the meal plan"
      failed="Couldn’t load the meal plan"
      skeleton={<Skeleton className="h-96" />}
    >
      {(data) =>
        isIngredients ? (
          <Suspense fallback={<Skeleton className="h-96" />}>
            <PlanIngredientsPage key={data.id} plan={data} />
          </Suspense>
        ) : (
          <MealPlanPage key={data.id} plan={data} refetch={plan.refetch} />
        )
      }
    </Loaded>
  );
}
