import type { ReactNode } from 'react';
import { Outlet, ScrollRestoration } from 'react-router';
import { PendingScreen } from '#web/shell/PendingScreen.tsx';
import { TopBar } from '#web/shell/TopBar.tsx';

/** The admin area: outside any creator account, hence without the creator's menu and banners. */
export function AdminLayout({ admin, tools }: { admin: boolean; tools: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <ScrollRestoration />
      <TopBar admin={admin}>{tools}</TopBar>
      <main
        id="main"
        tabIndex={-1}
        className="relative mx-auto w-full min-w-0 max-w-6xl flex-1 px-4 py-5 outline-none sm:px-6 lg:py-7"
      >
        <PendingScreen />
        <Outlet />
      </main>
    </div>
  );
}
