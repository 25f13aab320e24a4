import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, ShoppingBasket } from 'lucide-react';
import { useMemo, useState } from 'react';
import { changeMealPlan, getMealPlan, listMealPlans, type MealPlan, type MealPlanInput } from '#contract/meal-plans.ts';
import { getIngredients } from '#contract/recipe-ingredients.ts';
import type { Recipe } from '#contract/recipes.ts';
import type { ShownRecipe } from '#web/features/meal-plans/drafts.ts';
import { PlanBoard } from '#web/features/meal-plans/PlanBoard.tsx';
import { PlanDetails } from '#web/features/meal-plans/PlanDetails.tsx';
import { PlanFigures } from '#web/features/meal-plans/PlanFigures.tsx';
import { PublishBar } from '#web/features/meal-plans/PublishBar.tsx';
import { planDifferences } from '#web/features/meal-plans/words.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { DraftNotices, UndoButtons, useDraftKeys } from '#web/shell/DraftParts.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { endpointQuery, setAnswer, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { useVersionedDraft } from '#web/shell/versioned-draft.ts';

/** A plan as a board of its days. */
export function MealPlanPage({ plan, refetch }: { plan: MealPlan; refetch: () => unknown }) {
  const { creatorId } = useCreator();
  const client = useQueryClient();
  const [announced, announce] = useState('');
  const [picked, setPicked] = useState<ShownRecipe[]>([]);
  const saved = useMemo(() => ({ version: plan.version, content: inputOf(plan) }), [plan]);
  const saving = useEndpointMutation(changeMealPlan, {
    errorToast: false,
    successToast: { title: 'Meal plan saved' },
    refreshes: [listMealPlans],
  });
  const draft = useVersionedDraft<MealPlanInput>({
    ...{ draftKey: `meal-plan:${plan.id}`, saved, refetch },
    send: async ({ version, content }) => {
      const request = { params: { creatorId, mealPlanId: plan.id } };
      const now = await saving.mutateAsync({ ...request, body: { ...content, version } });
      await setAnswer(client, getMealPlan, request, now);
      return { version: now.version, content: inputOf(now) };
    },
  });
  const recipes = useMemo(
    () => new Map([...picked, ...plan.recipes].map((recipe): [string, ShownRecipe] => [recipe.id, recipe])),
    [picked, plan.recipes],
  );
  const pick = async ({ id, name, pictureUrl, list }: Recipe) => {
    const recipe = { id, name, pictureUrl, lines: list?.lines ?? 0, toCheck: list?.toCheck ?? 0 };
    setPicked((all) => [...all, { ...recipe, servings: undefined }]);
    const asked = endpointQuery(getIngredients, { params: { creatorId, recipeId: id } });
    const { servings } = await client.fetchQuery(asked);
    setPicked((all) => [...all, { ...recipe, servings }]);
  };
  const onKey = useDraftKeys(draft, announce, true);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the fields in it
    <div onKeyDown={onKey}>
      <TextLink to={paths.mealPlans} className="mb-2 inline-flex min-h-11 items-center gap-1.5 text-sm md:min-h-8">
        <ArrowLeft aria-hidden="true" className="size-4" />
        Meal Plans
      </TextLink>
      <PageHeader
        title={plan.name}
        actions={
          <>
            <UndoButtons draft={draft} />
            <ButtonLink to={paths.mealPlanIngredients(plan.id)} variant="secondary">
              <ShoppingBasket aria-hidden="true" className="size-4" />
              Edit ingredients
            </ButtonLink>
          </>
        }
      />
      <p role="status" className="sr-only">
        {announced}
      </p>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <DraftNotices
            draft={draft}
            what="this plan"
            differencesOf={(mine, theirs) => planDifferences(mine, theirs, recipes)}
          />
          <PlanBoard draft={draft} recipes={recipes} announce={announce} onPick={pick} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <PlanDetails draft={draft} plan={plan} />
          <PlanFigures mealPlanId={plan.id} />
        </div>
      </div>
      <PublishBar draft={draft} plan={plan} />
    </div>
  );
}

function inputOf({ name, note, pictureUrl, kind, startsOn, sections, meals }: MealPlan): MealPlanInput {
  return { name, note, pictureUrl, kind, startsOn, sections, meals };
}
