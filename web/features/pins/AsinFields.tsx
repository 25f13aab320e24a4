import { Trash2 } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { AMAZON_MARKETPLACES, type AmazonMarketplace } from '#contract/shops.ts';
import type { SponsorPinInput } from '#contract/sponsor-pins.ts';
import type { PinForm } from '#web/features/pins/pin-form.ts';
import { PIN } from '#web/features/pins/words.ts';
import { TextField } from '#web/shell/form.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';

const MARKETPLACES = Object.keys(AMAZON_MARKETPLACES) as AmazonMarketplace[];

/** The product at each Amazon that has it. */
export function AsinFields({ form }: { form: PinForm }) {
  const asins = useWatch({ control: form.control, name: 'asins' }) as SponsorPinInput['asins'];
  const set = (rows: SponsorPinInput['asins']) => {
    form.setValue('asins', rows, { shouldDirty: true });
    // What was said of a row stood at its place.
    form.clearErrors('asins');
  };
  const free = MARKETPLACES.filter((one) => !asins.some(({ marketplace }) => marketplace === one));
  const [next] = free;
  return (
    <fieldset className="flex flex-col items-start gap-3">
      <legend className="mb-2 font-medium text-sm">
        {PIN.asins} <span className="font-normal text-faint">(optional)</span>
      </legend>
      {asins.map(({ marketplace: own }, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the form knows rows by their place
          key={at}
          className="grid w-full grid-cols-[minmax(0,1fr)_auto] items-end gap-x-2 gap-y-3"
        >
          <Field label={PIN.marketplace} className="col-span-2">
            {(wiring) => (
              <Select {...wiring} {...form.register(`asins.${at}.marketplace`)}>
                {MARKETPLACES.filter((one) => one === own || free.includes(one)).map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </Select>
            )}
          </Field>
          <TextField form={form} name={`asins.${at}.asin`} label={PIN.asin} placeholder={PIN.asinHint} maxLength={10} />
          <IconButton label={PIN.removeAsin(own)} onClick={() => set(asins.filter((_, place) => place !== at))}>
            <Trash2 aria-hidden="true" className="size-5" />
          </IconButton>
        </div>
      ))}
      {next !== undefined && (
        <Button variant="secondary" size="small" onClick={() => set([...asins, { marketplace: next, asin: '' }])}>
          {PIN.addAsin}
        </Button>
      )}
    </fieldset>
  );
}
