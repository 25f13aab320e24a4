import { ShieldX } from 'lucide-react';
import { NavLink, Outlet } from 'react-router';
import { SecondFactorCard } from '#web/features/settings/SecondFactorCard.tsx';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useSession } from '#web/shell/session.ts';
import { cx } from '#web/ui/class-names.ts';
import { NowProvider } from '#web/ui/RelativeTime.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const PARTS = [
  { to: paths.admin, label: 'Creators' },
  { to: paths.adminUsers, label: 'Users' },
  { to: paths.adminFlags, label: 'Flags' },
  { to: paths.adminOperations, label: 'Operations' },
  { to: paths.adminAudit, label: 'Audit log' },
];

/** Around the screens of the admin area. The server refuses everybody else; this only says so. */
export function Component() {
  const { data: me } = useSession();
  if (me?.account.needsTwoStep) {
    return (
      <div className="mx-auto w-full max-w-2xl">
        <PageHeader
          title="Set up two-step login first"
          description="Admins can open every account, so they need two-step login. Turn it on to open the admin area."
        />
        <SecondFactorCard />
      </div>
    );
  }
  if (!me?.account.isAdmin) {
    return (
      <EmptyState
        icon={<ShieldX className="size-7" />}
        title="Admins only"
        titleAs="h1"
        action={<ButtonLink to={paths.home}>Go to Creator HQ</ButtonLink>}
      >
        You don’t have access to the admin area.
      </EmptyState>
    );
  }
  return (
    <NowProvider>
      <nav aria-label="Admin area" className="mb-5">
        <ul className="flex flex-wrap gap-1 border-line border-b pb-2">
          {PARTS.map(({ to, label }) => (
            <li key={to}>
              <NavLink
                to={to}
                end
                className={({ isActive }) =>
                  cx(
                    'flex min-h-11 items-center rounded-md px-3 font-medium md:min-h-9',
                    isActive ? 'bg-accent-soft text-accent-ink' : 'text-muted hover:bg-sunken hover:text-ink',
                  )
                }
              >
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </NowProvider>
  );
}
