import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useMemo, useState } from 'react';
import {
  getPlanIngredients,
  type PlanChanges,
  type PlanIngredients,
  savePlanIngredients,
} from '#contract/meal-plan-ingredients.ts';
import { getMealPlan, getPlanDifferences, listMealPlans, type MealPlan } from '#contract/meal-plans.ts';
import { PlanItems } from '#web/features/meal-plans/PlanItems.tsx';
import { changeDifferences } from '#web/features/meal-plans/words.ts';
import { useLanguages } from '#web/features/recipes/ingredients/use-recipe-language.ts';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { DraftNotices, UndoButtons, useDraftKeys } from '#web/shell/DraftParts.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { setAnswer, useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { useVersionedDraft } from '#web/shell/versioned-draft.ts';
import { Button } from '#web/ui/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** What is changed in the shopping list of one plan. */
export function PlanIngredientsPage({ plan }: { plan: MealPlan }) {
  const { creatorId } = useCreator();
  const params = { creatorId, mealPlanId: plan.id };
  const ingredients = useEndpoint(getPlanIngredients, { params });
  return (
    <>
      <TextLink
        to={paths.mealPlan(plan.id)}
        className="mb-2 inline-flex min-h-11 items-center gap-1.5 text-sm md:min-h-8"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        <bdi>{plan.name}</bdi>
      </TextLink>
      <PageHeader
        title="Ingredients of a meal plan"
        description="What you change here is for this plan alone. Your recipes stay as they are."
      />
      <Loaded
        query={ingredients}
        loading="Loading the ingredients"
        failed="Couldn’t load the ingredients"
        skeleton={<Skeleton className="h-96" />}
      >
        {(answer) => <Editor plan={plan} answer={answer} refetch={ingredients.refetch} />}
      </Loaded>
    </>
  );
}

function Editor({ plan, answer, refetch }: { plan: MealPlan; answer: PlanIngredients; refetch: () => unknown }) {
  const { creatorId } = useCreator();
  const client = useQueryClient();
  const [announced, announce] = useState('');
  const saved = useMemo(() => ({ version: answer.version, content: answer.changes }), [answer]);
  const saving = useEndpointMutation(savePlanIngredients, {
    errorToast: false,
    successToast: { title: 'Ingredients saved' },
    refreshes: [listMealPlans, getMealPlan, getPlanDifferences],
  });
  const draft = useVersionedDraft<PlanChanges>({
    ...{ draftKey: `plan-ingredients:${plan.id}`, saved, refetch },
    send: async ({ version, content }) => {
      const request = { params: { creatorId, mealPlanId: plan.id } };
      const now = await saving.mutateAsync({ ...request, body: { ...content, version } });
      await setAnswer(client, getPlanIngredients, request, now);
      return { version: now.version, content: now.changes };
    },
  });
  const languageFor = useLanguages(
    useMemo(() => answer.recipes.map(({ language }) => language), [answer.recipes]),
    answer.words,
  );
  const onKey = useDraftKeys(draft, announce, true);
  if (languageFor === null) return <Skeleton className="h-96" />;
  const lineWords = (mealId: string, lineId: string) => {
    const recipe = answer.recipes.find(({ id }) => id === answer.meals.find((meal) => meal.id === mealId)?.recipeId);
    return recipe?.lines.find(({ id }) => id === lineId)?.text ?? 'a line that is gone';
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the fields in it
    <div onKeyDown={onKey}>
      <p role="status" className="sr-only">
        {announced}
      </p>
      <DraftNotices
        draft={draft}
        what="these ingredients"
        differencesOf={(mine, theirs) => changeDifferences(mine, theirs, lineWords)}
      />
      <PlanItems plan={plan} answer={answer} draft={draft} languageFor={languageFor} announce={announce} />
      <div className="sticky bottom-0 z-10 mt-4 flex flex-wrap items-center justify-between gap-2 border-line border-t bg-canvas py-3">
        <span className="text-muted text-sm">{draft.dirty ? 'Not saved yet' : 'Saved'}</span>
        <span className="flex items-center gap-2">
          <UndoButtons draft={draft} />
          <Button busy={draft.saving} disabled={!draft.dirty} onClick={draft.save}>
            Save ingredients
          </Button>
        </span>
      </div>
    </div>
  );
}
