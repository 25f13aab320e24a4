import type { ReactNode } from 'react';
import { usePageTitle } from '#web/shell/page-title.ts';
import { cx } from '#web/ui/class-names.ts';

type Props = {
  title: string;
  description?: ReactNode;
  /** Close to what follows: on a phone, where the first picture should be in view. */
  compact?: boolean;
  /** The page's main button or two. */
  actions?: ReactNode;
};

/** Head of a page of the main group; names the browser's tab too. */
export function PageHeader({ title, description, compact = false, actions }: Props) {
  usePageTitle(title);
  return (
    <div
      className={cx(
        compact ? 'mb-2 items-center' : 'mb-5 items-start',
        'flex flex-wrap justify-between gap-x-6 gap-y-3',
      )}
    >
      <div className="min-w-0">
        <h1 className="font-semibold text-2xl">{title}</h1>
        {description && <p className="mt-1 max-w-3xl text-pretty text-muted">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
