import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { Logo } from '#web/shell/Logo.tsx';
import { cx } from '#web/ui/class-names.ts';

type Props = {
  /** Red tint; the way out of accounts needs the room of our name on a phone. */
  admin: boolean;
  menuButton?: ReactNode;
  children?: ReactNode;
};

export function TopBar({ admin, menuButton, children }: Props) {
  return (
    <header
      className={cx(
        'sticky top-0 z-30 flex h-14 items-center gap-2 border-line border-b px-2 sm:px-4',
        admin ? 'bg-admin text-admin-ink' : 'bg-surface',
      )}
    >
      <a
        href="#main"
        className="-translate-y-20 absolute top-2 left-2 z-10 rounded-md bg-ink px-3 py-2 text-inverse focus-visible:translate-y-0"
      >
        Skip to content
      </a>
      {menuButton}
      <Link to={paths.home} className="flex min-h-11 items-center rounded-md px-1.5">
        <Logo short={admin} />
      </Link>
      <div className="ml-auto flex items-center gap-1 sm:gap-2">{children}</div>
    </header>
  );
}
