import { Copy, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import {
  deleteMealPlan,
  duplicateMealPlan,
  listMealPlans,
  type MealPlan,
  type MealPlanInput,
} from '#contract/meal-plans.ts';
import { changeKind } from '#web/features/meal-plans/board-edits.ts';
import type { PlanDraft } from '#web/features/meal-plans/drafts.ts';
import { sectionNames } from '#web/features/meal-plans/words.ts';
import { paths } from '#web/paths.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input, Select, Textarea } from '#web/ui/inputs.tsx';
import { Question } from '#web/ui/Question.tsx';

/** Its name, note, picture and days, and what can be done with it as a whole. */
export function PlanDetails({ draft, plan }: { draft: PlanDraft; plan: MealPlan }) {
  const { content, problem } = draft;
  const change = (over: Partial<MealPlanInput>, what: string) => draft.edit((now) => ({ ...now, ...over }), what);
  const problemOf = (field: string) => problem?.fields.find(({ path }) => path === field)?.message;
  return (
    <Card title="Details">
      <div className="flex flex-col gap-4">
        <Field label="Name" error={problemOf('name')}>
          {(wiring) => (
            <Input
              {...wiring}
              value={content.name}
              maxLength={120}
              onChange={({ target }) => change({ name: target.value }, 'name')}
            />
          )}
        </Field>
        <Field label="Note to your followers" optional error={problemOf('note')}>
          {(wiring) => (
            <Textarea
              {...wiring}
              value={content.note}
              maxLength={2000}
              rows={3}
              onChange={({ target }) => change({ note: target.value }, 'note')}
            />
          )}
        </Field>
        <Field label="Address of a picture" optional error={problemOf('pictureUrl')}>
          {(wiring) => (
            <Input
              {...wiring}
              type="url"
              value={content.pictureUrl ?? ''}
              maxLength={2000}
              onChange={({ target }) => change({ pictureUrl: target.value === '' ? null : target.value }, 'picture')}
            />
          )}
        </Field>
        <Field label="Divided into">
          {(wiring) => (
            <Select
              {...wiring}
              value={content.kind}
              onChange={({ target }) =>
                draft.edit((now) => changeKind(now, target.value as MealPlanInput['kind'], sectionNames(now)))
              }
            >
              <option value="week">The seven days of a week</option>
              <option value="free">Sections with names of your own</option>
            </Select>
          )}
        </Field>
        {content.kind === 'week' && (
          <Field
            label="First day"
            optional
            hint="Without a date it is a week for any time."
            error={problemOf('startsOn')}
          >
            {(wiring) => (
              <Input
                {...wiring}
                type="date"
                value={content.startsOn ?? ''}
                onChange={({ target }) => change({ startsOn: target.value === '' ? null : target.value }, 'date')}
              />
            )}
          </Field>
        )}
        <WholePlan plan={plan} />
      </div>
    </Card>
  );
}

function WholePlan({ plan }: { plan: MealPlan }) {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const params = { creatorId, mealPlanId: plan.id };
  const duplicating = useEndpointMutation(duplicateMealPlan, {
    successToast: { title: 'Meal plan duplicated' },
    refreshes: [listMealPlans],
    onSuccess: (made) => navigate(paths.mealPlan(made.id)),
  });
  const deleting = useEndpointMutation(deleteMealPlan, {
    successToast: { title: 'Meal plan deleted' },
    refreshes: [listMealPlans],
    onSuccess: () => navigate(paths.mealPlans),
  });
  return (
    <div className="flex flex-wrap gap-2 border-line border-t pt-4">
      <Button
        variant="secondary"
        size="small"
        busy={duplicating.isPending}
        onClick={() => duplicating.mutate({ params })}
      >
        <Copy aria-hidden="true" className="size-4" />
        Duplicate
      </Button>
      <Button variant="quiet" size="small" disabled={plan.published !== null} onClick={() => setAsks(true)}>
        <Trash2 aria-hidden="true" className="size-4" />
        Delete
      </Button>
      {plan.published !== null && (
        <p className="basis-full text-muted text-sm">Unpublish the plan before you delete it.</p>
      )}
      <Question
        open={asks}
        onOpenChange={setAsks}
        title="Delete this meal plan?"
        description="Its meals and what you changed in its ingredients are lost. Your recipes stay."
        keep="Keep it"
        act="Delete"
        danger
        busy={deleting.isPending}
        onAct={() => deleting.mutate({ params })}
      />
    </div>
  );
}
