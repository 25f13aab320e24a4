import { Link, Outlet, useMatches, useSearchParams } from 'react-router';
import { paths } from '#web/paths.ts';
import { Gate } from '#web/shell/Gate.tsx';
import { Logo } from '#web/shell/Logo.tsx';
import { PendingScreen } from '#web/shell/PendingScreen.tsx';

/**
 * Set on a route under this layout that may be seen signed in as well (the link of a mail): always, or only when the
 * address brings an invite.
 */
export type PublicHandle = { open?: true | 'with invite' };

/** One narrow card in the middle: logging in and what belongs to it. */
export function Component() {
  const [search] = useSearchParams();
  const handles = useMatches().map((match) => (match.handle as PublicHandle | undefined)?.open);
  const open = handles.some((when) => when === true || (when === 'with invite' && search.get('invite')));
  return open ? <PublicCard /> : <Gate group="public">{() => <PublicCard />}</Gate>;
}

function PublicCard() {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 py-8 sm:justify-center">
      <header className="mb-6">
        <Link to={paths.home} className="block rounded-md p-1">
          <Logo />
        </Link>
      </header>
      <main
        id="main"
        className="relative w-full max-w-md rounded-xl border border-line bg-surface p-5 shadow-card sm:p-8"
      >
        <Outlet />
        <PendingScreen />
      </main>
    </div>
  );
}
