import { X } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { getRecipe } from '#contract/recipes.ts';
import type { PinForm } from '#web/features/pins/pin-form.ts';
import { PIN } from '#web/features/pins/words.ts';
import { RecipePicker } from '#web/features/recipes/RecipePicker.tsx';
import { useFieldError } from '#web/shell/form.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { FieldError } from '#web/ui/Field.tsx';

/** On which lists: all, or those of chosen recipes. */
export function PinRecipes({ form }: { form: PinForm }) {
  const chosen = useWatch({ control: form.control, name: 'recipeIds' }) as string[] | null;
  const error = useFieldError(form.control, 'recipeIds');
  const set = (ids: string[]) => form.setValue('recipeIds', ids.length === 0 ? null : ids, { shouldDirty: true });
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">{PIN.recipes}</legend>
      <p className="text-muted text-sm">{chosen === null ? PIN.allRecipes : PIN.onlyThese}</p>
      {chosen !== null && (
        <ul>
          {chosen.map((id) => (
            <Chosen key={id} id={id} onRemove={() => set(chosen.filter((one) => one !== id))} />
          ))}
        </ul>
      )}
      <RecipePicker label={PIN.choose} onPick={({ id }) => set([...new Set([...(chosen ?? []), id])])} />
      {error !== undefined && <FieldError>{error}</FieldError>}
    </fieldset>
  );
}

function Chosen({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { creatorId } = useCreator();
  const recipe = useEndpoint(getRecipe, { params: { creatorId, recipeId: id } }, { retry: false });
  const name = recipe.data?.name ?? (recipe.isError ? 'A deleted recipe' : '…');
  return (
    <li className="flex min-h-11 items-center justify-between gap-2 text-sm">
      <bdi className="wrap-anywhere">{name}</bdi>
      <IconButton label={PIN.removeRecipe(name)} onClick={onRemove}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </li>
  );
}
