import { Plus, Trash2, TriangleAlert } from 'lucide-react';
import { useRef } from 'react';
import { checkMessage, MAX_BUTTON_TITLE_CHARACTERS, MAX_BUTTONS } from '#contract/message-text.ts';
import type { FieldsProps } from '#web/features/automations/editor-fields.ts';
import { countMessage } from '#web/features/automations/message-count.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Field } from '#web/ui/Field.tsx';
import { Input, Textarea } from '#web/ui/inputs.tsx';

/** Only what Instagram tells of a commenter can be filled in: her handle, and the word she wrote. */
const INSERTS = [
  { text: '{{username|there}}', label: 'Her name' },
  { text: '{{word}}', label: 'Her word' },
];

const number = new Intl.NumberFormat('en');

type Props = FieldsProps & { follower: string };

export function MessageFields({ input, set, errorOf, follower }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const hasButtons = input.buttons.some(({ title }) => title.trim() !== '');
  const count = countMessage(input.messageText, hasButtons, { username: follower, word: input.words[0] ?? '' });
  // Errors stand beside the field when it is sent; a message too long is said while typing.
  const live = checkMessage({ text: input.messageText, buttons: input.buttons }).find(
    ({ code }) => code === 'too_long' || code === 'may_be_too_long' || code === 'unknown_variable',
  );

  const insert = (text: string) => {
    const area = field.current;
    const from = area?.selectionStart ?? input.messageText.length;
    const to = area?.selectionEnd ?? from;
    set('messageText', input.messageText.slice(0, from) + text + input.messageText.slice(to));
    requestAnimationFrame(() => {
      area?.focus();
      area?.setSelectionRange(from + text.length, from + text.length);
    });
  };

  return (
    <>
      <div className="flex flex-col gap-2">
        <Field
          label="Message"
          hint="Goes into her Instagram inbox."
          error={errorOf('messageText')}
          aside={
            <span className={cx('tabular-nums', count.over && 'font-semibold text-error-ink')}>
              {number.format(count.used)} of {number.format(count.limit)} {count.unit}
            </span>
          }
        >
          {(wiring) => (
            <Textarea
              {...wiring}
              ref={field}
              rows={5}
              className="field-sizing-content min-h-32"
              dir="auto"
              value={input.messageText}
              onChange={(event) => set('messageText', event.target.value)}
            />
          )}
        </Field>
        {live && errorOf('messageText') === undefined && (
          <p role="status" className="flex gap-1.5 text-sm text-warning-ink">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            {live.message}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-muted text-sm">Insert</span>
          {INSERTS.map(({ text, label }) => (
            <Button key={text} variant="secondary" size="small" onClick={() => insert(text)}>
              {label}
            </Button>
          ))}
        </div>
        <p className="text-faint text-sm">
          What stands after “|” is said when Instagram does not tell it: {'{{username|there}}'} becomes “there”.
        </p>
      </div>
      <ButtonFields input={input} set={set} errorOf={errorOf} />
    </>
  );
}

function ButtonFields({ input, set, errorOf }: FieldsProps) {
  const { buttons } = input;
  const change = (place: number, part: Partial<(typeof buttons)[number]>) =>
    set(
      'buttons',
      buttons.map((button, at) => (at === place ? { ...button, ...part } : button)),
    );
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1.5 font-medium text-sm">Link buttons</legend>
      {errorOf('buttons') && <p className="text-error-ink text-sm">{errorOf('buttons')}</p>}
      {buttons.map((button, place) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; texts may be the same
          key={place}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-3 rounded-md border border-line p-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]"
        >
          <Field
            label={place === 0 ? 'Button text' : `Button ${place + 1} text`}
            error={errorOf(`buttons.${place}.title`)}
            aside={`${button.title.length} of ${MAX_BUTTON_TITLE_CHARACTERS}`}
          >
            {(wiring) => (
              <Input
                {...wiring}
                value={button.title}
                onChange={(event) => change(place, { title: event.target.value })}
              />
            )}
          </Field>
          <IconButton
            label={`Remove button ${place + 1}`}
            className="mt-7 sm:order-last"
            onClick={() =>
              set(
                'buttons',
                buttons.filter((_, at) => at !== place),
              )
            }
          >
            <Trash2 aria-hidden="true" className="size-4" />
          </IconButton>
          <Field
            label={place === 0 ? 'Button link' : `Button ${place + 1} link`}
            error={errorOf(`buttons.${place}.url`)}
            className="col-span-2 sm:col-span-1"
          >
            {(wiring) => (
              <Input
                {...wiring}
                type="url"
                inputMode="url"
                placeholder="https://"
                autoCapitalize="none"
                value={button.url}
                onChange={(event) => change(place, { url: event.target.value.trim() })}
              />
            )}
          </Field>
        </div>
      ))}
      {buttons.length < MAX_BUTTONS && (
        <Button
          variant="quiet"
          size="small"
          className="self-start"
          onClick={() => set('buttons', [...buttons, { title: '', url: '' }])}
        >
          <Plus aria-hidden="true" className="size-4" />
          Add a button
        </Button>
      )}
    </fieldset>
  );
}
