import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { creatorTabs } from '#web/features/switching/creator-tabs.ts';
import { checkSession } from '#web/shell/session.ts';

/** Notices when the session moved to another creator elsewhere: told by another tab, or when this one is looked at again. */
export function useSessionWatch(): void {
  const client = useQueryClient();
  useEffect(() => {
    const check = () => void checkSession(client);
    const lookedAt = () => {
      if (document.visibilityState === 'visible') check();
    };
    const stop = creatorTabs.listen(check);
    document.addEventListener('visibilitychange', lookedAt);
    // Back from the browser's memory: nothing else tells of that.
    const shownAgain = (event: PageTransitionEvent) => event.persisted && check();
    window.addEventListener('pageshow', shownAgain);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', lookedAt);
      window.removeEventListener('pageshow', shownAgain);
    };
  }, [client]);
}
