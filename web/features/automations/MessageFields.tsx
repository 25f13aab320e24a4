import { Plus, Trash2 } from 'lucide-react';
import { BUTTON_TARGETS } from '#contract/automations.ts';
import { MAX_BUTTON_TITLE_CHARACTERS, MAX_BUTTONS } from '#contract/message-text.ts';
import type { FieldsProps } from '#web/features/automations/editor-fields.ts';
import { useReplies } from '#web/features/automations/LibraryPickers.tsx';
import { MessageTextField } from '#web/features/automations/MessageTextField.tsx';
import { TargetOfButton } from '#web/features/automations/TargetOfButton.tsx';
import { TargetPicker } from '#web/features/automations/TargetPicker.tsx';
import { RecipeOfButton } from '#web/features/recipes/RecipeOfButton.tsx';
import { LinkInput } from '#web/shell/LinkInput.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input, Select } from '#web/ui/inputs.tsx';

type Props = FieldsProps & { values: { username: string; word: string }; hasButtons: boolean };

export function MessageField({ input, set, errorOf, values, hasButtons }: Props) {
  const saved = useReplies('message');
  return (
    <div className="flex flex-col gap-2">
      <MessageTextField
        label="Message"
        hint="Sent as an Instagram DM."
        kind={hasButtons || input.card !== null ? 'with_buttons' : 'plain'}
        values={values}
        rows={4}
        inserts
        value={input.messageText}
        onChange={(text) => set('messageText', text)}
        error={errorOf('messageText')}
      />
      {saved.length > 0 && (
        <Field label="Use one of your Custom Replies" className="max-w-72">
          {(wiring) => (
            <Select
              {...wiring}
              value=""
              onChange={(event) => {
                const text = saved.find(({ id }) => id === event.target.value)?.texts[0];
                if (text !== undefined) set('messageText', text);
              }}
            >
              <option value="">Choose</option>
              {saved.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </div>
  );
}

export function ButtonFields({ input, set, errorOf }: FieldsProps) {
  const { buttons } = input;
  const change = (place: number, part: Partial<(typeof buttons)[number]>) =>
    set(
      'buttons',
      buttons.map((button, at) => (at === place ? { ...button, ...part } : button)),
    );
  const mayAddListOf = (recipe: string) =>
    buttons.length < MAX_BUTTONS && !buttons.some(({ recipeId, part }) => recipeId === recipe && part === 'list');
  const labelOf = (place: number) => (place === 0 ? 'Button link' : `Button ${place + 1} link`);
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
          {BUTTON_TARGETS.every((target) => button[target] === undefined) ? (
            <div className="col-span-2 flex min-w-0 flex-col gap-1 sm:col-span-1">
              <Field label={labelOf(place)} error={errorOf(`buttons.${place}.url`)}>
                {(wiring) => (
                  <LinkInput
                    {...wiring}
                    value={button.url}
                    onChange={(event) => change(place, { url: event.target.value.trim() })}
                  />
                )}
              </Field>
              <TargetPicker onPick={(target) => change(place, target)} />
            </div>
          ) : (
            <div className="col-span-2 min-w-0 sm:col-span-1">
              <p className="mb-1.5 font-medium text-sm">{labelOf(place)}</p>
              {button.recipeId === undefined ? (
                <TargetOfButton button={button} onChange={(changed) => set('buttons', buttons.with(place, changed))} />
              ) : (
                <RecipeOfButton
                  button={{ ...button, recipeId: button.recipeId }}
                  onChange={(changed) => set('buttons', buttons.with(place, changed))}
                  onAddList={mayAddListOf(button.recipeId) ? (added) => set('buttons', [...buttons, added]) : null}
                />
              )}
            </div>
          )}
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
