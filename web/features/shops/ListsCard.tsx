import { useWatch } from 'react-hook-form';
import type { MeasuresChoice } from '#contract/shops.ts';
import { countries } from '#web/features/shops/countries.ts';
import type { ShoppingForm } from '#web/features/shops/shopping-form.ts';
import { LISTS, MEASURES } from '#web/features/shops/words.ts';
import { useFieldError } from '#web/shell/form.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select, Textarea } from '#web/ui/inputs.tsx';
import { TagInput } from '#web/ui/TagInput.tsx';

/** What every list goes by. */
export function ListsCard({ form }: { form: ShoppingForm }) {
  const disclosureError = useFieldError(form.control, 'disclosure');
  const [country, pantry] = useWatch({ control: form.control, name: ['country', 'pantry'] });
  const pantryError = useFieldError(form.control, 'pantry');
  return (
    <Card title={LISTS.title}>
      <div className="flex flex-col gap-4">
        <Field label={LISTS.disclosure} hint={LISTS.disclosureHint} optional error={disclosureError}>
          {(wiring) => <Textarea {...wiring} rows={2} maxLength={300} {...form.register('disclosure')} />}
        </Field>
        <Field label={LISTS.measures} hint={LISTS.measuresHint}>
          {(wiring) => (
            <Select {...wiring} {...form.register('measures')}>
              {(Object.keys(MEASURES) as MeasuresChoice[]).map((one) => (
                <option key={one} value={one}>
                  {MEASURES[one]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={LISTS.country} hint={LISTS.countryHint}>
          {(wiring) => (
            <Select
              {...wiring}
              value={country ?? ''}
              onChange={({ target }) => form.setValue('country', target.value || null, { shouldDirty: true })}
            >
              <option value="">{LISTS.noCountry}</option>
              {countries().map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={LISTS.pantry} hint={LISTS.pantryHint} optional error={pantryError}>
          {(wiring) => (
            <TagInput
              {...wiring}
              value={pantry}
              onChange={(foods) => form.setValue('pantry', foods, { shouldDirty: true })}
              maxLength={60}
            />
          )}
        </Field>
      </div>
    </Card>
  );
}
