import { REPEAT_CHOICES, repeatLabel } from '#web/features/automations/automation-form.ts';
import type { FieldsProps } from '#web/features/automations/editor-fields.ts';
import { Field } from '#web/ui/Field.tsx';
import { Input, Select } from '#web/ui/inputs.tsx';
import { TagInput } from '#web/ui/TagInput.tsx';

/** Settings most automations never need to change. */
export function MoreFields({ input, set, errorOf }: FieldsProps) {
  const choices = REPEAT_CHOICES.some(({ minutes }) => minutes === input.repeatAfterMinutes)
    ? REPEAT_CHOICES
    : [...REPEAT_CHOICES, { minutes: input.repeatAfterMinutes, label: repeatLabel(input.repeatAfterMinutes) }];
  return (
    <div className="flex flex-col gap-5">
      <Field
        label="Don’t send if the comment contains"
        optional
        hint="Comments with any of these words never get a reply."
        error={errorOf('excludedWords')}
      >
        {(wiring) => (
          <TagInput {...wiring} value={input.excludedWords} onChange={(words) => set('excludedWords', words)} />
        )}
      </Field>
      <Field label="How often the same person can get it" error={errorOf('repeatAfterMinutes')}>
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
      <Field label="Name" optional hint="Only you see it. If empty, we use the first keyword." error={errorOf('name')}>
        {(wiring) => (
          <Input {...wiring} maxLength={120} value={input.name} onChange={(event) => set('name', event.target.value)} />
        )}
      </Field>
      <Field
        label="Priority"
        optional
        hint="If two automations have the same keyword, the one with the higher number replies."
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
