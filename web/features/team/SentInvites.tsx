import { useState } from 'react';
import { getTeam, resendInvite, revokeInvite } from '#contract/team.ts';
import { ROLE_LABEL, type SentInvite } from '#web/features/team/words.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Question } from '#web/ui/Question.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

/** Invites that nobody has answered yet; nothing while there are none. */
export function SentInvites({ invites }: { invites: readonly SentInvite[] }) {
  if (invites.length === 0) return null;
  return (
    <Card title="Pending invites">
      <ul className="divide-y divide-line">
        {invites.map((invite) => (
          <InviteRow key={invite.inviteId} invite={invite} />
        ))}
      </ul>
    </Card>
  );
}

function InviteRow({ invite }: { invite: SentInvite }) {
  const { creatorId } = useCreator();
  const [asking, setAsking] = useState(false);
  const params = { creatorId, inviteId: invite.inviteId };
  const resend = useEndpointMutation(resendInvite, {
    refreshes: [getTeam],
    successToast: {
      title: 'Invite sent again',
      detail: `${invite.email} has 7 more days. The old link no longer works.`,
    },
  });
  const revoke = useEndpointMutation(revokeInvite, {
    refreshes: [getTeam],
    successToast: { title: 'Invite canceled', detail: `The link sent to ${invite.email} no longer works.` },
    onSuccess: () => setAsking(false),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="break-words font-medium">{invite.email}</p>
        <p className="text-muted text-sm">
          {ROLE_LABEL[invite.role]}, sent <RelativeTime at={invite.sentAt} />
          {!invite.expired && (
            <>
              , expires <RelativeTime at={invite.expiresAt} />
            </>
          )}
        </p>
      </div>
      {invite.expired && <Badge tone="warning">Expired</Badge>}
      <div className="flex gap-2">
        <Button
          variant="secondary"
          size="small"
          busy={resend.isPending}
          aria-label={`Send again to ${invite.email}`}
          onClick={() => resend.mutate({ params })}
        >
          Send again
        </Button>
        <Button
          variant="quiet"
          size="small"
          aria-label={`Cancel invite to ${invite.email}`}
          onClick={() => setAsking(true)}
        >
          Cancel invite
        </Button>
      </div>
      <Question
        open={asking}
        onOpenChange={setAsking}
        title="Cancel this invite?"
        description={`The link sent to ${invite.email} stops working. You can invite them again later.`}
        keep="Keep invite"
        act="Cancel invite"
        danger
        busy={revoke.isPending}
        onAct={() => revoke.mutate({ params })}
      />
    </li>
  );
}
