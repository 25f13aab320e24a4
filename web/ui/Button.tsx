import type { ComponentProps, MouseEvent } from 'react';
import { type ButtonSize, type ButtonVariant, buttonClass } from '#web/ui/button-class.ts';
import { Spinner } from '#web/ui/Spinner.tsx';

type Props = ComponentProps<'button'> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Work is under way: shows a spinner and ignores presses, but keeps the focus where it is. */
  busy?: boolean;
};

export function Button({ variant, size, busy = false, className, children, onClick, type = 'button', ...rest }: Props) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type={type}
      className={buttonClass(variant, size, className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={press}
      {...rest}
    >
      {busy && <Spinner size="small" />}
      {children}
    </button>
  );
}

/** A plain link that looks like a button: other sites, downloads, full-page navigations. */
export function LinkButton({
  variant,
  size,
  className,
  ...rest
}: ComponentProps<'a'> & { variant?: ButtonVariant; size?: ButtonSize }) {
  return <a className={buttonClass(variant, size, className)} {...rest} />;
}

/** A button that is only an icon: the label is what a screen reader says and what a mouse sees as a hint. */
export function IconButton({ label, ...rest }: Omit<Props, 'size' | 'aria-label'> & { label: string }) {
  return <Button variant="quiet" size="icon" aria-label={label} title={label} {...rest} />;
}
