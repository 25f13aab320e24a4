import { cx } from '#web/ui/class-names.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'normal' | 'small' | 'icon';

const LOOK: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'bg-surface text-ink border border-edge hover:bg-sunken',
  quiet: 'bg-transparent text-ink hover:bg-sunken',
  danger: 'bg-error text-on-error hover:bg-error-strong',
};

/** `normal` is 44 px for a finger and 36 px, at least 124 wide, for a mouse on a wide screen. */
const SIZE: Record<ButtonSize, string> = {
  normal: 'min-h-11 px-4 text-[0.9375rem] sm:min-w-[124px] md:min-h-9',
  small: 'min-h-11 px-3 text-sm md:min-h-8',
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
