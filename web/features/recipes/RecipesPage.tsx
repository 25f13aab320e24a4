import { BookOpen, ChevronRight, FileInput, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { listRecipes, type Recipe, RecipeState } from '#contract/recipes.ts';
import { LinkState } from '#web/features/link-guard/LinkState.tsx';
import { useLinkChecks } from '#web/features/link-guard/use-link-checks.ts';
import { addressInShort } from '#web/features/link-guard/words.ts';
import { BringIn } from '#web/features/recipes/BringIn.tsx';
import { LockBadge, RecipeStateBadge } from '#web/features/recipes/RecipeStateBadge.tsx';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { PagedList } from '#web/shell/PagedList.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { Picture } from '#web/ui/Picture.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** The creator's recipes: each page once, with its list and where it is used. Search and filter are in the address. */
export function RecipesPage() {
  const { creatorId } = useCreator();
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const state = z.safeParse(RecipeState, params.get('state')).data ?? null;
  const show = (wanted: { search: string; state: string | null }) =>
    setParams(
      { ...(wanted.search !== '' && { search: wanted.search }), ...(wanted.state !== null && { state: wanted.state }) },
      { replace: true },
    );
  const recipes = useEndpointPages(
    listRecipes,
    { params: { creatorId }, query: { ...(search !== '' && { search }), ...(state !== null && { state }) } },
    { keepPrevious: true },
  );
  const [bringsIn, setBringsIn] = useState(false);
  const items = recipes.data?.pages.flatMap((page) => page.items);
  const isEmpty = items?.length === 0 && search === '' && state === null;
  const add = (
    <>
      <Button onClick={() => setBringsIn(true)}>
        <FileInput aria-hidden="true" className="size-4" />
        Bring in a recipe
      </Button>
      <ButtonLink to={paths.recipe('new')} variant="secondary">
        <Plus aria-hidden="true" className="size-4" />
        Add a recipe
      </ButtonLink>
    </>
  );
  return (
    <>
      <PageHeader
        title="Recipes"
        description="Add each recipe page once. If it moves, change the link here and every message follows, even those already sent."
        actions={isEmpty ? undefined : add}
      />
      <Dialog
        open={bringsIn}
        onOpenChange={setBringsIn}
        title="Bring in a recipe"
        description="We read its ingredients. Nothing is saved until you save it."
      >
        {bringsIn && <BringIn />}
      </Dialog>
      <div className="flex flex-col gap-4">
        {items !== undefined && !isEmpty && (
          <div className="grid items-end gap-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <SearchField
              label="Search in your recipes"
              placeholder="Name, address, word or food"
              search={search}
              onSearch={(wanted) => show({ search: wanted, state })}
            />
            <Select
              aria-label="Ingredients"
              value={state ?? ''}
              onChange={({ target }) => show({ search, state: target.value || null })}
            >
              <option value="">All recipes</option>
              <option value="to_check">Lines to check</option>
              <option value="ready">List ready</option>
              <option value="none">No ingredients</option>
            </Select>
          </div>
        )}
        <PagedList
          query={recipes}
          loading="Loading your recipes"
          failed="Couldn’t load your recipes"
          skeleton={<Skeleton className="h-64" />}
          empty={
            isEmpty ? (
              <Card>
                <EmptyState icon={<BookOpen className="size-7" />} title="No recipes yet" action={add}>
                  Add a recipe’s page once and use it in your automations. If the page moves, you change one link.
                </EmptyState>
              </Card>
            ) : (
              <EmptyState
                title="No recipes match this filter"
                action={
                  <Button variant="secondary" onClick={() => show({ search: '', state: null })}>
                    Show all recipes
                  </Button>
                }
              >
                {search !== '' && 'Try a shorter search.'}
              </EmptyState>
            )
          }
        >
          {(found) => (
            <ul className="rounded-lg border border-line bg-surface px-4 shadow-card">
              {found.map((recipe) => (
                <Row key={recipe.id} recipe={recipe} />
              ))}
            </ul>
          )}
        </PagedList>
      </div>
    </>
  );
}

function Row({ recipe }: { recipe: Recipe }) {
  const { links } = useLinkChecks();
  const link = links.find((one) => one.recipe?.id === recipe.id);
  const uses = recipe.usedBy.length;
  return (
    <li className="border-line border-b last:border-b-0">
      <Link to={paths.recipe(recipe.id)} className="group flex min-h-11 items-center gap-3 rounded-md py-3">
        <Picture
          src={recipe.pictureUrl}
          alt=""
          instead={recipe.pictureUrl === null && <BookOpen className="size-5 text-accent-ink" />}
          className="size-12 shrink-0 sm:size-14"
        />
        <span className="min-w-0 flex-1">
          <bdi className="block truncate font-medium group-hover:underline">{recipe.name}</bdi>
          <bdi className="block truncate text-muted text-sm">{addressInShort(recipe.leadsTo)}</bdi>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-faint text-sm">
            <RecipeStateBadge list={recipe.list} />
            {recipe.lock && <LockBadge lock={recipe.lock} />}
            {recipe.postGoneAt !== null && <span className="text-warning-ink">No longer on your blog</span>}
            <span>{uses === 0 ? 'Not used' : `Used by ${uses === 1 ? '1 automation' : `${uses} automations`}`}</span>
            {link && <LinkState link={link} />}
          </span>
        </span>
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-faint" />
      </Link>
    </li>
  );
}
