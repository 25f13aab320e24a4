import { CircleHelp, ExternalLink, Settings } from 'lucide-react';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { paths } from '#web/paths.ts';
import type { NavItem } from '#web/shell/navigation.ts';
import { HIGHLIGHTED } from '#web/ui/button-class.ts';
import { cx } from '#web/ui/class-names.ts';
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx';

const ENTRY = 'flex min-h-11 items-center gap-3 rounded-md px-3 font-medium md:min-h-9';
const LOOK = {
  here: cx('bg-accent-soft text-accent-ink', HIGHLIGHTED),
  elsewhere: 'text-muted hover:bg-sunken hover:text-ink',
};

type Props = { navigation: NavItem[] | null; helpHref: string; onNavigate?: () => void };

/** The content of the sidebar; the layout decides whether it stands beside the page or slides over it. */
export function Sidebar({ navigation, helpHref, onNavigate }: Props) {
  return (
    <nav aria-label="Main" className="flex h-full flex-col gap-1 overflow-y-auto p-3">
      {navigation === null && <ComingEntries />}
      <ul className="flex flex-col gap-1">
        {navigation?.map((item) => (
          <li key={item.to}>
            <Entry
              to={item.to}
              onNavigate={onNavigate}
              exact={item.to === paths.home || item.to === paths.commentForDm}
            >
              <item.icon aria-hidden="true" className="size-5 shrink-0" />
              {item.label}
            </Entry>
            {item.children !== undefined && item.children.length > 0 && (
              <ul className="mt-1 ml-5 flex flex-col gap-1 border-line border-l pl-2.5">
                {item.children.map((child) => (
                  <li key={child.to}>
                    <Entry to={child.to} onNavigate={onNavigate}>
                      {child.label}
                    </Entry>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      <div className="mt-auto flex flex-col gap-1 pt-4">
        <a href={helpHref} target="_blank" rel="noopener" className={cx(ENTRY, LOOK.elsewhere)}>
          <CircleHelp aria-hidden="true" className="size-5 shrink-0" />
          Help Docs
          <ExternalLink aria-hidden="true" className="ml-auto size-4" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
        <Entry to={paths.settings} onNavigate={onNavigate}>
          <Settings aria-hidden="true" className="size-5 shrink-0" />
          Settings
        </Entry>
      </div>
    </nav>
  );
}

/** For the moment in which it is not known yet what there is. */
function ComingEntries() {
  return (
    <Loading label="Loading the menu">
      <span className="flex flex-col gap-3 px-3 py-2">
        {['w-24', 'w-40', 'w-32', 'w-36', 'w-28', 'w-36'].map((width, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
          <Skeleton key={row} className={cx('h-5', width)} />
        ))}
      </span>
    </Loading>
  );
}

type EntryProps = { to: string; exact?: boolean; onNavigate: (() => void) | undefined; children: ReactNode };

function Entry({ to, exact = false, onNavigate, children }: EntryProps) {
  return (
    <NavLink
      to={to}
      end={exact}
      {...(onNavigate && { onClick: onNavigate })}
      className={({ isActive }) => cx(ENTRY, isActive ? LOOK.here : LOOK.elsewhere)}
    >
      {children}
    </NavLink>
  );
}
