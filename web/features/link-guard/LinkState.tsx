import { RotateCw } from 'lucide-react';
import { checkLinkAgain, type LinkCheck, type LinkSight, listLinkChecks } from '#contract/link-guard.ts';
import { type LinkTone, linkInWords } from '#web/features/link-guard/words.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { useNow } from '#web/ui/RelativeTime.tsx';

const COLOUR: Record<LinkTone, string> = {
  quiet: 'text-muted',
  good: 'text-accent-ink',
  warning: 'text-warning-ink',
  error: 'text-error-ink',
};

/** Findings at an address, in one line. */
export function LinkState({ link, className }: { link: LinkSight; className?: string }) {
  const { tone, says } = linkInWords(link, useNow());
  return <span className={cx('text-sm', COLOUR[tone], className)}>{says}</span>;
}

/** Looks at an address now; what is found arrives by itself. */
export function CheckAgain({ link }: { link: LinkCheck }) {
  const { creatorId } = useCreator();
  const again = useEndpointMutation(checkLinkAgain, {
    successToast: { title: 'Checking now' },
    refreshes: [listLinkChecks],
  });
  return (
    <Button
      variant="quiet"
      size="small"
      busy={again.isPending}
      onClick={() => again.mutate({ params: { creatorId, linkCheckId: link.id } })}
    >
      {!again.isPending && <RotateCw aria-hidden="true" className="size-4" />}
      Check again
    </Button>
  );
}
