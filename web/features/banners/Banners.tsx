import { useState } from 'react';
import { useLocation } from 'react-router';
import type { Me } from '#contract/session.ts';
import { getApiKey } from '#contract/settings.ts';
import type { Invite } from '#contract/team.ts';
import { type Banner, type BannerAction, bannersFor } from '#web/features/banners/banners.ts';
import { dismissalOf, keepDismissed, readDismissed } from '#web/features/banners/dismissed.ts';
import { paths, settingsPath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useEnv } from '#web/shell/session.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Button, LinkButton } from '#web/ui/Button.tsx';
import { useNow } from '#web/ui/RelativeTime.tsx';

type Props = {
  me: Me;
  /** Null while unknown. */
  invites: readonly Invite[] | null;
  onOpenInvites: () => void;
};

/**
 * The most urgent first. Banners that come later than the session (invites, the plugin) are less urgent than all the rest, so it
 * never takes the place of a banner that is being read.
 */
export function Banners({ me, invites, onOpenInvites }: Props) {
  const nowMs = useNow();
  const isHome = useLocation().pathname === paths.home;
  const creatorId = me.creatorAccount?._id ?? '';
  const apiKey = useEndpoint(getApiKey, { params: { creatorId } }, { enabled: creatorId !== '', retry: false });
  const [dismissed, setDismissed] = useState(readDismissed);

  const banners = bannersFor(me, apiKey.data ?? null, invites, nowMs).filter(
    (banner) => !(banner.dismissible && dismissed.includes(dismissalOf(creatorId, banner))),
  );
  if (banners.length === 0) return null;

  const dismiss = (banner: Banner) => {
    const next = [...dismissed, dismissalOf(creatorId, banner)];
    keepDismissed(next);
    setDismissed(next);
  };
  return (
    <section aria-label="Notices" className="mb-5 flex flex-col items-start gap-2">
      {banners.map((banner) => (
        <Alert
          key={banner.id}
          className="w-full"
          variant={banner.variant}
          // A paragraph in bold is no headline.
          title={banner.text.length < 160 ? banner.text : undefined}
          {...(banner.action && { action: <Action action={banner.action} onOpenInvites={onOpenInvites} /> })}
          {...(banner.dismissible && { onDismiss: () => dismiss(banner) })}
        >
          {banner.text.length >= 160
            ? banner.text
            : // There the queue's own card says it.
              isHome && banner.id === 'rate-limited'
              ? undefined
              : banner.detail}
        </Alert>
      ))}
    </section>
  );
}

function Action({ action, onOpenInvites }: { action: BannerAction; onOpenInvites: () => void }) {
  const pluginDownloadUrl = useEnv().data?.pluginDownloadUrl;
  if ('to' in action) {
    return (
      <ButtonLink variant="secondary" to={action.to}>
        {action.label}
      </ButtonLink>
    );
  }
  if (action.opens === 'invites') {
    return (
      <Button variant="secondary" onClick={onOpenInvites}>
        {action.label}
      </Button>
    );
  }
  return pluginDownloadUrl ? (
    <LinkButton variant="secondary" href={pluginDownloadUrl} target="_blank" rel="noopener">
      {action.label}
    </LinkButton>
  ) : (
    <ButtonLink variant="secondary" to={settingsPath('api-key')}>
      {action.label}
    </ButtonLink>
  );
}
