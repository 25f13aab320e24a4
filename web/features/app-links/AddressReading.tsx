import { Fragment, useEffect, useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { LinkTarget, readAppLink } from '#contract/app-link-reading.ts';
import type { AmazonMarketplace } from '#contract/shops.ts';
import type { TypedAppLink } from '#web/features/app-links/typed.ts';
import { AMAZON_WARNING_WORDS, APP_LINK } from '#web/features/app-links/words.ts';
import { AMAZON_RULE_NAMES, CHANNEL_NAMES } from '#web/features/shops/words.ts';
import { paths } from '#web/paths.ts';
import { TextLink } from '#web/shell/ButtonLink.tsx';
import type { ApiForm } from '#web/shell/form.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input } from '#web/ui/inputs.tsx';

const TYPING_PAUSE_MS = 400;

type Props = {
  form: ApiForm<TypedAppLink>;
};

/** What an address is, while it is typed: its app, and at Amazon whose tag is in it. */
export function AddressReading({ form }: Props) {
  const { creatorId } = useCreator();
  const address = useWatch({ control: form.control, name: 'address' });
  const hasName = useWatch({ control: form.control, name: 'name' }) !== '';
  const [wanted, setWanted] = useState(address);
  useEffect(() => {
    const timer = setTimeout(() => setWanted(address), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [address]);
  const isAddress = LinkTarget.safeParse(wanted).success;
  const { data, isFetching } = useEndpoint(
    readAppLink,
    { params: { creatorId }, body: { address: wanted } },
    { enabled: isAddress && wanted === address },
  );
  if (!isAddress || wanted !== address) return null;
  if (data === undefined) return isFetching ? <p className="text-muted text-sm">{APP_LINK.reading}</p> : null;
  const { amazon, app, host, looksLikeAmazon, isShortened } = data;
  const name = hasName ? null : (amazon?.title ?? null);
  const tagged = amazon === null ? [] : amazon.ownTags.filter(({ tag }) => tag !== amazon.tag);
  const warnings = [
    ...(looksLikeAmazon ? [APP_LINK.looksLikeAmazon] : []),
    ...(isShortened ? [APP_LINK.isShortened] : []),
    ...(amazon?.warnings ?? []).map((warning) => AMAZON_WARNING_WORDS[warning]),
  ];
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p>
        {APP_LINK.host} <bdi className="wrap-anywhere font-medium">{host}</bdi>.{' '}
        {app === null ? APP_LINK.opensBrowser : APP_LINK.opens(app)} {amazon?.tag != null && APP_LINK.tag(amazon.tag)}
      </p>
      {amazon?.channels != null && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
          {amazon.channels.map(({ channel, rule }) => (
            <Fragment key={channel}>
              <dt className="text-muted">{CHANNEL_NAMES[channel]}</dt>
              <dd>{AMAZON_RULE_NAMES[rule]}</dd>
            </Fragment>
          ))}
        </dl>
      )}
      {name !== null && (
        <Button
          variant="secondary"
          size="small"
          className="self-start"
          onClick={() => form.setValue('name', name.slice(0, 120), { shouldDirty: true })}
        >
          {APP_LINK.nameIt(name)}
        </Button>
      )}
      {amazon?.channels === null && (
        <Alert variant="warning">
          {APP_LINK.undecided} <TextLink to={paths.shopTheRecipeSettings}>{APP_LINK.decide}</TextLink>
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert variant="warning">
          <ul className="flex flex-col gap-1">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Alert>
      )}
      {tagged.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {tagged.map(({ tag, address: withIt }) => (
            <Button
              key={tag}
              variant="secondary"
              size="small"
              onClick={() => form.setValue('address', withIt, { shouldDirty: true })}
            >
              {APP_LINK.tagButton(tag, amazon?.tag != null)}
            </Button>
          ))}
        </div>
      )}
      {amazon !== null && <Disclosure says={amazon.disclosure} />}
      {amazon?.abroad.map((marketplace) => (
        <ProductThere key={marketplace} form={form} marketplace={marketplace} />
      ))}
    </div>
  );
}

/** To be put beside the link wherever it is shared; the page that opens the app says it by itself. */
function Disclosure({ says }: { says: string }) {
  const text = says === '' ? APP_LINK.associate : says;
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-muted">{says === '' ? APP_LINK.noDisclosure : APP_LINK.disclosure}</p>
      <bdi>{text}</bdi>
      <CopyButton text={text} label={APP_LINK.copyDisclosure} />
    </div>
  );
}

/** What people of another country are led to, in place of a search. */
function ProductThere({ form, marketplace }: Props & { marketplace: AmazonMarketplace }) {
  const products = useWatch({ control: form.control, name: 'productsAbroad' });
  const at = products.findIndex((one) => one.marketplace === marketplace);
  const { errors } = useFormState({ control: form.control, name: 'productsAbroad' });
  const change = (product: string) => {
    const others = products.filter((one) => one.marketplace !== marketplace);
    const row = { marketplace, product };
    const changed =
      at === -1 ? [...products, row] : products.map((one) => (one.marketplace === marketplace ? row : one));
    form.setValue('productsAbroad', product === '' ? others : changed, { shouldDirty: true });
    form.clearErrors('productsAbroad');
  };
  return (
    <Field
      label={APP_LINK.productThere(marketplace)}
      hint={APP_LINK.productThereHint}
      error={errors.productsAbroad?.[at]?.product?.message}
      optional
    >
      {(wiring) => (
        <Input
          {...wiring}
          value={products[at]?.product ?? ''}
          maxLength={2000}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </Field>
  );
}
