import { BookOpen, ChevronRight, Plus } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { listRecipes, type Recipe } from '#contract/recipes.ts';
import { LinkState } from '#web/features/link-guard/LinkState.tsx';
import { useLinkChecks } from '#web/features/link-guard/use-link-checks.ts';
import { addressInShort } from '#web/features/link-guard/words.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { PagedList } from '#web/shell/PagedList.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Picture } from '#web/ui/Picture.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/** The creator's recipes: each page once, with where it is used. The search is in the address. */
export function Component() {
  const { creatorId } = useCreator();
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const recipes = useEndpointPages(
    listRecipes,
    { params: { creatorId }, query: search === '' ? {} : { search } },
    { keepPrevious: true },
  );
  const items = recipes.data?.pages.flatMap((page) => page.items);
  const isEmpty = items?.length === 0 && search === '';
  const add = (
    <ButtonLink to={paths.recipe('new')}>
      <Plus aria-hidden="true" className="size-4" />
      Add a recipe
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Recipes"
        description="Add each recipe page once. If it moves, change the link here and every message follows, even those already sent."
        actions={isEmpty ? undefined : add}
      />
      <div className="flex flex-col gap-4">
        {items !== undefined && !isEmpty && (
          <SearchField
            label="Search in your recipes"
            placeholder="Name, address or word"
            search={search}
            onSearch={(wanted) => setParams(wanted === '' ? {} : { search: wanted }, { replace: true })}
          />
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
              <EmptyState title="No results">Try a shorter search.</EmptyState>
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
          <span className="flex flex-wrap gap-x-3 text-faint text-sm">
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
