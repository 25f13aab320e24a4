import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Me } from '#contract/session.ts';
import { listMemberships } from '#contract/team.ts';
import { searchMemberships } from '#web/features/switching/creator-search.ts';
import { useSwitchCreator } from '#web/features/switching/switch-creator.ts';
import { SERVER_PATHS } from '#web/paths.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { Avatar } from '#web/ui/Avatar.tsx';
import { LinkButton } from '#web/ui/Button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Input } from '#web/ui/inputs.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Spinner } from '#web/ui/Spinner.tsx';

type Props = { me: Me; open: boolean; onOpenChange: (open: boolean) => void };

/** The creators somebody belongs to, to go to another one, and the way to one more. */
export function SwitchCreatorDialog({ me, open, onOpenChange }: Props) {
  const userId = me.account._id;
  const [wanted, setWanted] = useState('');
  const memberships = useEndpoint(listMemberships, { params: { userId } }, { enabled: open });
  const choose = useSwitchCreator(userId);
  const leaving = choose.isPending || choose.isSuccess;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Switch Creator"
      footer={
        // Inside somebody's account nobody starts one of their own.
        !me.adminAccess && (
          <LinkButton variant="secondary" href={SERVER_PATHS.addNewCreator}>
            <Plus aria-hidden="true" className="size-4" />
            Add new creator
          </LinkButton>
        )
      }
    >
      <Loaded
        query={memberships}
        loading="Loading your creators"
        failed="Couldn’t load your creators"
        skeleton={<Skeleton className="h-32 w-full" />}
      >
        {(answer) => {
          const found = searchMemberships(answer.memberships, wanted);
          return (
            <>
              <Field label="Search">
                {(wiring) => (
                  <Input {...wiring} type="search" value={wanted} onChange={(event) => setWanted(event.target.value)} />
                )}
              </Field>
              <p role="status" className="sr-only">
                {found.length === 1 ? '1 creator' : `${found.length} creators`}
              </p>
              {found.length === 0 && (
                <p className="text-muted">
                  {answer.memberships.length === 0
                    ? 'You’re not on any creator’s team yet.'
                    : `None of your creators is named “${wanted}”.`}
                </p>
              )}
              {/* The margin is room for the focus ring, which scrolling would cut off. */}
              <ul className="flex max-h-80 flex-col gap-1 overflow-y-auto -m-1 p-1">
                {found.map(({ membershipId, displayName, displayImage, current }) => (
                  <li key={membershipId}>
                    <button
                      type="button"
                      aria-current={current || undefined}
                      aria-disabled={(current && !me.adminAccess) || leaving || undefined}
                      className={cx(
                        'flex min-h-12 w-full items-center gap-3 rounded-md px-2 text-left',
                        current ? 'bg-accent-soft' : 'hover:bg-sunken',
                      )}
                      onClick={() => (!current || me.adminAccess) && !leaving && choose.mutate(membershipId)}
                    >
                      <Avatar size="small" sources={[displayImage]} name={displayName} />
                      <span className="min-w-0 flex-1 truncate font-medium">@{displayName}</span>
                      {current && (
                        <span className="flex items-center gap-1 text-accent-ink text-sm">
                          <Check aria-hidden="true" className="size-4" />
                          Current
                        </span>
                      )}
                      {leaving && choose.variables === membershipId && <Spinner size="small" />}
                    </button>
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
