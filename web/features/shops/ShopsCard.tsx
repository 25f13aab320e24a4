import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { MOST_SEARCH_SHOPS, type ShopInput, type ShoppingSettings, testShop } from '#contract/shops.ts';
import { CountriesField } from '#web/features/shops/CountriesField.tsx';
import { type ShoppingForm, wholeArrayOf } from '#web/features/shops/shopping-form.ts';
import { SHOP_NAMES, SHOP_NOTES, SHOPS } from '#web/features/shops/words.ts';
import { TextField, useFieldError } from '#web/shell/form.tsx';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { FieldError } from '#web/ui/Field.tsx';
import { Switch } from '#web/ui/inputs.tsx';

type Props = { form: ShoppingForm; shops: ShopInput[]; saved: ShoppingSettings; hasTag: boolean };

const NEW_SHOP: ShopInput = { kind: 'search', on: true, id: null, name: '', address: 'https://', countries: [] };

/** The creator's shops in their order. */
export function ShopsCard({ form, shops, saved, hasTag }: Props) {
  const setShops = wholeArrayOf(form, 'shops');
  const ofTheirOwn = shops.filter(({ kind }) => kind === 'search').length;
  const error = useFieldError(form.control, 'shops');
  return (
    <Card title={SHOPS.title} description={SHOPS.says}>
      <ol>
        {shops.map((shop, at) => {
          const name = nameOf(shop);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the form knows rows by their place
            <li key={at} className="flex flex-col gap-3 border-line border-b py-4 first:pt-0">
              <div className="flex items-start justify-between gap-2">
                <Switch
                  label={name}
                  className="min-w-0 wrap-anywhere"
                  hint={noteOf(shop, saved, hasTag)}
                  {...form.register(`shops.${at}.on`)}
                />
                <div className="flex shrink-0">
                  <IconButton
                    label={SHOPS.up(name)}
                    disabled={at === 0}
                    onClick={() => setShops(moved(shops, at, at - 1))}
                  >
                    <ArrowUp aria-hidden="true" className="size-5" />
                  </IconButton>
                  <IconButton
                    label={SHOPS.down(name)}
                    disabled={at === shops.length - 1}
                    onClick={() => setShops(moved(shops, at, at + 1))}
                  >
                    <ArrowDown aria-hidden="true" className="size-5" />
                  </IconButton>
                  {shop.kind === 'search' && (
                    <IconButton
                      label={SHOPS.remove(name)}
                      onClick={() => setShops(shops.filter((_, place) => place !== at))}
                    >
                      <Trash2 aria-hidden="true" className="size-5" />
                    </IconButton>
                  )}
                </div>
              </div>
              {shop.kind === 'search' && <SearchFields form={form} at={at} />}
              <TestButton
                key={idOf(shop)}
                shop={shop}
                name={name}
                isSaved={saved.shops.some((one) => isSame(one, shop))}
              />
            </li>
          );
        })}
      </ol>
      {error !== undefined && <FieldError>{error}</FieldError>}
      <div className="flex flex-col items-start gap-2 pt-4">
        {ofTheirOwn < MOST_SEARCH_SHOPS ? (
          <>
            <p className="text-muted text-sm">{SHOPS.addSays}</p>
            <Button variant="secondary" size="small" onClick={() => setShops([...shops, NEW_SHOP])}>
              {SHOPS.add}
            </Button>
          </>
        ) : (
          <p className="text-muted text-sm">{SHOPS.full}</p>
        )}
      </div>
    </Card>
  );
}

function SearchFields({ form, at }: { form: ShoppingForm; at: number }) {
  return (
    <div className="flex flex-col gap-4">
      <TextField form={form} name={`shops.${at}.name`} label={SHOPS.name} maxLength={40} />
      <TextField
        form={form}
        name={`shops.${at}.address`}
        type="url"
        inputMode="url"
        label={SHOPS.address}
        hint={SHOPS.addressHint}
        maxLength={2000}
      />
      <CountriesField form={form} at={at} />
    </div>
  );
}

/** A shop is tried as it is saved. */
function TestButton({ shop, name, isSaved }: { shop: ShopInput; name: string; isSaved: boolean }) {
  const { creatorId } = useCreator();
  const test = useEndpointMutation(testShop, { successToast: false });
  const id = idOf(shop);
  if (id === null || !isSaved) return <p className="text-muted text-sm">{SHOPS.saveFirst}</p>;
  const { data: result, isPending } = test;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button
        variant="secondary"
        size="small"
        busy={isPending}
        onClick={() => test.mutate({ params: { creatorId }, body: { shop: id } })}
      >
        {isPending ? SHOPS.testing : SHOPS.test}
        <span className="sr-only"> {name}</span>
      </Button>
      <div role="status" className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        {result !== undefined && !isPending && (
          <>
            <Badge tone={result.works ? 'accent' : 'warning'}>{result.works ? SHOPS.works : SHOPS.troubled}</Badge>
            <span className="wrap-anywhere">{result.says}</span>
            {result.url !== null && (
              <a href={result.url} target="_blank" rel="noopener noreferrer" className="underline">
                {SHOPS.lookAtIt}
                <span className="sr-only"> of {name}</span>
              </a>
            )}
          </>
        )}
      </div>
    </div>
  );
}

function moved(shops: ShopInput[], from: number, to: number): ShopInput[] {
  const rest = shops.toSpliced(from, 1);
  return rest.toSpliced(to, 0, shops[from]!);
}

/** Null: it is not saved yet. */
function idOf(shop: ShopInput): string | null {
  return shop.kind === 'search' ? shop.id : shop.kind;
}

function nameOf(shop: ShopInput): string {
  if (shop.kind === 'search') return shop.name || SHOPS.unnamed;
  return SHOP_NAMES[shop.kind];
}

function noteOf(shop: ShopInput, { instacart }: ShoppingSettings, hasTag: boolean): string {
  if (shop.kind === 'search') return SHOP_NOTES.search;
  if (shop.kind === 'amazon') return hasTag ? SHOP_NOTES.amazon : SHOP_NOTES.amazonNeedsTag;
  return instacart.key === 'none' ? SHOP_NOTES.instacartNeedsKey : SHOP_NOTES.instacart;
}

function isSame(one: ShopInput, other: ShopInput): boolean {
  if (one.kind !== 'search' || other.kind !== 'search') return one.kind === other.kind;
  return one.id === other.id && one.address === other.address;
}
