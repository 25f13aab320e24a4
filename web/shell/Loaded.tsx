import type { ReactNode } from 'react';
import { Loading } from '#web/ui/Skeleton.tsx';
import { ErrorState } from '#web/ui/states.tsx';

export type LoadedQuery<T> = {
  data: T | undefined;
  isError: boolean;
  error: Error | null;
  isFetching: boolean;
  refetch: () => unknown;
};

export type LoadedProps<T> = {
  query: LoadedQuery<T>;
  /** The drawn part of the answer, where that comes later: a deferred value, null before the first. */
  shown?: T | null;
  /** The loading text for screen readers: "Loading the team". Left out where the skeleton says it. */
  loading?: string;
  /** Shaped like the result. */
  skeleton: ReactNode;
  /** Names what failed: "Couldn’t load the team". */
  failed: string;
  /** The frame around the skeleton and the error: a way out of a panel. */
  around?: (frame: ReactNode) => ReactNode;
  /** Left out where the answer is drawn elsewhere. */
  children?: (data: T) => ReactNode;
};

/** A part of a screen that waits for one answer: its shape, then the answer, or what went wrong and another try. */
export function Loaded<T>({ query, shown, loading, skeleton, failed, around = same, children }: LoadedProps<T>) {
  const data = shown === undefined ? query.data : shown;
  // An answer that could not be renewed is still better than none.
  if (data !== undefined && data !== null) return children?.(data);
  if (query.isError) {
    return around(
      <ErrorState title={failed} onRetry={() => query.refetch()} retrying={query.isFetching}>
        {query.error?.message}
      </ErrorState>,
    );
  }
  return around(loading === undefined ? skeleton : <Loading label={loading}>{skeleton}</Loading>);
}

const same = (frame: ReactNode) => frame;
