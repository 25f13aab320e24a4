import { Outlet } from 'react-router';
import { Gate } from '#web/shell/Gate.tsx';
import { PendingScreen } from '#web/shell/PendingScreen.tsx';
import { useSession } from '#web/shell/session.ts';
import { TopBar } from '#web/shell/TopBar.tsx';
import { UserMenu } from '#web/shell/UserMenu.tsx';

/** Signed in, but not yet anybody's creator: no menu button, no Settings. */
export function Component() {
  const { data: me } = useSession();
  return (
    <div className="flex min-h-dvh flex-col">
      <TopBar admin={me?.account.isAdmin ?? false}>{me && <UserMenu me={me} withSettings={false} />}</TopBar>
      <main id="main" tabIndex={-1} className="relative mx-auto w-full max-w-xl flex-1 px-4 py-8 outline-none">
        <Gate group="setup">
          {() => (
            <>
              <PendingScreen />
              <Outlet />
            </>
          )}
        </Gate>
      </main>
    </div>
  );
}
