import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { checkMessage, checkPublicReply } from '#contract/message-text.ts';
import { countMessage, type TextKind } from '#web/features/automations/message-count.ts';
import { Button } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Field } from '#web/ui/Field.tsx';
import { Textarea } from '#web/ui/inputs.tsx';
import { numerals } from '#web/ui/numerals.ts';

/** Only what Instagram tells of a commenter can be filled in: their handle, and the word they wrote. */
const INSERTS = [
  { text: '{{username|there}}', label: 'Name' },
  { text: '{{word}}', label: 'Their word' },
];

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
  const field = useRef<HTMLTextAreaElement>(null);
  const count = countMessage(value, kind, values);
  // Errors stand beside the field when it is sent; a text too long is said while typing.
  const live = problemsOf(value, kind).find(
    ({ code }) => code === 'too_long' || code === 'may_be_too_long' || code === 'unknown_variable',
  );

  const insert = (text: string) => {
    const area = field.current;
    const from = area?.selectionStart ?? value.length;
    const to = area?.selectionEnd ?? from;
    onChange(value.slice(0, from) + text + value.slice(to));
    requestAnimationFrame(() => {
      area?.focus();
      area?.setSelectionRange(from + text.length, from + text.length);
    });
  };

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
            <Textarea
              {...wiring}
              ref={field}
              rows={rows}
              className={cx('field-sizing-content', rows > 3 ? 'min-h-32' : 'min-h-20')}
              dir="auto"
              value={value}
              onChange={(event) => onChange(event.target.value)}
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
          {INSERTS.map(({ text, label: name }) => (
            <Button key={text} variant="secondary" size="small" onClick={() => insert(text)}>
              {name}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

/** The address only fills its place: with a button the text may be shorter. */
const ANY_BUTTON = { title: 'Open', url: 'https://example.com' };

function problemsOf(text: string, kind: TextKind) {
  if (kind === 'public_reply') return checkPublicReply(text);
  return checkMessage({ text, buttons: kind === 'with_buttons' ? [ANY_BUTTON] : [] });
}
