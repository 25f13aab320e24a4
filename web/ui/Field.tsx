import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { cx } from '#web/ui/class-names.ts';

/** Attributes of the input so that label, hint and error are read out with it. */
export type FieldWiring = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

type Props = {
  label: ReactNode;
  /** One line under the label: what this is for, what is allowed. */
  hint?: ReactNode;
  error?: string | undefined;
  optional?: boolean;
  /** Right end of the label's line: a counter, a link. */
  aside?: ReactNode;
  className?: string;
  children: (wiring: FieldWiring) => ReactNode;
};

/** Label above, hint, the field, error below. */
export function Field({ label, hint, error, optional, aside, className, children }: Props) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return (
    <div className={cx('flex flex-col gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
          {optional && <span className="font-normal text-faint"> (optional)</span>}
        </label>
        {aside && <span className="text-faint text-sm">{aside}</span>}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined })}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="flex gap-1.5 text-error-ink text-sm">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
