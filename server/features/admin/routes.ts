import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/admin.ts';
import { API_BASE } from '#contract/endpoint.ts';
import { listVisits } from '#contract/settings.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { followLimit } from '#server/features/billing/follower-limit.ts';
import { listFlags, setFlag } from '#server/features/flags/flags.ts';
import { refuseCrossSite } from '#server/http/cross-site.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as admin from './admin.ts';
import { listAudit } from './audit.ts';
import { listUnsentMails, readUnsentMail } from './unsent-mails.ts';
import * as visits from './visits.ts';

export function registerAdmin(
  app: FastifyInstance,
  deps: ServeDeps &
    Pick<
      RouteDeps,
      'automationsChanged' | 'config' | 'eventLog' | 'ids' | 'live' | 'log' | 'observed' | 'setupNotes' | 'stripe'
    >,
): void {
  serve(app, deps, contract.adminListCreators, ({ query }) => admin.listCreators(deps, query));
  serve(app, deps, contract.adminListUsers, ({ query }) => admin.listUsers(deps, query));
  serve(app, deps, contract.adminGetOperations, () => admin.describeOperations(deps));
  serve(app, deps, contract.adminListUnsentMails, ({ query }) => listUnsentMails(deps, query));
  serve(app, deps, contract.adminReadUnsentMail, async ({ params, signedIn }) => ({
    text: await readUnsentMail(deps, signedIn, params.mailId),
  }));
  serve(app, deps, contract.adminListAudit, ({ query }) => listAudit(deps, query));

  serve(app, deps, contract.adminEnterCreator, async ({ params, body, signedIn }) => {
    const { until } = await visits.enter(deps, signedIn, { creatorId: params.adminCreatorId, ...body });
    return { until: until.toISOString() };
  });

  // A full-page navigation: whoever comes here ends on a screen.
  app.get(`${API_BASE}/auth/end-creator-session`, async (request, reply) => {
    refuseCrossSite(request, deps.config.baseUrl);
    reply.header('cache-control', 'no-store');
    const signedIn = await deps.sessions.read(request);
    if (signedIn === null) return reply.redirect('/creator-hq/login');
    const cameFrom = await visits.leave(deps, signedIn.sessionId);
    return reply.redirect(cameFrom ?? (signedIn.user.isAdmin ? visits.ADMIN_AREA : '/creator-hq'));
  });

  serve(app, deps, contract.adminGrantPlan, async ({ params, body, signedIn }) => {
    const plan = await admin.grantPlan(deps, signedIn, { creatorId: params.adminCreatorId, ...body });
    if (deps.stripe !== null) await followLimit(deps, params.adminCreatorId);
    deps.live.publish(params.adminCreatorId, { what: 'account' });
    return { message: `The plan is now ${plan}` };
  });

  serve(app, deps, contract.adminGetFlags, ({ query }) => listFlags(deps, query));
  serve(app, deps, contract.adminSetFlag, async ({ body, signedIn }) => {
    await setFlag(deps, signedIn, body);
    return { message: 'Open pages pick it up within a minute' };
  });

  serve(app, deps, listVisits, async ({ creatorId }) => ({ items: await visits.listVisits(deps, creatorId) }));
}
