import type { ReactNode } from 'react';
import { cx } from '#web/ui/class-names.ts';

type Props = {
  title?: ReactNode;
  description?: ReactNode;
  /** Right end of the title's line. */
  aside?: ReactNode;
  children?: ReactNode;
  className?: string;
  /** Level of the title in the page's outline. */
  level?: 2 | 3;
};

export function Card({ title, description, aside, children, className, level = 2 }: Props) {
  const Title = level === 2 ? 'h2' : 'h3';
  return (
    <section className={cx('rounded-lg border border-line bg-surface p-4 shadow-card sm:p-5', className)}>
      {(title || aside) && (
        <div
          className={cx(
            'mb-3 flex flex-wrap justify-between gap-x-4 gap-y-2',
            description ? 'items-start' : 'items-center',
          )}
        >
          <div className="min-w-0">
            {title && <Title className="font-semibold text-base">{title}</Title>}
            {description && <p className="text-muted text-sm">{description}</p>}
          </div>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
