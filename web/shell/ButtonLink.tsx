import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { type ButtonSize, type ButtonVariant, buttonClass } from '#web/ui/button-class.ts';
import { cx } from '#web/ui/class-names.ts';

/** A link within the app that looks like a button. */
export function ButtonLink({
  variant,
  size,
  className,
  ...rest
}: ComponentProps<typeof Link> & { variant?: ButtonVariant; size?: ButtonSize }) {
  return <Link className={buttonClass(variant, size, className)} {...rest} />;
}

/** A link in running text. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return <Link className={cx(TEXT_LINK, className)} {...rest} />;
}

export const TEXT_LINK =
  'rounded-sm font-medium text-accent-ink underline decoration-accent-line underline-offset-3 hover:decoration-current';
