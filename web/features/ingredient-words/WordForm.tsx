import { useWatch } from 'react-hook-form';
import {
  createIngredientWord,
  type IngredientWord,
  IngredientWordInput,
  LONGEST_WORD,
  previewIngredientWord,
  updateIngredientWord,
} from '#contract/ingredient-words.ts';
import { AISLES } from '#contract/ingredients/aisles.ts';
import { WordChanges } from '#web/features/ingredient-words/WordChanges.tsx';
import { KINDS, REFRESHES, sizeWords } from '#web/features/ingredient-words/words.ts';
import { type ApiForm, FormFrame, TextField, useApiForm, useFieldError } from '#web/shell/form.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';

const FRESH: IngredientWordInput = { kind: 'unit', word: '', means: '' };

/** A word, new or saved, with what it would change. */
export function WordForm({ saved, onDone }: { saved: IngredientWord | null; onDone: () => void }) {
  const { creatorId } = useCreator();
  const preview = useEndpointMutation(previewIngredientWord, { successToast: false });
  const form = useApiForm({
    endpoint: (saved ? updateIngredientWord : createIngredientWord) as typeof updateIngredientWord,
    schema: IngredientWordInput,
    defaultValues: saved === null ? FRESH : { kind: saved.kind, word: saved.word, means: sizeWords(saved.means) },
    request: (values: IngredientWordInput) => ({
      params: { creatorId, wordId: saved?.id ?? '' },
      body: { ...values, version: saved?.version ?? 0 },
    }),
    refreshes: REFRESHES,
    successToast: { title: 'Word saved' },
    onSuccess: onDone,
  });
  const input = useWatch({ control: form.control }) as IngredientWordInput;
  const { success: isWord, data: becomes } = IngredientWordInput.safeParse(input);
  const looked = preview.variables?.body.becomes;
  const isCurrent = preview.data !== undefined && JSON.stringify(looked) === JSON.stringify(becomes);
  const look = () => isWord && preview.mutate({ params: { creatorId }, body: { wordId: saved?.id ?? null, becomes } });
  return (
    <FormFrame
      form={form}
      submitLabel={saved === null ? 'Add word' : 'Save word'}
      actions={
        <Button variant="secondary" busy={preview.isPending} disabled={!isWord} onClick={look}>
          See what changes
        </Button>
      }
    >
      <TextField form={form} name="word" label="Word" autoCapitalize="none" maxLength={LONGEST_WORD} />
      <Field label="What it is">
        {(wiring) => (
          <Select
            {...wiring}
            value={input.kind}
            onChange={({ target }) => {
              form.setValue('kind', target.value as IngredientWordInput['kind'], { shouldDirty: true });
              form.setValue('means', '', { shouldDirty: true });
              form.clearErrors('means');
            }}
          >
            {Object.entries(KINDS).map(([kind, label]) => (
              <option key={kind} value={kind}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Means form={form} kind={input.kind} />
      {isCurrent && <WordChanges preview={preview.data} />}
    </FormFrame>
  );
}

function Means({ form, kind }: { form: ApiForm<IngredientWordInput>; kind: IngredientWordInput['kind'] }) {
  const error = useFieldError(form.control, 'means');
  if (kind === 'alias')
    return <TextField form={form} name="means" label="Food" placeholder="olive oil" maxLength={100} />;
  if (kind === 'unit') {
    return (
      <TextField
        form={form}
        name="means"
        label="How much one is"
        hint="Like 1 tbsp or 15 ml. Leave it empty if that varies."
        optional
        maxLength={100}
      />
    );
  }
  if (kind !== 'food') return null;
  return (
    <Field label="Aisle" optional error={error}>
      {(wiring) => (
        <Select {...wiring} {...form.register('means')}>
          <option value="">As we know it</option>
          {Object.entries(AISLES).map(([aisle, name]) => (
            <option key={aisle} value={aisle}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
