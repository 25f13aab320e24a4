import { PLAN_WORDS } from '#web/features/link-guard/LinkGuard.tsx';
import { CheckAgain, LinkState } from '#web/features/link-guard/LinkState.tsx';
import { linksOf, useLinkChecks } from '#web/features/link-guard/use-link-checks.ts';
import { addressInShort, linkInWords, worstOf } from '#web/features/link-guard/words.ts';
import { Alert } from '#web/ui/Alert.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { useNow } from '#web/ui/RelativeTime.tsx';

/** On the automation itself: what is broken and what becomes of its messages. Silent while all is well. */
export function BrokenLinkAlert({ automationId }: { automationId: string }) {
  const now = useNow();
  const { links } = useLinkChecks();
  return linksOf(links, automationId)
    .filter(({ state }) => state === 'broken')
    .map((link) => {
      const use = link.usedBy.find((one) => one.automationId === automationId)!;
      return (
        <Alert
          key={link.id}
          variant="error"
          announce
          title={`Broken link: ${addressInShort(link.url)}`}
          action={<CheckAgain link={link} />}
        >
          {linkInWords(link, now).says} {PLAN_WORDS[use.whenBroken].short}
          {use.held > 0 ? ` (${use.held} ${use.held === 1 ? 'waits' : 'wait'})` : ''}. Choose what to do below, under
          “Links”.
        </Alert>
      );
    });
}

/** In a list: one word, silent while all is well. */
export function LinkBadge({ automationId }: { automationId: string }) {
  const { links } = useLinkChecks();
  const own = linksOf(links, automationId);
  if (own.some(({ state }) => state === 'broken')) return <Badge tone="error">Link broken</Badge>;
  if (own.some(({ state, problem }) => state === 'failing' || problem !== null)) {
    return <Badge tone="warning">See link</Badge>;
  }
  return null;
}

/** In a list: how the worst of its links is. Silent where nothing is known. */
export function LinkLine({ automationId }: { automationId: string }) {
  const { links } = useLinkChecks();
  const worst = worstOf(linksOf(links, automationId));
  if (worst === null || worst.state === 'unchecked') return null;
  return (
    <span className="mt-0.5 block text-faint text-sm">
      Link: <LinkState link={worst} />
    </span>
  );
}
