import type { ReactNode } from 'react';
import { usePageTitle } from '#web/shell/page-title.ts';

/** Head of a card of the public screens, and what stands in it. */
export function Panel({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  usePageTitle(title);
  return (
    <div className="flex flex-col gap-5">
      <div>
        <h1 className="font-semibold text-2xl">{title}</h1>
        {lead && <p className="mt-1 text-muted">{lead}</p>}
      </div>
      {children}
    </div>
  );
}
