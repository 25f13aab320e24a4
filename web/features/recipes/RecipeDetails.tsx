import { useWatch } from 'react-hook-form';
import type { Recipe, RecipeInput } from '#contract/recipes.ts';
import { MessageTextField } from '#web/features/automations/MessageTextField.tsx';
import { SavedMeanwhile } from '#web/features/libraries/LibrarySheet.tsx';
import type { LibraryForm } from '#web/features/libraries/use-library-form.ts';
import { FormFrame, TextField, useFieldError } from '#web/shell/form.tsx';
import { LinkInput } from '#web/shell/LinkInput.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Picture } from '#web/ui/Picture.tsx';
import { TagInput } from '#web/ui/TagInput.tsx';

type Props = { saved: Recipe | null; library: LibraryForm<RecipeInput, Recipe> };

/** Name, page, picture, words and message of a recipe. */
export function RecipeDetails({ saved, library: { form, theirs, keepMine, takeTheirs } }: Props) {
  const input = useWatch({ control: form.control }) as RecipeInput;
  const set = <F extends keyof RecipeInput>(field: F, value: RecipeInput[F]) =>
    form.setValue(field as 'name', value as string, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  const moves = saved !== null && input.url !== saved.url && saved.usedBy.length > 0;
  const urlError = useFieldError(form.control, 'url');
  const pictureError = useFieldError(form.control, 'pictureUrl');
  const ideasError = useFieldError(form.control, 'keywordIdeas');
  const messageError = useFieldError(form.control, 'messageText');
  return (
    <Card>
      <div className="flex flex-col gap-6">
        {theirs && (
          <SavedMeanwhile
            theirs={`${theirs.name}\n${theirs.leadsTo}\n${theirs.keywordIdeas.join(', ')}\n${theirs.messageText}`}
            onMine={keepMine}
            onTheirs={takeTheirs}
          />
        )}
        <FormFrame form={form} submitLabel="Save">
          <TextField form={form} name="name" label="Name" placeholder="Lemon pasta" maxLength={120} />
          <Field
            label="Recipe page link"
            hint={
              moves
                ? `When you save, ${saved.usedBy.length === 1 ? 'one automation' : `${saved.usedBy.length} automations`} and all messages already sent will lead to the new address.`
                : 'No page? Leave it empty: messages lead to the shopping list instead.'
            }
            error={urlError}
          >
            {(wiring) => (
              <LinkInput
                {...wiring}
                value={input.url ?? ''}
                onChange={(event) => set('url', event.target.value.trim() || null)}
              />
            )}
          </Field>
          <div className="flex items-end gap-3">
            <Field
              label="Picture"
              optional
              hint="Link to a picture. It stands beside the recipe here and on its shopping list."
              error={pictureError}
              className="min-w-0 flex-1"
            >
              {(wiring) => (
                <LinkInput
                  {...wiring}
                  value={input.pictureUrl ?? ''}
                  onChange={(event) => set('pictureUrl', event.target.value.trim() || null)}
                />
              )}
            </Field>
            <Picture src={input.pictureUrl} alt="" className="size-11 shrink-0 md:size-10" />
          </div>
          <Field
            label="Keywords"
            optional
            hint="Suggested when you create an automation for this recipe. Press Enter after each."
            error={ideasError}
          >
            {(wiring) => (
              <TagInput
                {...wiring}
                value={input.keywordIdeas}
                onChange={(words) => set('keywordIdeas', words)}
                placeholder="PASTA"
              />
            )}
          </Field>
          <MessageTextField
            label="Message"
            hint="Optional. The message an automation for this recipe starts with."
            kind="with_buttons"
            values={{ username: 'anna', word: input.keywordIdeas[0] ?? 'RECIPE' }}
            rows={4}
            inserts
            value={input.messageText}
            onChange={(text) => set('messageText', text)}
            error={messageError}
          />
        </FormFrame>
      </div>
    </Card>
  );
}
