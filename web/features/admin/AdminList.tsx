import type { ReactNode } from 'react';
import { PagedList } from '#web/shell/PagedList.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

type Props<Item> = Pick<Parameters<typeof PagedList<Item>>[0], 'query' | 'empty'> & {
  /** The noun of the list: "creators". */
  what: string;
  keyOf: (item: Item) => string;
  children: (item: Item) => ReactNode;
};

const SKELETONS = ['first', 'second', 'third', 'fourth'];

/** A list of cards that is read page by page. */
export function AdminList<Item>({ what, keyOf, children, ...list }: Props<Item>) {
  return (
    <PagedList
      {...list}
      loading={`Loading the ${what}`}
      failed={`Couldn’t load the ${what}`}
      skeleton={
        <div className="flex flex-col gap-3">
          {SKELETONS.map((name) => (
            <Skeleton key={name} className="h-24" />
          ))}
        </div>
      }
    >
      {(items) => (
        <ul className="flex flex-col gap-3">
          {items.map((item) => (
            <li key={keyOf(item)}>{children(item)}</li>
          ))}
        </ul>
      )}
    </PagedList>
  );
}
