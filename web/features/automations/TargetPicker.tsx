import { AppWindow, CalendarDays, FolderOpen } from 'lucide-react';
import { useState } from 'react';
import { listAppLinks } from '#contract/app-links.ts';
import type { AutomationInput } from '#contract/automations.ts';
import { listMealPlans } from '#contract/meal-plans.ts';
import { Choices, useChoiceSearch } from '#web/features/libraries/Choices.tsx';
import { addressInShort } from '#web/features/link-guard/words.ts';
import { RecipeChoices } from '#web/features/recipes/RecipePicker.tsx';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { TabPanel, Tabs } from '#web/ui/Tabs.tsx';

/** Where a button leads, without its text. */
export type Target = Omit<AutomationInput['buttons'][number], 'title'>;
type Picking = { onPick: (target: Target) => void };

/** Lets the creator point at a recipe, meal plan or app link of theirs instead of typing a link. */
export function TargetPicker({ onPick }: Picking) {
  const [open, setOpen] = useState(false);
  const [tab, setTab] = useState('recipes');
  const picked = (target: Target) => {
    setOpen(false);
    onPick(target);
  };
  return (
    <>
      <Button variant="quiet" size="small" className="self-start" onClick={() => setOpen(true)}>
        <FolderOpen aria-hidden="true" className="size-4" />
        Use a recipe, meal plan or app link
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Choose where it leads"
        description="The link stays up to date: change the address in one place, and messages already sent follow."
      >
        {open && (
          <Tabs
            value={tab}
            onValueChange={setTab}
            label="Kinds"
            tabs={[
              { value: 'recipes', label: 'Recipes' },
              { value: 'plans', label: 'Meal plans' },
              { value: 'app-links', label: 'App links' },
            ]}
          >
            <TabPanel value="recipes">
              <RecipeChoices onPick={({ id, leadsTo }) => picked({ url: leadsTo, recipeId: id })} />
            </TabPanel>
            <TabPanel value="plans">
              <PlanChoices onPick={picked} />
            </TabPanel>
            <TabPanel value="app-links">
              <AppLinkChoices onPick={picked} />
            </TabPanel>
          </Tabs>
        )}
      </Dialog>
    </>
  );
}

function PlanChoices({ onPick }: Picking) {
  const { creatorId } = useCreator();
  const { query, ...searching } = useChoiceSearch();
  return (
    <Choices
      {...searching}
      query={useEndpoint(listMealPlans, { params: { creatorId }, query })}
      choicesOf={({ items }) =>
        items.map(({ id, name, pictureUrl, published }) => ({
          ...{ id, name, pictureUrl, disabled: published === null },
          says: published === null ? 'Not published yet' : addressInShort(published.url),
          pick: () => published !== null && onPick({ url: published.url, mealPlanId: id }),
        }))
      }
      placeholder="Name"
      loading="Loading your meal plans"
      failed="Couldn’t load your meal plans"
      empty={
        <EmptyState
          icon={<CalendarDays className="size-7" />}
          title="No meal plans yet"
          action={<TextLink to={paths.mealPlans}>Make a meal plan</TextLink>}
        >
          A week of your recipes with one shopping list.
        </EmptyState>
      }
    />
  );
}

function AppLinkChoices({ onPick }: Picking) {
  const { creatorId } = useCreator();
  const { query, ...searching } = useChoiceSearch();
  return (
    <Choices
      {...searching}
      query={useEndpoint(listAppLinks, { params: { creatorId }, query })}
      choicesOf={({ items }) =>
        items.map(({ id, name, address, state }) => ({
          ...{ id, name, says: state === 'ended' ? 'Ended' : addressInShort(address), disabled: state === 'ended' },
          pick: () => onPick({ url: address, appLinkId: id }),
        }))
      }
      placeholder="Name, address or short link"
      loading="Loading your links"
      failed="Couldn’t load your links"
      empty={
        <EmptyState
          icon={<AppWindow className="size-7" />}
          title="No app links yet"
          action={<TextLink to={paths.appLinks}>Make an app link</TextLink>}
        >
          A short link that opens the right app, and that you can change later.
        </EmptyState>
      }
    />
  );
}
