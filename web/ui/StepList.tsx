import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '#web/ui/class-names.ts';

export type StepItem = {
  id: string;
  done: boolean;
  title: string;
  says: ReactNode;
  /** Its button, shown while the step is the next one. */
  action?: ReactNode;
  /** Below its words, while the step is the next one. */
  more?: ReactNode;
};

/** Steps one after the other. The next one has its button; the others wait quietly. */
export function StepList({ steps }: { steps: readonly StepItem[] }) {
  const next = steps.find(({ done }) => !done);
  return (
    <ol className="flex flex-col">
      {steps.map(({ id, done, title, says, action, more }, place) => {
        const isNext = id === next?.id;
        return (
          <li key={id} className="flex gap-3 pb-4 last:pb-0">
            <span
              aria-hidden="true"
              className={cx(
                'grid size-7 shrink-0 place-items-center rounded-full font-semibold text-sm',
                done && 'bg-accent text-on-accent',
                !done && isNext && 'bg-accent-soft text-accent-ink ring-2 ring-accent',
                !done && !isNext && 'bg-sunken text-muted',
              )}
            >
              {done ? <Check className="size-4" /> : place + 1}
            </span>
            <div className="flex min-w-0 flex-1 flex-col gap-x-4 gap-y-2 sm:flex-row sm:items-start sm:justify-between">
              <div className="min-w-0">
                <p className={cx('font-medium', done && 'text-muted')}>
                  {title}
                  {done && <span className="sr-only"> (done)</span>}
                </p>
                {!done && <p className="text-muted text-sm">{says}</p>}
                {isNext && more}
              </div>
              {isNext && action}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
