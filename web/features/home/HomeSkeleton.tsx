import { Loading, Skeleton } from '#web/ui/Skeleton.tsx';

/** Shaped like the home screen's content. */
export function HomeSkeleton() {
  return (
    <Loading label="Loading your results">
      <span className="flex flex-col gap-5">
        <Charts />
        <Skeleton className="h-96" />
      </span>
    </Loading>
  );
}

export function FiguresSkeleton() {
  return (
    <Loading label="Loading your results">
      <Charts />
    </Loading>
  );
}

function Charts() {
  return (
    <span className="grid gap-5 lg:grid-cols-2">
      <Skeleton className="h-56" />
      <Skeleton className="h-56" />
    </span>
  );
}
