import type { FastifyInstance } from 'fastify';
import { API_BASE } from '#contract/endpoint.ts';
import * as contract from '#contract/team.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { describeMembership } from '#server/features/people/me.ts';
import { findMemberships } from '#server/features/people/memberships.ts';
import { countNetwork, countTry } from '#server/http/rate-limits.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { acceptInvite, declineInvite, listInvites, lookUpInvite } from './invite-answers.ts';
import { addressOfInvite, type InvitingDeps, resendInvite, revokeInvite, sendInvite } from './invites.ts';
import { accessMembership, changeRole, getTeam, listSentInvites } from './members.ts';
import { removeMember } from './remove-member.ts';

export function registerTeam(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'config' | 'ids'>): void {
  const inviting: InvitingDeps = { ...deps, baseUrl: deps.config.baseUrl };

  serve(app, deps, contract.listMemberships, async ({ signedIn }) => {
    const rows = await findMemberships(deps.db.engine, signedIn.user.id);
    return { memberships: rows.map((row) => describeMembership(row, signedIn.ownCreatorId)) };
  });

  serve(app, deps, contract.accessMembership, async ({ params, signedIn }) => {
    await accessMembership(deps, signedIn, params.membershipId);
    return { message: 'Switching Creator...' };
  });

  serve(app, deps, contract.listInvites, async ({ signedIn }) => ({ invites: await listInvites(deps, signedIn) }));

  serve(app, deps, contract.acceptInvite, async ({ params, signedIn }) => {
    await acceptInvite(deps, signedIn, params.inviteId);
    return { message: 'Invite accepted' };
  });

  serve(app, deps, contract.declineInvite, async ({ params, signedIn }) => {
    await declineInvite(deps, signedIn, params.inviteId);
    return { message: 'Successfully deleted invite' };
  });

  serve(app, deps, contract.lookUpInvite, async ({ body, request }) => {
    await countNetwork(deps.db.engine, deps.clock.now(), 'link_by_address', request.ip);
    return lookUpInvite(deps, body.token);
  });

  serve(app, deps, contract.getTeam, (call) => call.inCreator((trx) => getTeam(trx, deps.clock.now(), call)));

  serve(app, deps, contract.changeRole, async ({ params, body, creatorId, inCreator }) => {
    await inCreator((trx) => changeRole(trx, creatorId, params.membershipId, body.role));
    return { message: 'Role changed.' };
  });

  serve(app, deps, contract.removeMember, async ({ params, query, reply, ...caller }) => {
    reply.header('cache-control', 'no-store');
    const apiKey = await removeMember(deps, caller, params.membershipId, query);
    return { message: 'Removed from the team.', apiKey };
  });

  serve(app, deps, contract.listSentInvites, async (call) => ({
    invites: await call.inCreator((trx) => listSentInvites(trx, deps.clock.now(), call.creatorId)),
  }));

  serve(app, deps, contract.sendInvite, async ({ body, creatorId, signedIn }) => {
    await countInvite(creatorId, body.email);
    return sendInvite(inviting, { creatorId, user: signedIn.user }, body);
  });

  serve(app, deps, contract.resendInvite, async ({ params, creatorId, signedIn }) => {
    await countInvite(creatorId, await addressOfInvite(inviting, creatorId, params.inviteId));
    return resendInvite(inviting, { creatorId, user: signedIn.user }, params.inviteId);
  });

  serve(app, deps, contract.revokeInvite, async ({ params, creatorId }) => {
    await revokeInvite(inviting, creatorId, params.inviteId);
    return { message: 'Invite canceled.' };
  });

  /** A full-page navigation (spec section 7). The screen lets somebody with creators in only with `new`. */
  app.get(`${API_BASE}/auth/add-new-creator`, async (request, reply) => {
    const signedIn = await deps.sessions.read(request);
    if (signedIn === null) return reply.redirect('/creator-hq/login');
    // In admin access mode nobody starts a creator of their own.
    return reply.redirect(signedIn.adminVisit === null ? '/creator-hq/account-setup?new=1' : '/creator-hq');
  });

  async function countInvite(creatorId: string, email: string): Promise<void> {
    const now = deps.clock.now();
    await countTry(deps.db.engine, now, 'invites_by_creator', creatorId);
    await countTry(deps.db.engine, now, 'invite_by_recipient', email);
  }
}
