import type { ResponseOf } from '#contract/endpoint.ts';
import type { getTeam } from '#contract/team.ts';

export type TeamMember = ResponseOf<typeof getTeam>['members'][number];
export type SentInvite = ResponseOf<typeof getTeam>['invites'][number];
export type TeamRole = TeamMember['role'];

export const ROLE_LABEL: Record<TeamRole, string> = { owner: 'Owner', collaborator: 'Collaborator' };

/** The one owner of a team must stay: somebody has to be able to invite, pay and delete. */
export function isLastOwner(
  member: Pick<TeamMember, 'membershipId' | 'role'>,
  members: readonly TeamMember[],
): boolean {
  return (
    member.role === 'owner' &&
    !members.some((other) => other.role === 'owner' && other.membershipId !== member.membershipId)
  );
}
