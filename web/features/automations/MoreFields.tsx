import { REPEAT_CHOICES, repeatLabel } from '#web/features/automations/automation-form.ts';
import type { FieldsProps } from '#web/features/automations/editor-fields.ts';
import { Field } from '#web/ui/Field.tsx';
import { Input, Radio, Select } from '#web/ui/inputs.tsx';
import { TagInput } from '#web/ui/TagInput.tsx';

type Props = FieldsProps & {
  /** The post whose panel this is; null: there is only "any post". */
  postId: string | null;
};

/** What most automations never need to change. */
export function MoreFields({ input, set, errorOf, postId }: Props) {
  const choices = REPEAT_CHOICES.some(({ minutes }) => minutes === input.repeatAfterMinutes)
    ? REPEAT_CHOICES
    : [...REPEAT_CHOICES, { minutes: input.repeatAfterMinutes, label: repeatLabel(input.repeatAfterMinutes) }];
  return (
    <div className="flex flex-col gap-5">
      <Field
        label="Not if the comment has"
        optional
        hint="Excluded words: a comment with one of these is never answered."
        error={errorOf('excludedWords')}
      >
        {(wiring) => (
          <TagInput {...wiring} value={input.excludedWords} onChange={(words) => set('excludedWords', words)} />
        )}
      </Field>
      <Field label="How often is the same person answered?" error={errorOf('repeatAfterMinutes')}>
        {(wiring) => (
          <Select
            {...wiring}
            value={String(input.repeatAfterMinutes)}
            onChange={(event) =>
              set('repeatAfterMinutes', event.target.value === 'null' ? null : Number(event.target.value))
            }
          >
            {choices.map(({ minutes, label }) => (
              <option key={String(minutes)} value={String(minutes)}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {postId !== null && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 font-medium text-sm">Where does it listen?</legend>
          <Radio
            name="scope"
            label="On this post"
            checked={input.postId !== null}
            onChange={() => set('postId', postId)}
          />
          <Radio
            name="scope"
            label="On any post"
            hint="Also on those you publish later. An automation for a single post goes first there."
            checked={input.postId === null}
            onChange={() => set('postId', null)}
          />
        </fieldset>
      )}
      <Field
        label="Name"
        optional
        hint="Only you see it. Without one, the first word is the name."
        error={errorOf('name')}
      >
        {(wiring) => (
          <Input {...wiring} maxLength={120} value={input.name} onChange={(event) => set('name', event.target.value)} />
        )}
      </Field>
      <Field
        label="Priority"
        optional
        hint="When two automations listen for the same word, the larger number answers."
        error={errorOf('priority')}
      >
        {(wiring) => (
          <Input
            {...wiring}
            type="number"
            inputMode="numeric"
            min={-1000}
            max={1000}
            className="max-w-32"
            value={Number.isNaN(input.priority) ? '' : input.priority}
            onChange={(event) => set('priority', event.target.valueAsNumber)}
          />
        )}
      </Field>
    </div>
  );
}
