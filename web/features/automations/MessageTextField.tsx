import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useId, useRef } from 'react';
import { checkMessage, checkPublicReply } from '#contract/message-text.ts';
import { countMessage, type TextKind } from '#web/features/automations/message-count.ts';
import { type Insertable, VariableTextarea } from '#web/features/automations/VariableTextarea.tsx';
import { fallbacksOf, INSERTS, withFallback } from '#web/features/automations/variable-chips.ts';
import { Button } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Field } from '#web/ui/Field.tsx';
import { Input } from '#web/ui/inputs.tsx';
import { numerals } from '#web/ui/numerals.ts';

type Props = {
  label: ReactNode;
  hint?: ReactNode;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  kind: TextKind;
  /** Whose name and word the counter fills in. */
  values: { username: string; word: string };
  rows?: number;
  /** Offers to insert variables. */
  inserts?: boolean;
  /** Right beside the text, e.g. a button that removes it. */
  beside?: ReactNode;
};

/** A text that followers get, with a live counter of the platform's limit. */
export function MessageTextField(props: Props) {
  const { label, hint, value, onChange, error, kind, values, rows = 3, inserts = false, beside } = props;
  const field = useRef<Insertable>(null);
  const count = countMessage(value, kind, values);
  const id = useId();
  const fallbacks = fallbacksOf(value);
  // Errors stand beside the field when it is sent; a text too long is said while typing.
  const live = problemsOf(value, kind).find(
    ({ code }) => code === 'too_long' || code === 'may_be_too_long' || code === 'unknown_variable',
  );

  return (
    <div className="flex flex-col gap-2">
      <Field
        label={label}
        {...(hint !== undefined && { hint })}
        error={error}
        aside={
          <span className={cx('tabular-nums', count.over && 'font-semibold text-error-ink')}>
            {numerals(count.used)} of {numerals(count.limit)} {count.unit}
          </span>
        }
      >
        {(wiring) => (
          <div className="flex items-start gap-2">
            <VariableTextarea
              {...wiring}
              insertable={field}
              rows={rows}
              className={rows > 3 ? 'min-h-28' : 'min-h-20'}
              value={value}
              onChange={onChange}
            />
            {beside}
          </div>
        )}
      </Field>
      {live && error === undefined && (
        <p role="status" className="flex gap-1.5 text-sm text-warning-ink">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {live.message}
        </p>
      )}
      {inserts && (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-muted text-sm">Insert</span>
          {INSERTS.map(({ stored, label: name }) => (
            <Button key={stored} variant="secondary" size="small" onClick={() => field.current?.insert(stored)}>
              {name}
            </Button>
          ))}
        </div>
      )}
      {fallbacks.map(({ variable, label: name, says }) => (
        <div key={variable} className="flex flex-wrap items-center gap-x-2 text-muted text-sm">
          <label htmlFor={`${id}-${variable}`}>
            <span className="rounded-sm bg-accent-soft px-1.5 py-0.5 text-accent-ink forced-colors:border">{name}</span>{' '}
            if unknown, say:
          </label>
          <span className="w-28">
            <Input
              id={`${id}-${variable}`}
              maxLength={30}
              value={says}
              onChange={(event) => onChange(withFallback(value, variable, event.target.value))}
            />
          </span>
        </div>
      ))}
    </div>
  );
}

/** The address only fills its place: with a button the text may be shorter. */
const ANY_BUTTON = { title: 'Open', url: 'https://example.com' };

function problemsOf(text: string, kind: TextKind) {
  if (kind === 'public_reply') return checkPublicReply(text);
  return checkMessage({ text, buttons: kind === 'with_buttons' ? [ANY_BUTTON] : [] });
}
