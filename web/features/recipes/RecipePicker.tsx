import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import { listRecipes, type Recipe } from '#contract/recipes.ts';
import { addressInShort } from '#web/features/link-guard/words.ts';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Picture } from '#web/ui/Picture.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const SHOWN_AT_MOST = 20;

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
          <Choices
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

function Choices({ onPick }: { onPick: (recipe: Recipe) => void }) {
  const { creatorId } = useCreator();
  const [search, setSearch] = useState('');
  const recipes = useEndpoint(listRecipes, {
    params: { creatorId },
    query: { limit: SHOWN_AT_MOST, ...(search !== '' && { search }) },
  });
  if (recipes.data?.items.length === 0 && search === '') {
    return (
      <EmptyState
        icon={<BookOpen className="size-7" />}
        title="No recipes yet"
        action={<TextLink to={paths.recipe('new')}>Add a recipe</TextLink>}
      >
        Add a recipe’s page once, and use it in any automation.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <SearchField
        label="Search"
        labelHidden
        placeholder="Name, address or word"
        search={search}
        onSearch={setSearch}
      />
      <Loaded
        query={recipes}
        loading="Loading your recipes"
        failed="Couldn’t load your recipes"
        skeleton={<Skeleton className="h-40" />}
      >
        {({ items: found }) =>
          found.length === 0 ? (
            <p className="text-muted text-sm">No results. Try a shorter search.</p>
          ) : (
            <ul className="flex max-h-[50dvh] flex-col overflow-y-auto">
              {found.map((recipe) => (
                <li key={recipe.id}>
                  <button
                    type="button"
                    className="flex min-h-11 w-full items-center gap-3 rounded-md p-2 text-left hover:bg-sunken"
                    onClick={() => onPick(recipe)}
                  >
                    <Picture src={recipe.pictureUrl} alt="" className="size-10 shrink-0" />
                    <span className="min-w-0">
                      <bdi className="block truncate font-medium">{recipe.name}</bdi>
                      <bdi className="block truncate text-muted text-sm">{addressInShort(recipe.leadsTo)}</bdi>
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}
