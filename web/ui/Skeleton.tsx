import type { ReactNode } from 'react';
import { cx } from '#web/ui/class-names.ts';

/** A grey shape of what is coming: give it the size of the result. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cx('block animate-breathe rounded-md bg-sunken', className)} />;
}

/** Lines of text to come. */
export function SkeletonText({ lines = 3 }: { lines?: 1 | 2 | 3 | 4 }) {
  const widths = ['w-full', 'w-11/12', 'w-full', 'w-2/3'].slice(-lines);
  return (
    <span className="flex flex-col gap-2.5">
      {widths.map((width, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all there is and never change places
        <Skeleton key={line} className={cx('h-4', width)} />
      ))}
    </span>
  );
}

/** Wraps skeletons, so that a screen reader hears one quiet sentence instead of nothing. */
export function Loading({ label = 'Loading', children }: { label?: string; children: ReactNode }) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
