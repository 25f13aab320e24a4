/** The things to fill in. They are the browser's own elements: phones bring their best keyboard and picker for those. */
import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { cx } from '#web/ui/class-names.ts';

/** 16 px text, or iPhones zoom in on focus. */
const BOX = cx(
  'w-full rounded-md border border-edge bg-surface px-3 text-base text-ink placeholder:text-faint',
  'focus-visible:outline-offset-0 disabled:bg-sunken disabled:text-muted aria-invalid:border-error',
);

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cx(BOX, 'min-h-11 md:min-h-10', className)} {...rest} />;
}

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={rows} className={cx(BOX, 'py-2 leading-normal', className)} {...rest} />;
}

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select className={cx(BOX, 'min-h-11 md:min-h-10', className)} {...rest} />;
}

/** A password that its owner can look at: hiding it helps nobody on a phone. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className={cx('relative', className)}>
      <Input type={shown ? 'text' : 'password'} className="pr-12" {...rest} />
      <button
        type="button"
        aria-pressed={shown}
        aria-label="Show password"
        className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-md text-muted hover:text-ink"
        onClick={() => setShown(!shown)}
      >
        <Icon aria-hidden="true" className="size-5" />
      </button>
    </div>
  );
}

type ChoiceProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint?: ReactNode };

export function Checkbox({ label, hint, className, ...rest }: ChoiceProps) {
  const id = useId();
  return (
    <label className={cx('flex min-h-11 items-start gap-3 py-2.5 md:min-h-9 md:py-1.5', className)}>
      <input
        type="checkbox"
        className="mt-0.5 size-5 shrink-0 accent-accent"
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? id : undefined}
        {...rest}
      />
      <ChoiceText label={label} hint={hint} hintId={id} />
    </label>
  );
}

/** On or off, at once; for a choice that is sent with a form use Checkbox. */
export function Switch({ label, hint, className, ...rest }: ChoiceProps) {
  const id = useId();
  return (
    <label className={cx('flex min-h-11 items-start gap-3 py-2.5 md:min-h-9 md:py-1.5', className)}>
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox's own checked state is its aria-checked
        role="switch"
        className={cx(
          'relative h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-xl border border-edge bg-sunken transition-colors',
          'before:absolute before:top-[3px] before:left-[3px] before:size-4 before:rounded-xl before:bg-edge before:transition-transform',
          'checked:border-accent checked:bg-accent checked:before:translate-x-4 checked:before:bg-on-accent',
          'disabled:cursor-not-allowed disabled:opacity-55',
          'forced-colors:forced-color-adjust-none forced-colors:border-[ButtonText] forced-colors:bg-[ButtonFace] forced-colors:before:bg-[ButtonText]',
          'forced-colors:checked:bg-[Highlight] forced-colors:checked:before:bg-[HighlightText]',
        )}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? id : undefined}
        {...rest}
      />
      <ChoiceText label={label} hint={hint} hintId={id} />
    </label>
  );
}

/** One of a few, each with a line of explanation. Wrap them in a fieldset with a legend. */
export function Radio({ label, hint, className, ...rest }: ChoiceProps) {
  const id = useId();
  return (
    <label
      className={cx(
        'flex min-h-11 items-start gap-3 rounded-md border border-line bg-surface p-3 has-checked:border-accent has-checked:bg-accent-soft',
        className,
      )}
    >
      <input
        type="radio"
        className="mt-0.5 size-5 shrink-0 accent-accent"
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? id : undefined}
        {...rest}
      />
      <ChoiceText label={label} hint={hint} hintId={id} />
    </label>
  );
}

/** The hint is the description, not a part of the name: the name is what people say and press. */
function ChoiceText({ label, hint, hintId }: { label: ReactNode; hint: ReactNode; hintId: string }) {
  return (
    <span className="flex min-w-0 flex-col">
      <span id={`${hintId}-label`} className="font-medium">
        {label}
      </span>
      {hint && (
        <span id={hintId} className="text-muted text-sm">
          {hint}
        </span>
      )}
    </span>
  );
}
