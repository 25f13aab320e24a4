import { CalendarDays, ChevronRight, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { type ListedMealPlan, listMealPlans, MEAL_PLAN_FIGURES_DAYS } from '#contract/meal-plans.ts';
import { NewPlan } from '#web/features/meal-plans/NewPlan.tsx';
import { count, sectionNames } from '#web/features/meal-plans/words.ts';
import { paths } from '#web/paths.ts';
import { PagedList } from '#web/shell/PagedList.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Picture } from '#web/ui/Picture.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** The creator's meal plans. The search is in the address. */
export function MealPlansPage() {
  const { creatorId } = useCreator();
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const find = (wanted: string) => setParams(wanted === '' ? {} : { search: wanted }, { replace: true });
  const plans = useEndpointPages(
    listMealPlans,
    { params: { creatorId }, query: search === '' ? {} : { search } },
    { keepPrevious: true },
  );
  const [isNew, setIsNew] = useState(false);
  const items = plans.data?.pages.flatMap((page) => page.items);
  const isEmpty = items?.length === 0 && search === '';
  const add = (
    <Button onClick={() => setIsNew(true)}>
      <Plus aria-hidden="true" className="size-4" />
      New meal plan
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Meal Plans"
        description="Several recipes with one shopping list. You decide what people see, and when."
        actions={isEmpty ? undefined : add}
      />
      <Dialog
        open={isNew}
        onOpenChange={setIsNew}
        title="New meal plan"
        description="No one but your team sees it before you publish it."
      >
        {isNew && <NewPlan />}
      </Dialog>
      <div className="flex flex-col gap-4">
        {items !== undefined && !isEmpty && (
          <SearchField label="Search in your meal plans" placeholder="Name" search={search} onSearch={find} />
        )}
        <PagedList
          query={plans}
          loading="Loading your meal plans"
          failed="Couldn’t load your meal plans"
          skeleton={<Skeleton className="h-64" />}
          empty={
            isEmpty ? (
              <Card>
                <EmptyState icon={<CalendarDays className="size-7" />} title="No meal plans yet" action={add}>
                  Put recipes into a week, and your followers get one shopping list for all of them. You can start with
                  the recipes that they asked for most.
                </EmptyState>
              </Card>
            ) : (
              <EmptyState
                title="No meal plans match this search"
                action={
                  <Button variant="secondary" onClick={() => find('')}>
                    Show all meal plans
                  </Button>
                }
              />
            )
          }
        >
          {(found) => (
            <ul className="rounded-lg border border-line bg-surface px-4 shadow-card">
              {found.map((plan) => (
                <Row key={plan.id} plan={plan} />
              ))}
            </ul>
          )}
        </PagedList>
      </div>
    </>
  );
}

function Row({ plan }: { plan: ListedMealPlan }) {
  const { published, people } = plan;
  const [begins] = plan.startsOn === null ? [] : sectionNames({ ...plan, sections: [] });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-2 last:border-b-0">
      <Link
        to={paths.mealPlan(plan.id)}
        className="group flex min-h-11 min-w-0 flex-1 basis-56 items-center gap-3 rounded-md"
      >
        <Picture
          src={plan.pictureUrl}
          alt=""
          instead={plan.pictureUrl === null && <CalendarDays className="size-5 text-accent-ink" />}
          className="size-12 shrink-0 sm:size-14"
        />
        <span className="min-w-0 flex-1">
          <bdi className="block truncate font-medium group-hover:underline">{plan.name}</bdi>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
            <span>{count(plan.meals, 'meal')}</span>
            {begins !== undefined && <span>from {begins}</span>}
            {people > 0 && (
              <span className="tabular-nums">
                {count(people, 'person', 'people')} in {MEAL_PLAN_FIGURES_DAYS} days
              </span>
            )}
          </span>
        </span>
        <Badge tone={published === null ? 'neutral' : 'accent'}>{published === null ? 'Draft' : 'Published'}</Badge>
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-faint" />
      </Link>
      {published !== null && <CopyButton text={published.url} label="Copy link" />}
    </li>
  );
}
