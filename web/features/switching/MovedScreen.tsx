import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeftRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Me } from '#contract/session.ts';
import { reloadScreen, useSwitchCreator } from '#web/features/switching/switch-creator.ts';
import { movedWords } from '#web/features/switching/words.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/states.tsx';

/**
 * Takes the place of everything when the session moved to another creator elsewhere: what was open is no longer drawn,
 * asked for or saved. Unsaved text lies in the tab's drafts and is there again for whoever goes back.
 */
export function MovedScreen({ shown, now }: { shown: Me; now: Me }) {
  const client = useQueryClient();
  const { title, detail, go } = movedWords(shown, now);
  const goBack = useSwitchCreator(now.account._id);
  const main = useRef<HTMLElement>(null);
  usePageTitle(title);
  useEffect(() => {
    void client.cancelQueries();
    main.current?.focus();
  }, [client]);

  // Still theirs, and not a visit: they may as well go on where they were.
  const before = shown.adminAccess ? undefined : shown.currentMembership;
  const mayGoBack =
    !now.adminAccess && now.memberships.some(({ membershipId }) => membershipId === before?.membershipId);
  return (
    <main
      id="main"
      ref={main}
      tabIndex={-1}
      role="alertdialog"
      aria-label={title}
      className="grid min-h-dvh place-items-center outline-none"
    >
      <EmptyState
        icon={<ArrowLeftRight className="size-7" />}
        title={title}
        titleAs="h1"
        action={
          <>
            <Button onClick={reloadScreen}>{go}</Button>
            {before && mayGoBack && (
              <Button
                variant="secondary"
                busy={goBack.isPending || goBack.isSuccess}
                onClick={() => goBack.mutate(before.membershipId)}
              >
                Go back to @{before.displayName}
              </Button>
            )}
          </>
        }
      >
        {detail}
      </EmptyState>
    </main>
  );
}
