import { Check, Minus } from 'lucide-react';
import { PERMISSIONS, type Permission } from '#contract/permissions.ts';
import { mayDo, type Role } from '#contract/roles.ts';
import { useEnv } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';

const ROLES: { role: Role; label: string }[] = [
  { role: 'owner', label: 'Owner' },
  { role: 'collaborator', label: 'Collaborator' },
  { role: 'admin', label: 'Support' },
];

/** The table that the server enforces, as it stands in `contract/roles.ts`. */
export function PermissionTable() {
  const { hasPlans = false, hasFans = false } = useEnv().data ?? {};
  const isOff: Partial<Record<Permission, boolean>> = { billing: !hasPlans, members: !hasFans, money: !hasFans };
  return (
    <Card title="Permissions" description="Support can only sign in to help you. See Support visits.">
      <table className="w-full text-sm">
        {/* Where there is no room for columns each mark says its role itself. */}
        <thead className="max-sm:sr-only">
          <tr className="border-line border-b text-left align-bottom">
            <th scope="col" className="py-2 pr-2 font-medium">
              <span className="sr-only">What</span>
            </th>
            {ROLES.map(({ role, label }) => (
              <th key={role} scope="col" className="w-28 py-2 text-center font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(Object.entries(PERMISSIONS) as [Permission, string][])
            .filter(([permission]) => isOff[permission] !== true)
            .map(([permission, words]) => (
              <tr
                key={permission}
                className="border-line border-b last:border-b-0 max-sm:flex max-sm:flex-wrap max-sm:gap-x-4 max-sm:gap-y-1 max-sm:py-3"
              >
                <th scope="row" className="text-left font-normal max-sm:w-full sm:py-2.5 sm:pr-2">
                  {words}
                </th>
                {ROLES.map(({ role, label }) => (
                  <td key={role} className="text-center sm:py-2.5">
                    <Mark yes={mayDo(role, permission)} />
                    <span aria-hidden="true" className="ml-1 text-muted text-xs sm:hidden">
                      {label}
                    </span>
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </Card>
  );
}

function Mark({ yes }: { yes: boolean }) {
  const Icon = yes ? Check : Minus;
  return (
    <>
      <Icon aria-hidden="true" className={yes ? 'inline size-5 text-accent-ink' : 'inline size-5 text-faint'} />
      <span className="sr-only">{yes ? 'Yes' : 'No'}</span>
    </>
  );
}
