import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { type AppLink, changeAppLink, createAppLink, listAppLinkChanges, listAppLinks } from '#contract/app-links.ts';
import { LINK_CHANNELS, type LinkChannel } from '#contract/link-channels.ts';
import { listLinkDomains } from '#contract/link-domains.ts';
import { AddressReading } from '#web/features/app-links/AddressReading.tsx';
import { AppLinkFigures } from '#web/features/app-links/AppLinkFigures.tsx';
import { OpeningTest } from '#web/features/app-links/OpeningTest.tsx';
import { downloadQr } from '#web/features/app-links/qr-image.ts';
import { FRESH, inputOf, leadsToAmazon, TypedAppLink, typedOf } from '#web/features/app-links/typed.ts';
import { APP_LINK } from '#web/features/app-links/words.ts';
import { SavedMeanwhile, WhereUsed } from '#web/features/libraries/LibrarySheet.tsx';
import { useLibraryForm } from '#web/features/libraries/use-library-form.ts';
import { LinkState } from '#web/features/link-guard/LinkState.tsx';
import { QrCode } from '#web/features/settings/QrCode.tsx';
import { CHANNEL_NAMES } from '#web/features/shops/words.ts';
import { FormFrame, TextField } from '#web/shell/form.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Sheet } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Checkbox, Select } from '#web/ui/inputs.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

type Props = {
  saved: AppLink | null;
  latest: AppLink | null;
  refetch: () => unknown;
  onSaved: (link: AppLink) => void;
  onClose: () => void;
};

/** One app link, new or saved: where it leads, how it is shared, where it led before. */
export function AppLinkSheet({ saved, latest, refetch, onSaved, onClose }: Props) {
  const { creatorId } = useCreator();
  const { form, theirs, keepMine, takeTheirs } = useLibraryForm({
    saved,
    latest,
    inputOf: typedOf,
    fresh: FRESH,
    endpoint: (saved ? changeAppLink : createAppLink) as typeof changeAppLink,
    schema: TypedAppLink,
    request: (typed: TypedAppLink, version) => ({
      params: { creatorId, appLinkId: saved?.id ?? '' },
      body: { ...inputOf(typed), version },
    }),
    draftKey: `app-link:${creatorId}:${saved?.id ?? 'new'}`,
    refreshes: [listAppLinks, listAppLinkChanges],
    refetch,
    onSaved: saved === null ? onSaved : onClose,
  });
  const domains = useEndpoint(listLinkDomains, { params: { creatorId } });
  const hasOwnHost = domains.data?.items.some(({ state }) => state === 'works') === true || Boolean(saved?.slug);
  const address = useWatch({ control: form.control, name: 'address' });
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={saved?.name ?? APP_LINK.newTitle}
      description={saved?.shortUrl ?? APP_LINK.newSays}
    >
      {saved !== null && (
        <>
          <Share link={saved} />
          {latest?.sight && <LinkState link={latest.sight} className="mb-6 block" />}
          <AppLinkFigures appLinkId={saved.id} />
        </>
      )}
      <FormFrame form={form} aria-label={APP_LINK.title} submitLabel={saved === null ? APP_LINK.make : APP_LINK.save}>
        {theirs && (
          <SavedMeanwhile theirs={`${theirs.name}\n${theirs.address}`} onMine={keepMine} onTheirs={takeTheirs} />
        )}
        <TextField form={form} name="address" label={APP_LINK.address} inputMode="url" maxLength={2000} />
        <AddressReading form={form} />
        <TextField form={form} name="name" label={APP_LINK.name} hint={APP_LINK.nameHint} maxLength={120} />
        <Checkbox label={APP_LINK.opensApp} hint={APP_LINK.opensAppHint} {...form.register('opensApp')} />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField form={form} name="beginsAt" label={APP_LINK.begins} type="datetime-local" optional />
          <TextField form={form} name="endsAt" label={APP_LINK.ends} type="datetime-local" optional />
        </div>
        <TextField
          form={form}
          name="elsewhere"
          label={APP_LINK.elsewhere}
          hint={APP_LINK.elsewhereHint}
          inputMode="url"
          maxLength={2000}
          optional
        />
        {hasOwnHost && (
          <TextField
            form={form}
            name="slug"
            label={APP_LINK.slug}
            hint={APP_LINK.slugHint}
            placeholder="lemon-pasta"
            maxLength={60}
            optional
          />
        )}
        {hasOwnHost && leadsToAmazon(address) && (
          <Checkbox label={APP_LINK.saysAmazon} hint={APP_LINK.saysAmazonHint} {...form.register('saysAmazon')} />
        )}
        <TextField
          form={form}
          name="campaign"
          label={APP_LINK.campaign}
          hint={APP_LINK.campaignHint}
          placeholder="utm_source=instagram&utm_medium={channel}"
          maxLength={500}
          optional
        />
      </FormFrame>
      {saved !== null && (
        <>
          <OpeningTest appLinkId={saved.id} />
          <WhereUsed usedBy={latest?.usedBy ?? saved.usedBy} />
          <Changes link={saved} onTakeBack={(before) => form.setValue('address', before, { shouldDirty: true })} />
        </>
      )}
    </Sheet>
  );
}

/** Its address for each place, so that rules and figures know where it was followed. */
function Share({ link }: { link: AppLink }) {
  const [channel, setChannel] = useState<LinkChannel>('bio');
  const address = `${link.shortUrl}/${channel}`;
  return (
    <section className="mb-6 flex flex-col gap-3" aria-label={APP_LINK.share}>
      <Field label={APP_LINK.place}>
        {(wiring) => (
          <Select {...wiring} value={channel} onChange={({ target }) => setChannel(target.value as LinkChannel)}>
            {LINK_CHANNELS.map((one) => (
              <option key={one} value={one}>
                {CHANNEL_NAMES[one]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {channel === 'qr' && (
        <div className="flex flex-wrap items-end gap-3">
          <QrCode text={address} label={APP_LINK.qr} />
          {(['png', 'svg'] as const).map((kind) => (
            <Button key={kind} variant="secondary" size="small" onClick={() => downloadQr(address, kind, link.name)}>
              {APP_LINK.download(kind)}
            </Button>
          ))}
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <bdi className="wrap-anywhere min-w-0 flex-1 text-sm">{address}</bdi>
        <CopyButton text={address} />
      </div>
    </section>
  );
}

function Changes({ link, onTakeBack }: { link: AppLink; onTakeBack: (address: string) => void }) {
  const { creatorId } = useCreator();
  const { data } = useEndpoint(listAppLinkChanges, { params: { creatorId, appLinkId: link.id } });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section className="mt-6" aria-label={APP_LINK.changes}>
      <h3 className="font-medium">{APP_LINK.changes}</h3>
      <ul>
        {data.items.map(({ id, address, changedAt, changedBy }) => (
          <li key={id} className="flex flex-col items-start gap-2 border-line border-b py-3 last:border-b-0">
            <bdi className="wrap-anywhere text-sm">{address}</bdi>
            <p className="text-muted text-sm">
              {APP_LINK.until(changedBy)} <RelativeTime at={changedAt} />
            </p>
            <Button variant="secondary" size="small" onClick={() => onTakeBack(address)}>
              {APP_LINK.takeBack}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
