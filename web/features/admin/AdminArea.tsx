import { ShieldX } from 'lucide-react';
import { NavLink, Outlet } from 'react-router';
import { ADMIN_AREA } from '#web/features/admin/words.ts';
import { SecondFactorCard } from '#web/features/settings/SecondFactorCard.tsx';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { PageHeader } from '#web/shell/PageHeader.tsx';
import { useSession } from '#web/shell/session.ts';
import { cx } from '#web/ui/class-names.ts';
import { NowProvider } from '#web/ui/RelativeTime.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const PARTS = [
  { to: paths.admin, label: ADMIN_AREA.creators },
  { to: paths.adminUsers, label: ADMIN_AREA.users },
  { to: paths.adminFlags, label: ADMIN_AREA.flags },
  { to: paths.adminMoney, label: ADMIN_AREA.money },
  { to: paths.adminOperations, label: ADMIN_AREA.operations },
  { to: paths.adminAudit, label: ADMIN_AREA.auditLog },
];

/** Around the screens of the admin area. The server refuses everybody else; this only says so. */
export function Component() {
  const { data: me } = useSession();
  if (me?.account.needsTwoStep) {
    return (
      <div className="mx-auto w-full max-w-2xl">
        <PageHeader title={ADMIN_AREA.setUpTwoStep} description={ADMIN_AREA.adminsCanOpenEvery} />
        <SecondFactorCard />
      </div>
    );
  }
  if (!me?.account.isAdmin) {
    return (
      <EmptyState
        icon={<ShieldX className="size-7" />}
        title={ADMIN_AREA.adminsOnly}
        titleAs="h1"
        action={<ButtonLink to={paths.home}>{ADMIN_AREA.goToCreatorHq}</ButtonLink>}
      >
        {ADMIN_AREA.youDontHaveAccess}
      </EmptyState>
    );
  }
  return (
    <NowProvider>
      <nav aria-label={ADMIN_AREA.adminArea} className="mb-5">
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
