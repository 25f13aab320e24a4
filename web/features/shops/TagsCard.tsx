import { Trash2 } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { AMAZON_MARKETPLACES, type AmazonMarketplace, MOST_TAGS, type ShoppingChoices } from '#contract/shops.ts';
import { type ShoppingForm, wholeArrayOf } from '#web/features/shops/shopping-form.ts';
import { SHOPS, TAGS } from '#web/features/shops/words.ts';
import { TextField } from '#web/shell/form.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';

const MARKETPLACES = Object.keys(AMAZON_MARKETPLACES) as AmazonMarketplace[];

export function TagsCard({ form }: { form: ShoppingForm }) {
  const { amazonTags } = useWatch({ control: form.control }) as ShoppingChoices;
  const setTags = wholeArrayOf(form, 'amazonTags');
  const next =
    MARKETPLACES.find((one) => !amazonTags.some(({ marketplace }) => marketplace === one)) ?? MARKETPLACES[0]!;
  const mainOf = (wanted: AmazonMarketplace) => amazonTags.findIndex(({ marketplace }) => marketplace === wanted);
  const makeMain = (at: number) => {
    const row = amazonTags[at]!;
    setTags(amazonTags.filter((_, place) => place !== at).toSpliced(mainOf(row.marketplace), 0, row));
  };
  return (
    <Card title={TAGS.title} description={TAGS.says}>
      {amazonTags.length === 0 && <p className="pb-3 text-muted text-sm">{TAGS.none}</p>}
      <ul className="flex flex-col gap-4">
        {amazonTags.map(({ marketplace: own }, at) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: the form knows rows by their place
            key={at}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-2 gap-y-3 md:grid-cols-[1fr_1fr_auto]"
          >
            <Field label={TAGS.marketplace} className="col-span-2 md:col-span-1">
              {(wiring) => (
                <Select {...wiring} {...form.register(`amazonTags.${at}.marketplace`)}>
                  {MARKETPLACES.map((one) => (
                    <option key={one}>{one}</option>
                  ))}
                </Select>
              )}
            </Field>
            <TextField
              form={form}
              name={`amazonTags.${at}.tag`}
              label={TAGS.tag}
              placeholder={TAGS.tagHint}
              maxLength={64}
            />
            <IconButton
              label={SHOPS.remove(`the tag of ${own}`)}
              onClick={() => setTags(amazonTags.filter((_, place) => place !== at))}
            >
              <Trash2 aria-hidden="true" className="size-5" />
            </IconButton>
            {amazonTags.filter(({ marketplace }) => marketplace === own).length > 1 && (
              <div className="col-span-full text-muted text-sm">
                {mainOf(own) === at ? (
                  TAGS.isMain
                ) : (
                  <Button variant="secondary" size="small" onClick={() => makeMain(at)}>
                    {TAGS.makeMain}
                  </Button>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {amazonTags.length < MOST_TAGS && (
        <Button
          className="mt-4"
          variant="secondary"
          size="small"
          onClick={() => setTags([...amazonTags, { marketplace: next, tag: '' }])}
        >
          {TAGS.add}
        </Button>
      )}
    </Card>
  );
}
