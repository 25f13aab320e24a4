import { Menu } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import type { Me } from '#contract/session.ts';
import { WIDE } from '#web/shell/breakpoints.ts';
import { useOffline } from '#web/shell/connection.ts';
import { whenIdle } from '#web/shell/idle.ts';
import { LiveProvider, useLiveState } from '#web/shell/live.tsx';
import { useMedia } from '#web/shell/media.ts';
import type { NavItem } from '#web/shell/navigation.ts';
import { PendingScreen } from '#web/shell/PendingScreen.tsx';
import { Sidebar } from '#web/shell/Sidebar.tsx';
import { keepSidebarOpen, readSidebarOpen } from '#web/shell/sidebar-choice.ts';
import { TopBar } from '#web/shell/TopBar.tsx';
import { IconButton } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { NowProvider } from '#web/ui/RelativeTime.tsx';

const loadPhoneSidebar = () => import('#web/shell/PhoneSidebar.tsx');
const PhoneSidebar = lazy(() => loadPhoneSidebar().then((code) => ({ default: code.PhoneSidebar })));

type Props = {
  me: Me;
  /** Null until the flags are known: entries must not pop in late. */
  navigation: NavItem[] | null;
  /** Address of the Help Docs. */
  helpHref: string;
  /** Right end of the top bar. */
  tools: ReactNode;
  /** Between the top bar and the screen. */
  banners: ReactNode;
};

/** Around every screen of the main group: top bar, sidebar, banners, the screen. */
export function MainLayout({ me, navigation, helpHref, tools, banners }: Props) {
  const creatorId = me.creatorAccount?._id;
  const wide = useMedia(WIDE);
  const [pinned, setPinned] = useState(readSidebarOpen);
  const [slidIn, setSlidIn] = useState(false);
  const [everSlidIn, setEverSlidIn] = useState(false);
  const open = wide ? pinned : slidIn;

  useEffect(() => whenIdle(() => void loadPhoneSidebar().catch(() => {})), []);

  useEffect(() => {
    if (me.creatorAccount?.timeZone !== null) return;
    return whenIdle(() => {
      void import('#web/shell/first-time-zone.ts').then((code) => code.keepFirstTimeZone(me)).catch(() => {});
    });
  }, [me]);

  const toggle = () => {
    if (!wide) {
      setEverSlidIn(true);
      return setSlidIn(!slidIn);
    }
    keepSidebarOpen(!pinned);
    setPinned(!pinned);
  };

  const sidebar = (onNavigate?: () => void) => (
    <Sidebar navigation={navigation} helpHref={helpHref} {...(onNavigate && { onNavigate })} />
  );

  if (!creatorId) return null;
  return (
    <div className="flex min-h-dvh flex-col">
      <ScrollRestoration />
      <TopBar
        admin={me.account.isAdmin}
        menuButton={
          <IconButton label={open ? 'Close menu' : 'Open menu'} aria-expanded={open} onClick={toggle}>
            <Menu aria-hidden="true" className="size-5" />
          </IconButton>
        }
      >
        {tools}
      </TopBar>
      <div className="flex flex-1">
        {wide ? (
          <aside
            inert={!pinned}
            className={cx(
              'sticky top-14 h-[calc(100dvh-3.5rem)] shrink-0 overflow-hidden border-line bg-surface transition-[width,visibility] duration-300',
              pinned ? 'w-64 border-r' : 'invisible w-0',
            )}
          >
            <div className="h-full w-64">{sidebar()}</div>
          </aside>
        ) : (
          <Suspense>
            {everSlidIn && (
              <PhoneSidebar open={slidIn} onOpenChange={setSlidIn}>
                {sidebar(() => setSlidIn(false))}
              </PhoneSidebar>
            )}
          </Suspense>
        )}
        <Main>
          {/* The key: nothing of one creator's screen is left when another one becomes current. */}
          <LiveProvider key={creatorId} creatorId={creatorId}>
            <NowProvider>
              {banners}
              <PendingScreen />
              <Outlet />
            </NowProvider>
            <NotLive />
          </LiveProvider>
        </Main>
      </div>
    </div>
  );
}

function Main({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const before = useRef(pathname);
  // A new screen: keyboard and screen reader start at its beginning, not at the link that led here.
  useEffect(() => {
    if (before.current !== pathname) main.current?.focus({ preventScroll: true });
    before.current = pathname;
  }, [pathname]);
  return (
    <main
      id="main"
      ref={main}
      tabIndex={-1}
      className="relative mx-auto w-full min-w-0 max-w-6xl flex-1 px-4 py-5 outline-none sm:px-6 lg:py-7"
    >
      {children}
    </main>
  );
}

/** Quiet, and only when it lasts: what is on screen may be behind. */
function NotLive() {
  const state = useLiveState();
  const offline = useOffline();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-4 bottom-3 z-20 flex justify-center">
      {(offline || state === 'off') && (
        <span className="text-balance rounded-xl border border-line bg-raised px-3 py-1.5 text-center text-muted text-sm shadow-raised">
          {offline
            ? 'You’re offline. We’ll continue when you’re back online.'
            : 'Reconnecting. New activity shows up when you’re back online.'}
        </span>
      )}
    </div>
  );
}
