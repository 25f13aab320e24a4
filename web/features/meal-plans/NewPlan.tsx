import { useState } from 'react';
import { useNavigate } from 'react-router';
import {
  createMealPlan,
  listMealPlans,
  MEAL_PLAN_FIGURES_DAYS,
  type MealPlanInput,
  suggestMealPlan,
} from '#contract/meal-plans.ts';
import { count } from '#web/features/meal-plans/words.ts';
import { paths } from '#web/paths.ts';
import type { ApiError } from '#web/shell/api-error.ts';
import { FormProblem } from '#web/shell/form.tsx';
import { useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Checkbox, Input, Select } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** Its name, its kind, and what to begin with. */
export function NewPlan() {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const suggested = useEndpoint(suggestMealPlan, { params: { creatorId } });
  const [name, setName] = useState('');
  const [kind, setKind] = useState<MealPlanInput['kind']>('week');
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<ApiError | null>(null);
  const creating = useEndpointMutation(createMealPlan, {
    errorToast: false,
    successToast: { title: 'Meal plan made' },
    refreshes: [listMealPlans],
  });
  const recipes = suggested.data?.recipes ?? [];
  const nameProblem = problem?.fields.find(({ path }) => path === 'name')?.message;
  const create = async () => {
    setProblem(null);
    const meals = recipes
      .filter(({ id }) => !without.has(id))
      .map(({ id }, place) => ({
        ...{ id: crypto.randomUUID(), section: kind === 'week' ? place : 0, slot: 'dinner', recipeId: id },
        ...{ text: '', servings: null },
      }));
    const input = { name, note: '', pictureUrl: null, kind, startsOn: null, meals };
    try {
      const made = await creating.mutateAsync({
        params: { creatorId },
        body: { ...input, sections: kind === 'week' ? [] : ['Meals'] },
      });
      await navigate(paths.mealPlan(made.id));
    } catch (error) {
      setProblem(error as ApiError);
    }
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!creating.isPending) void create();
      }}
    >
      {nameProblem === undefined && <FormProblem problem={problem} />}
      <Field label="Name" error={nameProblem}>
        {(wiring) => (
          <Input
            {...wiring}
            value={name}
            maxLength={120}
            placeholder="Easy weeknights"
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field label="Divided into">
        {(wiring) => (
          <Select {...wiring} value={kind} onChange={({ target }) => setKind(target.value as MealPlanInput['kind'])}>
            <option value="week">The seven days of a week</option>
            <option value="free">Sections with names of your own</option>
          </Select>
        )}
      </Field>
      {suggested.isPending && <Skeleton className="h-24" />}
      {recipes.length > 0 && (
        <fieldset>
          <legend className="font-medium text-sm">Start with what people asked for</legend>
          <p className="text-muted text-sm">
            Recipes that most people asked for in comments of the last {MEAL_PLAN_FIGURES_DAYS} days.
          </p>
          {recipes.map(({ id, name: recipe, people }) => (
            <Checkbox
              key={id}
              checked={!without.has(id)}
              onChange={({ target }) => {
                const now = new Set(without);
                if (target.checked) now.delete(id);
                else now.add(id);
                setWithout(now);
              }}
              label={<bdi>{recipe}</bdi>}
              hint={count(people, 'person', 'people')}
            />
          ))}
        </fieldset>
      )}
      <div className="flex justify-end">
        <Button type="submit" busy={creating.isPending}>
          Make the plan
        </Button>
      </div>
    </form>
  );
}
