import { useWatch } from 'react-hook-form';
import {
  changeSponsorPin,
  createSponsorPin,
  deleteSponsorPin,
  listSponsorPins,
  type SponsorPin,
  SponsorPinInput,
} from '#contract/sponsor-pins.ts';
import { DeleteFromLibrary, SavedMeanwhile } from '#web/features/libraries/LibrarySheet.tsx';
import { useLibraryForm } from '#web/features/libraries/use-library-form.ts';
import { AsinFields } from '#web/features/pins/AsinFields.tsx';
import { PinRecipes } from '#web/features/pins/PinRecipes.tsx';
import type { PinForm } from '#web/features/pins/pin-form.ts';
import { daysInWords, PIN } from '#web/features/pins/words.ts';
import { FormFrame, TextField, useFieldError } from '#web/shell/form.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Sheet } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { TagInput } from '#web/ui/TagInput.tsx';

type Props = { saved: SponsorPin | null; timeZone: string; refetch: () => unknown; onClose: () => void };

/** One sponsor's product, new or saved. */
export function PinSheet({ saved, timeZone, refetch, onClose }: Props) {
  const { creatorId } = useCreator();
  const { form, theirs, keepMine, takeTheirs } = useLibraryForm({
    saved,
    latest: saved,
    inputOf,
    fresh: freshPin(timeZone),
    endpoint: (saved ? changeSponsorPin : createSponsorPin) as typeof changeSponsorPin,
    schema: SponsorPinInput,
    request: (values: SponsorPinInput, version) => ({
      params: { creatorId, pinId: saved?.id ?? '' },
      body: { ...values, version },
    }),
    draftKey: `pin:${creatorId}:${saved?.id ?? 'new'}`,
    refreshes: [listSponsorPins],
    refetch,
    onSaved: onClose,
  });
  const deleting = useEndpointMutation(deleteSponsorPin, {
    refreshes: [listSponsorPins],
    successToast: { title: PIN.deleted },
    onSuccess: onClose,
  });
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={saved === null ? PIN.newTitle : PIN.title}
      description={PIN.says}
    >
      <FormFrame form={form} aria-label={PIN.title} submitLabel={PIN.save}>
        {theirs && (
          <SavedMeanwhile
            theirs={`${theirs.product}\n${theirs.foods.join(', ')}\n${daysInWords(theirs)}`}
            onMine={keepMine}
            onTheirs={takeTheirs}
          />
        )}
        <TextField form={form} name="product" label={PIN.product} hint={PIN.productHint} maxLength={120} />
        <Tags form={form} name="foods" label={PIN.foods} hint={PIN.foodsHint} maxLength={100} />
        <Days form={form} />
        <TextField form={form} name="disclosure" label={PIN.disclosure} hint={PIN.disclosureHint} maxLength={30} />
        <PinRecipes form={form} />
        <Tags form={form} name="upcs" label={PIN.upcs} hint={PIN.upcsHint} maxLength={14} optional />
        <TextField form={form} name="brand" label={PIN.brand} hint={PIN.brandHint} maxLength={60} optional />
        <AsinFields form={form} />
      </FormFrame>
      {saved !== null && (
        <div className="mt-6">
          <DeleteFromLibrary
            name={saved.product}
            usedBy={[]}
            busy={deleting.isPending}
            onDelete={() => deleting.mutate({ params: { creatorId, pinId: saved.id } })}
          />
        </div>
      )}
    </Sheet>
  );
}

type TagsProps = {
  form: PinForm;
  name: 'foods' | 'upcs';
  label: string;
  hint: string;
  maxLength: number;
  optional?: boolean;
};

function Tags({ form, name, label, hint, maxLength, optional = false }: TagsProps) {
  const value = useWatch({ control: form.control, name }) as string[];
  const ofList = useFieldError(form.control, name);
  const ofFirst = useFieldError(form.control, `${name}.${firstWrong(form, name)}` as `${typeof name}.0`);
  return (
    <Field label={label} hint={hint} error={ofList ?? ofFirst} optional={optional}>
      {(wiring) => (
        <TagInput
          {...wiring}
          value={value}
          maxLength={maxLength}
          onChange={(words) => form.setValue(name, words, { shouldDirty: true })}
        />
      )}
    </Field>
  );
}

/** Of several words that are wrong the first is told. */
function firstWrong(form: PinForm, name: TagsProps['name']): number {
  const errors = form.formState.errors[name];
  return Array.isArray(errors) ? Math.max(0, errors.findIndex(Boolean)) : 0;
}

function Days({ form }: { form: PinForm }) {
  const timeZone = useWatch({ control: form.control, name: 'timeZone' });
  const zones = [...new Set(['UTC', timeZone, ...Intl.supportedValuesOf('timeZone')])].sort();
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField form={form} name="from" type="date" label={PIN.from} />
        <TextField form={form} name="to" type="date" label={PIN.to} />
      </div>
      <Field label={PIN.timeZone} error={useFieldError(form.control, 'timeZone')}>
        {(wiring) => (
          <Select {...wiring} {...form.register('timeZone')}>
            {zones.map((name) => (
              <option key={name} value={name}>
                {name.replaceAll('_', ' ')}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  );
}

function inputOf(pin: SponsorPin): SponsorPinInput {
  const { foods, recipeIds, product, upcs, asins, brand, disclosure, from, to, timeZone } = pin;
  return { foods, recipeIds, product, upcs, asins, brand, disclosure, from, to, timeZone };
}

function freshPin(timeZone: string): SponsorPinInput {
  const nothing = { foods: [], recipeIds: null, product: '', upcs: [], asins: [], brand: '', from: '', to: '' };
  return { ...nothing, disclosure: 'Ad', timeZone };
}
