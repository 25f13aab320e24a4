import { cx } from '#web/ui/class-names.ts';

/** Forced colors take every background away: what is chosen or goes first keeps the system's highlight. */
export const HIGHLIGHTED =
  'forced-colors:forced-color-adjust-none forced-colors:bg-[Highlight] forced-colors:text-[HighlightText]';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'normal' | 'small' | 'icon';

const LOOK: Record<ButtonVariant, string> = {
  primary: cx('bg-accent text-on-accent hover:bg-accent-strong', HIGHLIGHTED),
  secondary: 'bg-surface text-ink border border-edge hover:bg-sunken',
  quiet: 'bg-transparent text-ink hover:bg-sunken',
  danger: 'bg-error text-on-error hover:bg-error-strong',
};

/** At least 124 by 36 px (spec section 9), 44 px high for a finger. Icons are as high, and square. */
const SIZE: Record<ButtonSize, string> = {
  normal: 'min-h-11 min-w-[124px] px-4 py-1.5 text-[0.9375rem] md:min-h-9',
  small: 'min-h-11 min-w-[124px] px-3 py-1.5 text-sm md:min-h-9',
  icon: 'size-11 md:size-9 shrink-0',
};

/** The look of a button, for whatever element carries it (a button, a link, a router's link). */
export function buttonClass(variant: ButtonVariant = 'primary', size: ButtonSize = 'normal', more?: string): string {
  return cx(
    'inline-flex select-none items-center justify-center gap-2 rounded-md font-medium leading-tight transition-colors duration-100',
    'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
    SIZE[size],
    LOOK[variant],
    more,
  );
}
