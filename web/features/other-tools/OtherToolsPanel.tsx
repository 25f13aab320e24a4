import { NewsletterToolsCard } from '#web/features/other-tools/NewsletterToolsCard.tsx';
import { TokensCard } from '#web/features/other-tools/TokensCard.tsx';
import { WebhooksCard } from '#web/features/other-tools/WebhooksCard.tsx';
import { TEXT_LINK } from '#web/shell/ButtonLink.tsx';

/** Newsletter tools, events that other programs get, and their access. */
export function OtherToolsPanel() {
  return (
    <div className="flex flex-col gap-5">
      <NewsletterToolsCard />
      <WebhooksCard />
      <TokensCard />
      <p className="text-muted text-sm">
        For developers:{' '}
        <a className={TEXT_LINK} href="/api/docs" target="_blank" rel="noopener">
          all API calls and events, with examples
        </a>
      </p>
    </div>
  );
}
