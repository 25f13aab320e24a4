import { TriangleAlert } from 'lucide-react';
import { checkRule } from '#contract/matching/index.ts';
import { MODE_WORDS } from '#web/features/automations/automation-form.ts';
import { captionMismatch } from '#web/features/automations/caption-check.ts';
import type { FieldsProps } from '#web/features/automations/editor-fields.ts';
import { KeywordPicker } from '#web/features/automations/LibraryPickers.tsx';
import { matchHint } from '#web/features/automations/match-hint.ts';
import { TRIGGER_WORDS } from '#web/features/automations/trigger-words.ts';
import { WordSuggestions } from '#web/features/automations/WordSuggestions.tsx';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select, Switch } from '#web/ui/inputs.tsx';
import { TagInput } from '#web/ui/TagInput.tsx';
import { addTags } from '#web/ui/tags.ts';

type Props = FieldsProps & {
  /** Of the post that it listens on; null when there is none, or several. */
  caption: string | null;
  suggestedWords: readonly string[];
};

/** The keywords a follower has to write. Says at once when the caption asks for something else. */
export function WordsFields({ input, set, errorOf, caption, suggestedWords }: Props) {
  const mismatch = caption === null ? null : captionMismatch(caption, input);
  const anyComment = input.mode === 'any_comment';
  const suggestions = suggestedWords.filter((word) => !input.words.some((own) => sameWord(own, word)));
  const warnings = checkRule(input).filter(({ severity, field }) => severity === 'warning' && field === 'words');
  const what = TRIGGER_WORDS[input.trigger].input;
  return (
    <>
      {!anyComment && (
        <div className="flex flex-col gap-2">
          <Field
            label="Words or phrases"
            hint={`What followers write in the ${what}, like “recipe”. Upper or lower case doesn’t matter. Press Enter after each.`}
            error={errorOf('words')}
          >
            {(wiring) => (
              <TagInput
                {...wiring}
                value={input.words}
                onChange={(words) => set('words', words)}
                placeholder="RECIPE"
              />
            )}
          </Field>
          {suggestions.length > 0 && (
            <p className="flex flex-wrap items-center gap-2 text-muted text-sm">
              From your caption:
              {suggestions.slice(0, 3).map((word) => (
                <Button
                  key={word}
                  variant="secondary"
                  size="small"
                  onClick={() => set('words', addTags(input.words, [word]))}
                >
                  Add {word}
                </Button>
              ))}
            </p>
          )}
          {mismatch && (
            <Alert
              variant="warning"
              announce
              title={`Your caption asks for ${mismatch.asked}, but you listen for ${input.words.slice(0, 3).join(', ')}`}
              action={
                <Button
                  size="small"
                  variant="secondary"
                  onClick={() => set('words', addTags(input.words, [mismatch.asked]))}
                >
                  Listen for {mismatch.asked} too
                </Button>
              }
            >
              Followers who do what your caption says won’t get anything.
            </Alert>
          )}
          <WordSuggestions rule={input} onWords={(words) => set('words', words)} />
          {warnings.map((warning) => (
            <p key={warning.message} className="flex gap-1.5 text-sm text-warning-ink">
              <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              {warning.message}
            </p>
          ))}
        </div>
      )}
      {!anyComment && <KeywordPicker input={input} set={set} />}
      <Field label="Match" hint={matchHint(input)} error={errorOf('mode')}>
        {(wiring) => (
          <Select
            {...wiring}
            value={input.mode}
            onChange={(event) => set('mode', event.target.value as typeof input.mode)}
          >
            {Object.entries(MODE_WORDS).map(([mode, { label }]) => (
              <option key={mode} value={mode}>
                {input.trigger === 'comment' ? label : label.replaceAll('comment', what)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {!anyComment && (
        <Switch
          label="Forgive typos and plurals"
          checked={input.typoTolerance}
          onChange={(event) => set('typoTolerance', event.target.checked)}
        />
      )}
    </>
  );
}

function sameWord(one: string, other: string): boolean {
  return one.toLocaleLowerCase('en') === other.toLocaleLowerCase('en');
}
