/** Memberships and invites: who belongs to which creator. Paths under `/accounts/:userId` are the observed product's. */
import * as z from 'zod/mini';
import { endpoint, type ResponseOf } from '#contract/endpoint.ts';
import { QUOTAS } from '#contract/quotas.ts';
import { Email, Membership, MOST_MEMBERSHIPS } from '#contract/session.ts';
import { atMost, CreatorParams, Id, Timestamp } from '#contract/shapes.ts';

const AccountParams = z.object({ userId: Id });
const Message = z.object({ message: z.string() });

/** An invite as the invited person sees it. */
export const Invite = z.object({
  inviteId: Id,
  creatorAccountHandle: z.string(),
  creatorAccountAvatar: z.nullable(z.string()),
  invitedBy: z.nullable(z.string()),
  role: z.enum(['owner', 'collaborator']),
  expiresAt: Timestamp,
});
export type Invite = z.infer<typeof Invite>;

export const listMemberships = endpoint({
  method: 'GET',
  path: '/accounts/:userId/memberships',
  access: 'user',
  summary: 'The creators whose team you’re on',
  params: AccountParams,
  response: z.object({ memberships: atMost(MOST_MEMBERSHIPS, Membership) }),
  errors: ['not_found'],
});

export const accessMembership = endpoint({
  method: 'POST',
  path: '/accounts/:userId/memberships/:membershipId/access',
  access: 'user',
  summary: 'Switch to this creator; ends admin access to any other. Reload afterward',
  params: z.object({ userId: Id, membershipId: Id }),
  response: Message,
  errors: ['not_found'],
});

export const listInvites = endpoint({
  method: 'GET',
  path: '/accounts/:userId/invites',
  access: 'user',
  summary: 'Your pending invites',
  params: AccountParams,
  response: z.object({ invites: atMost(100, Invite) }),
  errors: ['not_found'],
});

export const acceptInvite = endpoint({
  method: 'POST',
  path: '/accounts/:userId/invites/:inviteId/accept',
  access: 'user',
  ownAccount: true,
  summary: 'Accept an invite and switch to its creator',
  params: z.object({ userId: Id, inviteId: Id }),
  response: Message,
  errors: ['not_found', 'link_expired', 'not_possible_now'],
});

export const declineInvite = endpoint({
  method: 'DELETE',
  path: '/accounts/:userId/invites/:inviteId',
  access: 'user',
  ownAccount: true,
  summary: 'Decline an invite',
  params: z.object({ userId: Id, inviteId: Id }),
  response: Message,
  errors: ['not_found'],
});

/** The page behind the link of an invitation mail, before anybody is signed in. */
export const lookUpInvite = endpoint({
  method: 'POST',
  path: '/invites/look-up',
  access: 'public',
  summary: 'Look up an invite by the token in its email: who sent it and to whom',
  body: z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) }),
  response: z.object({
    /** Null: an invite of the operator to sign up here, to no team. */
    creatorAccountHandle: z.nullable(z.string()),
    email: z.string(),
    invitedBy: z.nullable(z.string()),
  }),
  errors: ['link_expired'],
});
export type InviteFound = ResponseOf<typeof lookUpInvite>;

/** A person of the team, or an invite that is not answered yet, as the owner sees it. */
export const TeamMember = z.object({
  membershipId: Id,
  name: z.string(),
  email: z.string(),
  avatarUrl: z.nullable(z.string()),
  role: z.enum(['owner', 'collaborator']),
  you: z.boolean(),
  since: Timestamp,
  /** Addresses of outgoing webhooks that this person answers for. */
  webhooks: z.number(),
  /** Whether they made the API key in use, and so may still have it. */
  apiKey: z.boolean(),
});
export const SentInvite = z.object({
  inviteId: Id,
  email: z.string(),
  role: z.enum(['owner', 'collaborator']),
  sentAt: Timestamp,
  expiresAt: Timestamp,
  expired: z.boolean(),
});

export const getTeam = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/memberships',
  access: 'creator',
  personal: true,
  summary: 'The team and its pending invites (invites only if you can manage the team)',
  params: CreatorParams,
  response: z.object({ members: atMost(QUOTAS.team.most, TeamMember), invites: atMost(QUOTAS.team.most, SentInvite) }),
});

export const changeRole = endpoint({
  method: 'PATCH',
  path: '/creators/:creatorId/memberships/:membershipId',
  access: 'creator',
  needs: 'team',
  summary: 'Change a role; the last owner can’t step down',
  params: z.object({ creatorId: Id, membershipId: Id }),
  body: z.object({ role: z.enum(['owner', 'collaborator']) }),
  response: Message,
  errors: ['not_found', 'not_possible_now', 'invalid_input'],
});

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/memberships/:membershipId',
  access: 'creator',
  summary: 'Remove someone from the team, or leave it; the last owner can’t leave. Their API tokens stop working',
  params: z.object({ creatorId: Id, membershipId: Id }),
  /**
   * How webhook addresses and the API key that the person made are handled: to be given when there are some (see
   * `TeamMember`). `keep`: under the name of who removes. Who leaves by themselves is not asked: the addresses are turned
   * off, and the owners are told of them and of the key.
   */
  query: z.object({
    webhooks: z.optional(z.enum(['keep', 'remove'])),
    apiKey: z.optional(z.enum(['keep', 'replace'])),
  }),
  /** `apiKey`: the new one, where it was replaced. The only time it is shown. */
  response: z.object({ message: z.string(), apiKey: z.nullable(z.string()) }),
  errors: ['not_found', 'not_possible_now', 'not_allowed', 'invalid_input'],
});

export const listSentInvites = endpoint({
  method: 'GET',
  path: '/creators/:creatorId/invites',
  access: 'creator',
  needs: 'team',
  summary: 'Pending invites',
  params: CreatorParams,
  response: z.object({ invites: atMost(QUOTAS.team.most, SentInvite) }),
});

export const sendInvite = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/invites',
  access: 'creator',
  needs: 'team',
  quotas: ['team'],
  summary: 'Invite someone by email; the link works for 7 days',
  params: CreatorParams,
  body: z.object({ email: Email, role: z.enum(['owner', 'collaborator']) }),
  response: SentInvite,
  errors: ['invalid_input', 'already_exists', 'too_many_requests'],
});

export const resendInvite = endpoint({
  method: 'POST',
  path: '/creators/:creatorId/invites/:inviteId/resend',
  access: 'creator',
  needs: 'team',
  summary: 'Resend an invite with a new link and 7 more days; the old link stops working',
  params: z.object({ creatorId: Id, inviteId: Id }),
  response: SentInvite,
  errors: ['not_found', 'too_many_requests'],
});

export const revokeInvite = endpoint({
  method: 'DELETE',
  path: '/creators/:creatorId/invites/:inviteId',
  access: 'creator',
  needs: 'team',
  summary: 'Cancel an invite; its link stops working',
  params: z.object({ creatorId: Id, inviteId: Id }),
  response: Message,
  errors: ['not_found'],
});
