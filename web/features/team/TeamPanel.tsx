import { mayDo } from '#contract/roles.ts';
import { getTeam } from '#contract/team.ts';
import { InviteForm } from '#web/features/team/InviteForm.tsx';
import { MemberRow } from '#web/features/team/MemberRow.tsx';
import { PermissionTable } from '#web/features/team/PermissionTable.tsx';
import { SentInvites } from '#web/features/team/SentInvites.tsx';
import { isLastOwner } from '#web/features/team/words.ts';
import { Loaded } from '#web/shell/Loaded.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Card } from '#web/ui/Card.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

/** Who works in this creator account, who is invited, and what each may do. */
export function TeamPanel() {
  const { creatorId, creatorAccount, role } = useCreator();
  const team = useEndpoint(getTeam, { params: { creatorId } });
  const mayManage = role !== null && mayDo(role, 'team');
  return (
    <div className="flex flex-col gap-5">
      <Loaded
        query={team}
        loading="Loading the team"
        failed="Couldn’t load the team"
        skeleton={
          <div className="flex flex-col gap-5">
            <Skeleton className="h-40" />
            {mayManage && <Skeleton className="h-64" />}
          </div>
        }
      >
        {({ members, invites }) => (
          <>
            <Card title={`Team of @${creatorAccount.handle}`}>
              <ul className="divide-y divide-line">
                {members.map((member) => (
                  <MemberRow
                    key={member.membershipId}
                    member={member}
                    mayManage={mayManage}
                    lastOwner={isLastOwner(member, members)}
                  />
                ))}
              </ul>
              {!mayManage && (
                <p className="mt-4 text-muted text-sm">Only an owner can invite or remove people or change roles.</p>
              )}
            </Card>
            {mayManage && (
              <>
                <SentInvites invites={invites} />
                <InviteForm />
              </>
            )}
          </>
        )}
      </Loaded>
      <PermissionTable />
    </div>
  );
}
