import { useQueryClient } from '@tanstack/react-query';
import type { Me } from '#contract/session.ts';
import { acceptInvite, declineInvite, type Invite, listInvites, listMemberships } from '#contract/team.ts';
import { beginWithCurrentCreator } from '#web/features/switching/switch-creator.ts';
import { paths } from '#web/paths.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { showToastAfterLoad } from '#web/shell/toast-after-load.ts';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { momentOf } from '#web/ui/moment.ts';
import { useNow } from '#web/ui/RelativeTime.tsx';

type Props = { me: Me; invites: readonly Invite[]; open: boolean; onOpenChange: (open: boolean) => void };

/** Invites that wait for an answer. */
export function PendingInvitesDialog({ me, invites, open, onOpenChange }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Pending Invites"
      description={
        invites.length === 0
          ? 'You have no pending invites.'
          : 'Once you accept, you can work on the creator’s automations, posts and contacts.'
      }
    >
      <ul className="flex flex-col gap-3">
        {invites.map((invite) => (
          <InviteRow key={invite.inviteId} userId={me.account._id} invite={invite} />
        ))}
      </ul>
    </Dialog>
  );
}

function InviteRow({ userId, invite }: { userId: string; invite: Invite }) {
  const nowMs = useNow();
  const params = { userId, inviteId: invite.inviteId };
  const accept = useAcceptInvite();
  const decline = useEndpointMutation(declineInvite, {
    successToast: { title: 'Successfully deleted invite' },
    errorToast: { title: 'Failed to delete invite' },
    refreshes: [listInvites],
  });
  const busy = accept.isPending || accept.isSuccess || decline.isPending;
  return (
    <li className="flex flex-col gap-3 rounded-md border border-line p-3">
      <div className="flex items-center gap-3">
        <Avatar sources={[invite.creatorAccountAvatar]} name={invite.creatorAccountHandle} />
        <div className="min-w-0">
          <p className="truncate font-medium">@{invite.creatorAccountHandle}</p>
          <p className="text-muted text-sm">
            {invite.invitedBy && `Invited by ${invite.invitedBy} `}as{' '}
            {invite.role === 'owner' ? 'an owner' : 'a collaborator'}; good until {momentOf(invite.expiresAt, nowMs)}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          busy={accept.isPending || accept.isSuccess}
          aria-label={`Accept the invite of @${invite.creatorAccountHandle}`}
          onClick={() => !busy && accept.mutate({ params })}
        >
          Accept
        </Button>
        <Button
          variant="secondary"
          busy={decline.isPending}
          aria-label={`Decline the invite of @${invite.creatorAccountHandle}`}
          onClick={() => !busy && decline.mutate({ params })}
        >
          Decline
        </Button>
      </div>
    </li>
  );
}

export function useAcceptInvite() {
  const client = useQueryClient();
  return useEndpointMutation(acceptInvite, {
    successToast: false,
    errorToast: { title: 'Failed to accept invite' },
    refreshes: [listInvites, listMemberships],
    onSuccess: async () => {
      showToastAfterLoad({ tone: 'success', title: 'Invite accepted' });
      // Its creator is the current one now: nothing that is still under way may land in between.
      await client.cancelQueries();
      // Account setup, where the dialog may have opened by itself, has nothing for a member of a creator.
      beginWithCurrentCreator(paths.home);
    },
    onError: (error) => void (error.status === 404 && client.invalidateQueries({ queryKey: [listInvites.path] })),
  });
}
