import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { creatorTabs } from '#web/features/switching/creator-tabs.ts';
import { checkSession } from '#web/shell/session.ts';

/** Notices when the session moved to another creator elsewhere: the tab that moved it says so to the others. */
export function useSessionWatch(): void {
  const client = useQueryClient();
  useEffect(() => {
    const stop = creatorTabs.listen(() => void checkSession(client));
    // Back from the browser's memory, where no tab was heard: it begins again like any page.
    const shownAgain = (event: PageTransitionEvent) => event.persisted && location.reload();
    window.addEventListener('pageshow', shownAgain);
    return () => {
      stop();
      window.removeEventListener('pageshow', shownAgain);
    };
  }, [client]);
}
