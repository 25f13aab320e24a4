import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { numerals } from '#web/ui/numerals.ts';

type Props = {
  label: ReactNode;
  /** A number is grouped by thousands; null shows a dash. */
  value: number | string | null;
  /** The same number before, to compare with; what it is compared with must be said nearby. */
  before?: number;
  /** The name of `before`: "the week before". */
  beforeLabel?: string;
  hint?: ReactNode;
};

/** One number with its name and how it changed. Put several in a `<dl>`. */
export function Figure({ label, value, before, beforeLabel = 'before', hint }: Props) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="m-0">
        <span className="font-semibold text-2xl tabular-nums tracking-tight">{formatValue(value)}</span>
        {typeof value === 'number' && before !== undefined && (
          <Change value={value} before={before} beforeLabel={beforeLabel} />
        )}
        {hint && <span className="block text-faint text-sm">{hint}</span>}
      </dd>
    </div>
  );
}

function Change({ value, before, beforeLabel }: { value: number; before: number; beforeLabel: string }) {
  const difference = value - before;
  const Icon = difference === 0 ? ArrowRight : difference > 0 ? ArrowUp : ArrowDown;
  const amount = formatValue(Math.abs(difference));
  const words = difference === 0 ? 'no change from' : `${amount} ${difference > 0 ? 'more' : 'fewer'} than`;
  return (
    <span className="mt-0.5 flex items-center gap-1 text-muted text-sm tabular-nums">
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      <span aria-hidden="true">{difference === 0 ? 'no change' : amount}</span>
      <span className="sr-only">
        {words} {beforeLabel}
      </span>
    </span>
  );
}

function formatValue(value: number | string | null): string {
  if (value === null) return '–';
  return typeof value === 'number' ? numerals(value) : value;
}
