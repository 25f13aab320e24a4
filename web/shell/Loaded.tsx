import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiError } from '#web/shell/api-error.ts';
import { Loading } from '#web/ui/Skeleton.tsx';
import { ErrorState } from '#web/ui/states.tsx';

type Props<T> = {
  query: UseQueryResult<T, ApiError>;
  /** What is on its way, for screen readers: "Loading the team". */
  loading: string;
  /** Shaped like the result. */
  skeleton: ReactNode;
  /** Names what failed: "The team could not be loaded". */
  failed: string;
  children: (data: T) => ReactNode;
};

/** A part of a screen that waits for one answer: its shape, then the answer, or what went wrong and another try. */
export function Loaded<T>({ query, loading, skeleton, failed, children }: Props<T>) {
  // An answer that could not be renewed is still better than none.
  if (query.data !== undefined) return children(query.data);
  if (query.isError) {
    return (
      <ErrorState title={failed} onRetry={() => query.refetch()} retrying={query.isFetching}>
        {query.error.detail}
      </ErrorState>
    );
  }
  return <Loading label={loading}>{skeleton}</Loading>;
}
