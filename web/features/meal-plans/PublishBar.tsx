import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  getMealPlan,
  getPlanDifferences,
  listMealPlans,
  type MealPlan,
  type PlanDifferences,
  publishMealPlan,
  unpublishMealPlan,
} from '#contract/meal-plans.ts';
import type { PlanDraft } from '#web/features/meal-plans/drafts.ts';
import { count } from '#web/features/meal-plans/words.ts';
import { setAnswer, useEndpoint, useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button, LinkButton } from '#web/ui/Button.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Question } from '#web/ui/Question.tsx';

const NAMED_AT_MOST = 4;

/** Whether people see the plan, what waits, and the buttons for both. */
export function PublishBar({ draft, plan }: { draft: PlanDraft; plan: MealPlan }) {
  const { creatorId } = useCreator();
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const params = { creatorId, mealPlanId: plan.id };
  const isPublished = plan.published !== null;
  const asked = useEndpoint(getPlanDifferences, { params }, { enabled: isPublished });
  const differences = asked.data?.differences ?? null;
  const waits = differences === null ? [] : differenceWords(differences);
  const keep = (now: MealPlan) => setAnswer(client, getMealPlan, { params }, now);
  const publishing = useEndpointMutation(publishMealPlan, {
    successToast: { title: 'Published: people see this plan now' },
    refreshes: [listMealPlans, getPlanDifferences],
    onSuccess: keep,
  });
  const unpublishing = useEndpointMutation(unpublishMealPlan, {
    successToast: { title: 'Unpublished: only your team sees this plan' },
    refreshes: [listMealPlans, getPlanDifferences],
    onSuccess: async (now) => {
      setAsks(false);
      await keep(now);
    },
  });
  const publish = async () => {
    const saved = draft.dirty ? await draft.save() : { version: draft.version };
    if (saved !== null) publishing.mutate({ params, body: { version: saved.version } });
  };
  const canPublish = draft.content.meals.length > 0 && (!isPublished || draft.dirty || waits.length > 0);
  return (
    <section aria-label="Publishing" className="contents">
      {plan.published !== null && (
        <div className="mt-6 flex flex-wrap justify-end gap-2">
          <LinkButton href={plan.published.url} target="_blank" rel="noreferrer" variant="quiet">
            Open
          </LinkButton>
          <CopyButton text={plan.published.url} label="Copy link" />
          <Button variant="quiet" onClick={() => setAsks(true)}>
            Unpublish
          </Button>
        </div>
      )}
      <div className="sticky bottom-0 z-10 mt-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t bg-canvas py-3">
        <div className="min-w-0 flex-1 basis-60 text-sm">
          <p className="font-medium">
            {!isPublished
              ? 'Only your team sees this plan'
              : waits.length === 0
                ? 'People see this plan as it is'
                : 'People see the plan without these changes'}
          </p>
          {waits.length > 0 && (
            <p className="text-muted">
              <bdi>{waits.slice(0, NAMED_AT_MOST).join(' · ')}</bdi>
              {waits.length > NAMED_AT_MOST && ` and ${count(waits.length - NAMED_AT_MOST, 'more change')}`}
            </p>
          )}
          {draft.dirty && <p className="text-muted">Not saved yet</p>}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" busy={draft.saving} disabled={!draft.dirty} onClick={draft.save}>
            Save
          </Button>
          <Button busy={publishing.isPending} disabled={!canPublish} onClick={publish}>
            {isPublished ? 'Publish changes' : 'Publish'}
          </Button>
        </div>
      </div>
      <Question
        open={asks}
        onOpenChange={setAsks}
        title="Unpublish this plan?"
        description="People who open its address are told that it isn’t there. You can publish it again at the same address."
        keep="Leave it"
        act="Unpublish"
        busy={unpublishing.isPending}
        onAct={() => unpublishing.mutate({ params })}
      />
    </section>
  );
}

function differenceWords({ details, meals, items }: PlanDifferences): string[] {
  return [
    ...meals.added.map((name) => `+ ${name}`),
    ...meals.removed.map((name) => `− ${name}`),
    ...items.map(({ name, before, after }) => {
      if (before === null) return `+ ${name}`;
      if (after === null) return `− ${name}`;
      return before === after ? `${name} changed` : `${name}: ${before || 'as needed'} → ${after || 'as needed'}`;
    }),
    ...(details && meals.added.length + meals.removed.length === 0 ? ['Days or details changed'] : []),
  ];
}
