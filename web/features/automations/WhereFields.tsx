import { SCOPES_OF, scopeOf } from '#contract/automation-problems.ts';
import type { AutomationInput, Trigger } from '#contract/automations.ts';
import { withTrigger } from '#web/features/automations/automation-form.ts';
import type { FieldsProps } from '#web/features/automations/editor-fields.ts';
import { SCOPE_WORDS, TRIGGER_WORDS } from '#web/features/automations/trigger-words.ts';
import { Field, FieldError } from '#web/ui/Field.tsx';
import { Radio } from '#web/ui/inputs.tsx';
import { TagInput } from '#web/ui/TagInput.tsx';

type Props = FieldsProps & {
  /** All that is typed, of other parts too. */
  read: () => AutomationInput;
  /** The choices here. */
  triggers: readonly Trigger[];
  /** The post, story or live whose panel this is. */
  postId: string | null;
};

const SCOPE_HINTS = {
  one: undefined,
  any: 'Includes new ones. A post’s own automation wins over this one.',
  next: 'It attaches itself to the next one you publish.',
  caption: 'New posts with one of your words in the caption. You choose whether to add older ones.',
} as const;

/** The door that followers come through, and where it stands. */
export function WhereFields({ input, set, errorOf, read, triggers, postId }: Props) {
  const scopes = SCOPES_OF[input.trigger].filter((scope) => scope !== 'one' || postId !== null);
  const scope = scopeOf(input);
  const become = (trigger: Trigger) => {
    const whole = read();
    const next = withTrigger(whole, trigger, postId);
    for (const field of ['trigger', 'mode', 'scope', 'postId', 'messageText', 'buttons', 'publicReplies'] as const) {
      if (next[field] !== whole[field]) set(field, next[field]);
    }
  };
  const problem = errorOf('scope') ?? errorOf('postId');
  return (
    <>
      {triggers.length > 1 && (
        <fieldset className="grid gap-2 sm:grid-cols-2">
          <legend className="mb-1.5 font-medium text-sm">Trigger</legend>
          {triggers.map((trigger) => (
            <Radio
              key={trigger}
              name="trigger"
              label={TRIGGER_WORDS[trigger].label}
              hint={TRIGGER_WORDS[trigger].hint}
              checked={input.trigger === trigger}
              onChange={() => become(trigger)}
            />
          ))}
        </fieldset>
      )}
      {scopes.length > 1 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 font-medium text-sm">Where</legend>
          {scopes.map((one) => (
            <Radio
              key={one}
              name="scope"
              label={SCOPE_WORDS[input.trigger][one]}
              hint={SCOPE_HINTS[one]}
              checked={scope === one}
              onChange={() => {
                set('scope', one);
                set('postId', one === 'one' ? postId : null);
              }}
            />
          ))}
          {problem && <FieldError>{problem}</FieldError>}
        </fieldset>
      )}
      {scope === 'caption' && (
        <Field
          label="Words in the caption"
          hint="One is enough. Press Enter after each."
          error={errorOf('captionWords')}
        >
          {(wiring) => (
            <TagInput
              {...wiring}
              value={input.captionWords}
              onChange={(words) => set('captionWords', words)}
              placeholder="sourdough"
            />
          )}
        </Field>
      )}
    </>
  );
}
