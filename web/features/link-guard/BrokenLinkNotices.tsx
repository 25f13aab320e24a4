import type { LinkCheck } from '#contract/link-guard.ts';
import { useLinkChecks } from '#web/features/link-guard/use-link-checks.ts';
import { addressInShort, linkInWords } from '#web/features/link-guard/words.ts';
import { automationPath, paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Alert } from '#web/ui/Alert.tsx';
import { useNow } from '#web/ui/RelativeTime.tsx';

const NAMED_AT_MOST = 3;

/** On home: links that do not work, each with a way to an automation that sends it. Silent when there is none. */
export function BrokenLinkNotices() {
  const now = useNow();
  const { links } = useLinkChecks();
  return links
    .filter(({ state }) => state === 'broken')
    .slice(0, NAMED_AT_MOST)
    .map((link) => (
      <Alert
        key={link.id}
        variant="error"
        title={`${link.usedBy.length > 0 ? 'A link in your messages' : 'An app link'} is broken: ${addressInShort(link.url)}`}
        action={<OpenUse link={link} />}
      >
        {linkInWords(link, now).says} Used in{' '}
        <bdi>{[...link.usedBy, ...link.appLinks].map(({ name }) => name).join(', ')}</bdi>.
      </Alert>
    ));
}

function OpenUse({ link }: { link: LinkCheck }) {
  const [use] = link.usedBy;
  return (
    <ButtonLink
      size="small"
      variant="secondary"
      to={use === undefined ? paths.appLinks : automationPath(use.automationId, use.postId)}
    >
      Open it
    </ButtonLink>
  );
}
