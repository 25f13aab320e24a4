import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import { listRecipes, type Recipe } from '#contract/recipes.ts';
import { Choices, useChoiceSearch } from '#web/features/libraries/Choices.tsx';
import { addressInShort } from '#web/features/link-guard/words.ts';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** A button that lets the creator point at one of their recipes instead of typing a link. */
export function RecipePicker({ label, onPick }: { label: string; onPick: (recipe: Recipe) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" size="small" className="self-start" onClick={() => setOpen(true)}>
        <BookOpen aria-hidden="true" className="size-4" />
        {label}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Choose a recipe"
        description="The link stays up to date: if the recipe’s page moves, change it in one place."
      >
        {open && (
          <RecipeChoices
            onPick={(recipe) => {
              setOpen(false);
              onPick(recipe);
            }}
          />
        )}
      </Dialog>
    </>
  );
}

export function RecipeChoices({ onPick }: { onPick: (recipe: Recipe) => void }) {
  const { creatorId } = useCreator();
  const { query, ...searching } = useChoiceSearch();
  return (
    <Choices
      {...searching}
      query={useEndpoint(listRecipes, { params: { creatorId }, query })}
      choicesOf={({ items }) =>
        items.map((recipe) => ({
          ...{ id: recipe.id, name: recipe.name, says: addressInShort(recipe.leadsTo) },
          ...{ pictureUrl: recipe.pictureUrl, pick: () => onPick(recipe) },
        }))
      }
      placeholder="Name, address or word"
      loading="Loading your recipes"
      failed="Couldn’t load your recipes"
      empty={
        <EmptyState
          icon={<BookOpen className="size-7" />}
          title="No recipes yet"
          action={<TextLink to={paths.recipe('new')}>Add a recipe</TextLink>}
        >
          Add a recipe’s page once, and use it in any automation.
        </EmptyState>
      }
    />
  );
}
