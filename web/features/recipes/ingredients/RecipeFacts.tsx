import { useState } from 'react';
import { LANGUAGE_NAMES, languageCode } from '#contract/ingredients/recipe-language.ts';
import { type IngredientsInput, MOST_STEPS } from '#contract/recipe-ingredients.ts';
import { servingsTyped } from '#web/features/recipes/ingredients/ListPreview.tsx';
import type { IngredientsState } from '#web/features/recipes/ingredients/use-ingredients.ts';
import { MEASURES } from '#web/features/recipes/ingredients/words.ts';
import { Field } from '#web/ui/Field.tsx';
import { Input, Select, Textarea } from '#web/ui/inputs.tsx';

const LONGEST_STEP = 2000;
const MOST_MINUTES = 10_000;

type Props = { editor: IngredientsState };

/** For how many it is, how long it takes, and whose cups it means. */
export function RecipeFacts({ editor: { content, edit } }: Props) {
  const set = (change: Partial<IngredientsInput>, what: string) => edit((before) => ({ ...before, ...change }), what);
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label="Servings">
        {(wiring) => (
          <Input
            {...wiring}
            type="number"
            inputMode="numeric"
            min={1}
            max={100}
            value={content.servings ?? ''}
            onChange={({ target }) => set({ servings: servingsTyped(target.value) }, 'servings')}
          />
        )}
      </Field>
      <Field label="Minutes">
        {(wiring) => (
          <Input
            {...wiring}
            type="number"
            inputMode="numeric"
            min={1}
            max={MOST_MINUTES}
            value={content.minutes ?? ''}
            onChange={({ target }) => set({ minutes: minutesTyped(target.value) }, 'minutes')}
          />
        )}
      </Field>
      <Field label="Measures" className="col-span-2 sm:col-span-1">
        {(wiring) => (
          <Select
            {...wiring}
            value={content.measures}
            onChange={({ target }) => set({ measures: target.value as IngredientsInput['measures'] }, 'measures')}
          >
            {Object.entries(MEASURES).map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Language" className="col-span-2 sm:col-span-1">
        {(wiring) => (
          <Select
            {...wiring}
            value={languageCode(content.language)}
            onChange={({ target }) => set({ language: target.value }, 'language')}
          >
            {Object.entries(LANGUAGE_NAMES).map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}

function minutesTyped(typed: string): number | null {
  const number = Math.trunc(Number(typed));
  return number >= 1 ? Math.min(number, MOST_MINUTES) : null;
}

/** Of a recipe without a page; each paragraph is a step. */
export function StepsField({ editor: { content, edit } }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const isCurrent = typed !== null && stepsOf(typed).join('\n') === content.steps.join('\n');
  return (
    <Field
      label="Steps"
      optional
      hint="One step per line. They show under the shopping list, since this recipe has no page of its own."
    >
      {(wiring) => (
        <Textarea
          {...wiring}
          rows={6}
          value={isCurrent ? typed : content.steps.join('\n')}
          onChange={({ target }) => {
            setTyped(target.value);
            edit((before) => ({ ...before, steps: stepsOf(target.value) }), 'steps');
          }}
        />
      )}
    </Field>
  );
}

function stepsOf(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((step) => step.trim().slice(0, LONGEST_STEP))
    .filter((step) => step !== '')
    .slice(0, MOST_STEPS);
}
