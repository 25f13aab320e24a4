import type { UseQueryResult } from '@tanstack/react-query';
import { ArrowLeft, ChevronRight, Plus, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { UsedBy } from '#contract/keywords.ts';
import { paths } from '#web/paths.ts';
import type { ApiError } from '#web/shell/api-error.ts';
import { ButtonLink, TextLink } from '#web/shell/ButtonLink.tsx';
import { Loaded } from '#web/shell/Loaded.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { Card } from '#web/ui/Card.tsx';
import { SearchField } from '#web/ui/SearchField.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EmptyState } from '#web/ui/states.tsx';

type Listed = { id: string; name: string; usedBy: UsedBy[] };

type Props<Item extends Listed> = {
  title: string;
  description: string;
  /** "Custom Keywords", as in sentences. */
  what: string;
  query: UseQueryResult<{ items: Item[] }, ApiError>;
  /** Address of one of them, or of `new`. */
  pathOf: (edit: string) => string;
  /** The field searched besides the name. */
  textsOf: (item: Item) => readonly string[];
  badgeOf?: (item: Item) => ReactNode;
  empty: { icon: ReactNode; children: ReactNode };
  /** The one that the address names is open over the list. */
  editor: (editing: string, onClose: () => void) => ReactNode;
};

/** A list of named sets with search; one opens over it. Search and what is open are in the address. */
export function LibraryPage<Item extends Listed>(props: Props<Item>) {
  const { title, description, what, query, pathOf, textsOf, badgeOf, empty, editor } = props;
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const editing = params.get('edit');
  const show = (change: Record<string, string | null>) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(change)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    setParams(next, { replace: true, preventScrollReset: true });
  };
  const withSearch = (path: string) => (search === '' ? path : `${path}&${new URLSearchParams({ search })}`);
  const create = <ButtonLink to={pathOf('new')}>New {what}</ButtonLink>;
  return (
    <>
      <TextLink to={paths.commentForDm} className="mb-2 inline-flex min-h-11 items-center gap-1.5 text-sm md:min-h-8">
        <ArrowLeft aria-hidden="true" className="size-4" />
        Comment for DM
      </TextLink>
      <PageHeader title={title} description={description} actions={query.data?.items.length ? create : undefined} />
      <Loaded
        query={query}
        loading={`Loading your ${what}`}
        failed={`Couldn’t load your ${what}`}
        skeleton={<Skeleton className="h-64" />}
      >
        {({ items }) => {
          if (items.length === 0) {
            return (
              <Card>
                <EmptyState icon={empty.icon} title={`No ${what} yet`} action={create}>
                  {empty.children}
                </EmptyState>
              </Card>
            );
          }
          const found = items.filter((item) => fits(search, [item.name, ...textsOf(item)]));
          return (
            <div className="flex flex-col gap-4">
              <search>
                <SearchField
                  label={`Search in your ${what}`}
                  labelHidden
                  placeholder="Search by name or text"
                  search={search}
                  onSearch={(wanted) => show({ search: wanted })}
                />
              </search>
              <p role="status" className="sr-only">
                {found.length} found
              </p>
              {found.length === 0 ? (
                <EmptyState icon={<Search className="size-7" />} title="No results">
                  Try a shorter search.
                </EmptyState>
              ) : (
                <ul className="rounded-lg border border-line bg-surface px-4 shadow-card">
                  {found.map((item) => (
                    <li key={item.id} className="border-line border-b last:border-b-0">
                      <Link
                        to={withSearch(pathOf(item.id))}
                        preventScrollReset
                        className="group flex min-h-11 items-center gap-3 rounded-md py-3"
                      >
                        <span className="min-w-0 flex-1">
                          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                            <bdi className="max-w-full truncate font-medium group-hover:underline">{item.name}</bdi>
                            {badgeOf?.(item)}
                          </span>
                          <bdi className="block truncate text-muted text-sm">{textsOf(item).join(', ')}</bdi>
                          <span className="block text-faint text-sm">{usesInWords(item.usedBy)}</span>
                        </span>
                        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-faint" />
                      </Link>
                    </li>
                  ))}
                </ul>
              )}
              <ButtonLink to={pathOf('new')} variant="quiet" size="small" className="self-start">
                <Plus aria-hidden="true" className="size-4" />
                Add another
              </ButtonLink>
            </div>
          );
        }}
      </Loaded>
      {editing !== null && editor(editing, () => show({ edit: null }))}
    </>
  );
}

function fits(search: string, texts: readonly string[]): boolean {
  const wanted = search.trim().toLocaleLowerCase('en');
  return texts.some((text) => text.toLocaleLowerCase('en').includes(wanted));
}

function usesInWords(usedBy: readonly UsedBy[]): string {
  if (usedBy.length === 0) return 'Not used';
  return `Used by ${usedBy.length === 1 ? '1 automation' : `${usedBy.length} automations`}`;
}
