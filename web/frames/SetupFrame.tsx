import type { Me } from '#contract/session.ts';
import { usePendingInvites } from '#web/features/switching/use-pending-invites.ts';
import { AccountTools } from '#web/frames/AccountTools.tsx';
import { Frame } from '#web/frames/Frame.tsx';
import { SetupLayout } from '#web/shell/SetupLayout.tsx';
import { Alert } from '#web/ui/Alert.tsx';
import { Button } from '#web/ui/Button.tsx';

/** Account-setup: needs somebody, with a creator or without. */
export function Component() {
  return <Frame group="setup">{(me) => <Inside me={me} />}</Frame>;
}

function Inside({ me }: { me: Me }) {
  const invites = usePendingInvites(me);
  const waiting = invites.invites?.length ?? 0;
  return (
    <SetupLayout
      admin={me.account.isAdmin}
      tools={<AccountTools me={me} flags={null} withSettings={false} invites={invites} />}
      banners={
        // The dialog was closed: this is the way back to it.
        waiting > 0 && (
          <Alert
            className="mb-5"
            title={waiting === 1 ? 'You have an invite.' : `${waiting} invites are waiting for you.`}
            action={
              <Button variant="secondary" onClick={() => invites.setOpen(true)}>
                {waiting === 1 ? 'View invite' : 'View invites'}
              </Button>
            }
          />
        )
      }
    />
  );
}
