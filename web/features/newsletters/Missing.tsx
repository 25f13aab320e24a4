import { TOOL_NAMES } from '#contract/newsletter-tools.ts';
import type { Newsletter } from '#contract/newsletters.ts';
import { NEWSLETTERS } from '#web/features/newsletters/words.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Alert } from '#web/ui/Alert.tsx';

/** What keeps newsletters from being sent, with the way to mend it. */
export function Missing({ newsletter: { writer, missing } }: { newsletter: Newsletter }) {
  if (writer !== 'here') {
    return (
      <Alert variant="infoSecondary" title={NEWSLETTERS.toolSends(TOOL_NAMES[writer])}>
        {NEWSLETTERS.toolSendsSays}
      </Alert>
    );
  }
  if (missing.length === 0) return null;
  return (
    <Alert
      variant="warning"
      title={NEWSLETTERS.missing}
      action={
        <ButtonLink to={paths.sending} variant="secondary" size="small">
          {NEWSLETTERS.setUp}
        </ButtonLink>
      }
    >
      <ul className="list-disc ps-4">
        {missing.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </Alert>
  );
}
