import type { ReactNode } from 'react';
import { usePageTitle } from '#web/shell/page-title.ts';

type Props = {
  title: string;
  description?: ReactNode;
  /** The page's main button or two. */
  actions?: ReactNode;
};

/** Head of a page of the main group; names the browser's tab too. */
export function PageHeader({ title, description, actions }: Props) {
  usePageTitle(title);
  return (
    <div className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="font-semibold text-2xl">{title}</h1>
        {description && <p className="mt-1 max-w-prose text-muted">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
