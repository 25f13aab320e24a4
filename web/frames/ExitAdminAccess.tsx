import { useQueryClient } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useEffect } from 'react';
import { SERVER_PATHS } from '#web/paths.ts';
import { checkSession } from '#web/shell/session.ts';
import { LinkButton } from '#web/ui/Button.tsx';
import { useNow } from '#web/ui/RelativeTime.tsx';

/**
 * The way out of somebody's account, and from anywhere else to the admin area.
 *
 * @param props.until when the visit ends; null outside of an account
 */
export function ExitAdminAccess({ until }: { until: string | null }) {
  return (
    <>
      <LinkButton variant="secondary" size="small" href={SERVER_PATHS.endCreatorSession}>
        <LogOut aria-hidden="true" className="hidden size-4 sm:block" />
        Exit Admin Access Mode
      </LinkButton>
      {until !== null && <TimeLeft until={until} />}
    </>
  );
}

/** When it is over the tab finds out by itself. */
function TimeLeft({ until }: { until: string }) {
  const client = useQueryClient();
  const leftMs = Date.parse(until) - useNow();
  const isOver = leftMs <= 0;
  useEffect(() => {
    if (isOver) void checkSession(client);
  }, [client, isOver]);
  return (
    <span className="whitespace-nowrap text-sm tabular-nums">
      {isOver ? 'over' : `${Math.ceil(leftMs / 60_000)} min`}
      <span className={isOver ? 'sr-only' : 'max-md:sr-only'}> left</span>
    </span>
  );
}
