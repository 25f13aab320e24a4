import type { ReactNode } from 'react';
import { useDeferredValue, useState } from 'react';
import type { QueryOf } from '#contract/endpoint.ts';
import { type Interaction, listInteractions } from '#contract/interactions.ts';
import { type SeenRows, seeRows } from '#web/features/activity/new-rows.ts';
import { OutcomeLine } from '#web/features/activity/OutcomeLine.tsx';
import { PagedList } from '#web/shell/PagedList.tsx';
import { useEndpointPages } from '#web/shell/pages.ts';
import { useCreator } from '#web/shell/session.ts';
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx';

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

/** Recent activity, newest first. New rows arrive by themselves (live updates) and light up quietly. */
export function ActivityList({ filter, empty, withPost, withPerson, pageSize = 20, openFirst }: Props) {
  const { creatorId } = useCreator();
  const pages = useEndpointPages(listInteractions, { params: { creatorId }, query: { ...filter, limit: pageSize } });
  const shown = useDeferredValue(pages.data ?? null, null);
  const fresh = useFreshRows(shown === null ? null : shown.pages.flatMap((page) => page.items));
  return (
    <PagedList
      query={pages}
      shown={shown}
      failed="Couldn’t load the activity"
      skeleton={<ActivitySkeleton {...(withPost !== undefined && { withPost })} />}
      empty={empty}
      more="Show older"
    >
      {(lines) => (
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
      )}
    </PagedList>
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
