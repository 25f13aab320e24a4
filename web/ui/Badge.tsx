import type { ReactNode } from 'react';
import { cx } from '#web/ui/class-names.ts';

export type BadgeTone = 'neutral' | 'accent' | 'info' | 'warning' | 'error';

const TONE: Record<BadgeTone, string> = {
  neutral: 'bg-sunken text-muted',
  accent: 'bg-accent-soft text-accent-ink',
  info: 'bg-info-soft text-info-ink',
  warning: 'bg-warning-soft text-warning-ink',
  error: 'bg-error-soft text-error-ink',
};

/** A state in a word or two; the word says it, the colour only helps. */
export function Badge({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: BadgeTone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 whitespace-nowrap rounded-sm px-2 py-0.5 font-medium text-xs leading-5',
        TONE[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}
