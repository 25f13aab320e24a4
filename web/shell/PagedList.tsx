import type { ReactNode } from 'react';
import { Loaded, type LoadedProps, type LoadedQuery } from '#web/shell/Loaded.tsx';
import { Button } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';

type Pages<Item> = { pages: { items: Item[] }[] };

type PagesQuery<Item> = LoadedQuery<Pages<Item>> & {
  isPlaceholderData: boolean;
  isFetchNextPageError: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
};

type Props<Item> = Omit<LoadedProps<Pages<Item>>, 'query' | 'children'> & {
  query: PagesQuery<Item>;
  /** Shown when there is nothing. */
  empty: ReactNode;
  /** The label of the button for another page. */
  more?: string;
  className?: string;
  children: (items: Item[]) => ReactNode;
};

/** A list that is read page by page; a shape while it loads, another try when it fails, more on a press. */
export function PagedList<Item>({ query, empty, more, className, children, ...frame }: Props<Item>) {
  return (
    <Loaded query={query} {...frame}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0) return empty;
        return (
          <div
            className={cx('transition-opacity', className, query.isPlaceholderData && 'opacity-60')}
            aria-busy={query.isPlaceholderData}
          >
            {children(items)}
            <MorePages query={query} label={more} className="pt-3" />
          </div>
        );
      }}
    </Loaded>
  );
}

type MoreProps = { query: PagesQuery<unknown>; label?: string | undefined; size?: 'small'; className: string };

/** The button that asks for another page, while there is one; and why it did not come. */
export function MorePages({ query, label = 'Show more', className, ...size }: MoreProps) {
  return (
    <>
      {query.isFetchNextPageError && (
        <p role="alert" className="pt-4 text-center text-error-ink">
          {query.error?.message}
        </p>
      )}
      {query.hasNextPage && (
        <div className={cx('flex justify-center', className)}>
          <Button variant="secondary" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()} {...size}>
            {label}
          </Button>
        </div>
      )}
    </>
  );
}
