import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { PendingScreen } from '#web/shell/PendingScreen.tsx';
import { TopBar } from '#web/shell/TopBar.tsx';

type Props = { admin: boolean; tools: ReactNode; banners: ReactNode };

/** Signed in, but not yet anybody's creator: no menu button, no sidebar. */
export function SetupLayout({ admin, tools, banners }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <TopBar admin={admin}>{tools}</TopBar>
      <main id="main" tabIndex={-1} className="relative mx-auto w-full max-w-xl flex-1 px-4 py-8 outline-none">
        {banners}
        <PendingScreen />
        <Outlet />
      </main>
    </div>
  );
}
