import { X } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { countries, countryName } from '#web/features/shops/countries.ts';
import type { ShoppingForm } from '#web/features/shops/shopping-form.ts';
import { SHOPS } from '#web/features/shops/words.ts';
import { useFieldError } from '#web/shell/form.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';

/** Where a shop delivers: chosen one after the other, taken away by a tap. */
export function CountriesField({ form, at }: { form: ShoppingForm; at: number }) {
  const name = `shops.${at}.countries` as const;
  const error = useFieldError(form.control, name);
  // Without a value for a moment while shops change places.
  const chosen = useWatch({ control: form.control, name }) ?? [];
  const choose = (codes: string[]) => form.setValue(name, codes, { shouldDirty: true });
  return (
    <div className="flex flex-col gap-2">
      <Field label={SHOPS.countries} error={error}>
        {(wiring) => (
          <Select {...wiring} value="" onChange={({ target }) => choose([...chosen, target.value])}>
            <option value="">{chosen.length === 0 ? SHOPS.everywhere : SHOPS.addCountry}</option>
            {countries()
              .filter(({ code }) => !chosen.includes(code))
              .map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
          </Select>
        )}
      </Field>
      {chosen.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {chosen.map((code) => (
            <li key={code}>
              <Button
                variant="secondary"
                size="small"
                aria-label={SHOPS.remove(countryName(code))}
                onClick={() => choose(chosen.filter((one) => one !== code))}
              >
                {countryName(code)}
                <X aria-hidden="true" className="size-4" />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
