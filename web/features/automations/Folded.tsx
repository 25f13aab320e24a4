import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { cx } from '#web/ui/class-names.ts';

type Props = {
  title: string;
  /** Its settings in one line; shown while it is folded. */
  summary: ReactNode;
  /** It is set to something: the summary stands out. */
  active?: boolean;
  /** Something inside is objected to: it opens by itself. */
  hasError?: boolean;
  startsOpen?: boolean;
  children: ReactNode;
};

/** A part of the editor that most automations leave alone: one line until it is wanted. */
export function Folded({ title, summary, active = false, hasError = false, startsOpen = false, children }: Props) {
  const [wanted, setWanted] = useState(startsOpen);
  const open = wanted || hasError;
  return (
    <details className="group rounded-lg border border-line bg-surface" open={open}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is pressed like a button */}
      <summary
        className="flex min-h-11 list-none items-center gap-3 rounded-lg px-4 py-2.5 [&::-webkit-details-marker]:hidden"
        onClick={(event) => {
          event.preventDefault();
          setWanted(!open);
        }}
      >
        <span className="flex min-w-0 flex-1 flex-col gap-x-3 sm:flex-row sm:items-baseline">
          <span className="shrink-0 font-semibold">{title}</span>
          <span className={cx('truncate text-sm group-open:hidden', active ? 'text-accent-ink' : 'text-muted')}>
            <bdi>{summary}</bdi>
          </span>
        </span>
        <ChevronDown aria-hidden="true" className="size-4 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      <div className="flex flex-col gap-4 border-line border-t p-4">{open && children}</div>
    </details>
  );
}
