import { Check, Minus } from 'lucide-react';
import { mayDo, PERMISSIONS, type Permission, type Role } from '#contract/roles.ts';
import { Card } from '#web/ui/Card.tsx';

const ROLES: { role: Role; label: string }[] = [
  { role: 'owner', label: 'Owner' },
  { role: 'collaborator', label: 'Collaborator' },
  { role: 'admin', label: 'Support' },
];

/** The table that the server enforces, as it stands in `contract/roles.ts`. */
export function PermissionTable() {
  return (
    <Card title="Who may do what" description="Support is here only when it enters to help; see Support visits.">
      <table className="w-full text-sm">
        <thead>
          <tr className="border-line border-b text-left align-bottom">
            <th scope="col" className="py-2 pr-2 font-medium">
              <span className="sr-only">What</span>
            </th>
            {ROLES.map(({ role, label }) => (
              <th key={role} scope="col" className="w-14 py-2 text-center font-medium text-xs sm:w-28 sm:text-sm">
                <span className="block hyphens-auto break-words">{label}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(PERMISSIONS).map(([permission, words]) => (
            <tr key={permission} className="border-line border-b last:border-b-0">
              <th scope="row" className="py-2.5 pr-2 text-left font-normal">
                {words}
              </th>
              {ROLES.map(({ role }) => (
                <td key={role} className="py-2.5 text-center">
                  <Mark yes={mayDo(role, permission as Permission)} />
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
