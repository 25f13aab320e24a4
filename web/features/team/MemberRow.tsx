import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeRole, getTeam } from '#contract/team.ts';
import { ConfirmGoing } from '#web/features/team/ConfirmGoing.tsx';
import { ROLE_LABEL, type TeamMember, type TeamRole } from '#web/features/team/words.ts';
import { useEndpointMutation } from '#web/shell/queries.ts';
import { reloadSession, useCreator } from '#web/shell/session.ts';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { Question } from '#web/ui/Question.tsx';

type Props = { member: TeamMember; mayManage: boolean; lastOwner: boolean };

/** A person of the team; what an owner, or they, can do about their being here. */
export function MemberRow({ member, mayManage, lastOwner }: Props) {
  const [asking, setAsking] = useState(false);
  const mayChange = mayManage && !lastOwner;
  const mayGo = (mayManage || member.you) && !lastOwner;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 first:pt-0 last:pb-0">
      <Avatar sources={[member.avatarUrl]} name={member.name} />
      <div className="min-w-0 flex-1 basis-44">
        <p className="flex items-center gap-2">
          <bdi className="truncate font-medium">{member.name}</bdi>
          {member.you && <Badge>You</Badge>}
          {!mayChange && <Badge>{ROLE_LABEL[member.role]}</Badge>}
        </p>
        <p className="break-words text-muted text-sm">{member.email}</p>
        {mayManage && lastOwner && (
          <p className="text-muted text-sm">The only owner. Make someone else an owner before you leave.</p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {mayChange && <RoleChoice member={member} />}
        {mayGo && (
          <Button
            variant="quiet"
            size="small"
            aria-label={member.you ? 'Leave this team' : `Remove ${member.name}`}
            onClick={() => setAsking(true)}
          >
            {member.you ? 'Leave' : 'Remove'}
          </Button>
        )}
      </div>
      <ConfirmGoing member={member} open={asking} onOpenChange={setAsking} />
    </li>
  );
}

/** Takes effect at once, but for what cannot be taken back by oneself: giving up being an owner. */
function RoleChoice({ member }: { member: TeamMember }) {
  const client = useQueryClient();
  const { creatorId } = useCreator();
  const [asking, setAsking] = useState(false);
  const change = useEndpointMutation(changeRole, {
    pendingUntilRead: [getTeam],
    onSuccess: async () => {
      if (member.you) await reloadSession(client);
      setAsking(false);
    },
  });
  const send = (role: TeamRole) =>
    change.mutate({ params: { creatorId, membershipId: member.membershipId }, body: { role } });
  const choose = (role: TeamRole) => {
    if (member.you) setAsking(true);
    else send(role);
  };
  return (
    <>
      <div className="w-36">
        <Select
          aria-label={`Role of ${member.name}`}
          // Not disabled meanwhile: that would take the focus away.
          aria-busy={change.isPending || undefined}
          value={change.isPending ? change.variables.body.role : member.role}
          onChange={(event) => choose(event.target.value as TeamRole)}
        >
          {Object.entries(ROLE_LABEL).map(([role, label]) => (
            <option key={role} value={role}>
              {label}
            </option>
          ))}
        </Select>
      </div>
      <Question
        open={asking}
        onOpenChange={setAsking}
        title="Stop being an owner?"
        description="You can still work here, but not on the team, billing or data. Only another owner can make you an owner again."
        keep="Stay an owner"
        act="Become a collaborator"
        danger
        busy={change.isPending}
        onAct={() => send('collaborator')}
      />
    </>
  );
}
