import type { ReactNode } from 'react';
import { useDeferredValue, useState } from 'react';
import type { QueryOf } from '#contract/endpoint.ts';
import { type Interaction, listInteractions } from '#contract/interactions.ts';
import { type SeenRows, seeRows } from '#web/features/activity/new-rows.ts';
import { OutcomeLine } from '#web/features/activity/OutcomeLine.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx';
import { ErrorState } from '#web/ui/states.tsx';

type Props = {
  filter: Pick<QueryOf<typeof listInteractions>, 'postId' | 'personId' | 'outcome' | 'handle'>;
  /** Shown when nothing has happened. */
  empty: ReactNode;
  withPost?: boolean;
  withPerson?: boolean;
  pageSize?: number;
  /** The newest line begins opened: when there is one person to help. */
  openFirst?: boolean;
};

/** What happened, newest first. New rows arrive by themselves (live updates) and light up quietly. */
export function ActivityList({ filter, empty, withPost, withPerson, pageSize = 20, openFirst }: Props) {
  const { creatorId } = useCreator();
  const pages = useEndpointPages(listInteractions, { params: { creatorId }, query: { ...filter, limit: pageSize } });
  const data = useDeferredValue(pages.data, undefined);
  const lines = data ? data.pages.flatMap((page) => page.items) : null;
  const fresh = useFreshRows(lines);

  if (lines === null) {
    if (pages.isError) {
      return (
        <ErrorState
          title="The activity could not be loaded"
          onRetry={() => pages.refetch()}
          retrying={pages.isFetching}
        >
          {pages.error.message}
        </ErrorState>
      );
    }
    return <ActivitySkeleton {...(withPost !== undefined && { withPost })} />;
  }
  if (lines.length === 0) return empty;
  return (
    <>
      <ol className="flex flex-col">
        {lines.map((line, place) => (
          <OutcomeLine
            key={line.id}
            line={line}
            isNew={fresh.has(line.id)}
            startOpen={openFirst === true && place === 0}
            {...(withPost !== undefined && { withPost })}
            {...(withPerson !== undefined && { withPerson })}
          />
        ))}
      </ol>
      {pages.hasNextPage && (
        <div className="flex justify-center pt-3">
          <Button variant="secondary" busy={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </>
  );
}

/** Kept as state set while rendering: no frame shows a new row without its light. */
function useFreshRows(lines: Interaction[] | null): ReadonlySet<string> {
  const [seen, setSeen] = useState<SeenRows | null>(null);
  if (lines === null) return NONE;
  const next = seeRows(seen, lines);
  if (next !== seen) setSeen(next);
  return next.fresh;
}

const NONE: ReadonlySet<string> = new Set();

export function ActivitySkeleton({ withPost = true }: { withPost?: boolean }) {
  return (
    <Loading label="Loading the activity">
      {[1, 2, 3, 4].map((row) => (
        <span key={row} className="flex gap-3 border-line border-b px-1 py-3 last:border-b-0">
          {withPost && <Skeleton className="size-11" />}
          <span className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="h-4 w-full max-w-80" />
            <Skeleton className="h-5 w-28" />
          </span>
        </span>
      ))}
    </Loading>
  );
}
