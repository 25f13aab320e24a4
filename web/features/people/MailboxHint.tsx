import { TEXT_LINK } from '#web/shell/ButtonLink.tsx';
import { useEnv } from '#web/shell/session.ts';

/** Where mail ends up while no mail server is set up. */
export function MailboxHint() {
  const { data: env } = useEnv();
  if (!env?.mailboxUrl) return null;
  return (
    <p className="text-muted text-sm">
      No mail server is set up here. You’ll find the email in the{' '}
      <a href={env.mailboxUrl} target="_blank" rel="noopener" className={TEXT_LINK}>
        local mailbox
      </a>
      .
    </p>
  );
}
