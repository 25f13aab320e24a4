import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError, DEFAULT_ERROR } from '#web/shell/api-error.ts';
import { Button } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx';
import { ErrorState } from '#web/ui/states.tsx';

type Pages<Item> = { pages: { items: Item[]; next: string | null }[] };

type Props<Item> = {
  query: UseInfiniteQueryResult<Pages<Item>>;
  /** What is listed: "creators". */
  what: string;
  /** Shown when there is nothing. */
  empty: ReactNode;
  keyOf: (item: Item) => string;
  children: (item: Item) => ReactNode;
};

const SKELETONS = ['first', 'second', 'third', 'fourth'];

/** A list that is read page by page; a shape while it loads, another try when it fails, more on a press. */
export function PagedList<Item>({ query, what, empty, keyOf, children }: Props<Item>) {
  if (query.data === undefined) {
    if (query.isError) {
      return (
        <ErrorState
          title={`The ${what} could not be loaded`}
          onRetry={() => query.refetch()}
          retrying={query.isFetching}
        >
          {detailOf(query.error)}
        </ErrorState>
      );
    }
    return (
      <Loading label={`Loading the ${what}`}>
        <div className="flex flex-col gap-3">
          {SKELETONS.map((name) => (
            <Skeleton key={name} className="h-24" />
          ))}
        </div>
      </Loading>
    );
  }
  const items = query.data.pages.flatMap((page) => page.items);
  if (items.length === 0) return empty;
  return (
    <div className={cx('transition-opacity', query.isPlaceholderData && 'opacity-60')}>
      <ul aria-busy={query.isPlaceholderData} className="flex flex-col gap-3">
        {items.map((item) => (
          <li key={keyOf(item)}>{children(item)}</li>
        ))}
      </ul>
      {query.isFetchNextPageError && (
        <p role="alert" className="mt-4 text-center text-error-ink">
          {detailOf(query.error)}
        </p>
      )}
      {query.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button variant="secondary" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}

function detailOf(error: Error | null): string {
  return error instanceof ApiError ? error.detail : DEFAULT_ERROR.detail;
}
