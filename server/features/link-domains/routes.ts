import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as contract from '#contract/link-domains.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { serve } from '#server/http/serve.ts';
import * as domains from './domains.ts';
import { hostNameOf, servedOnDomains } from './hosts.ts';

/** Links are for people; programs that draw previews of them heed this. */
const ROBOTS = 'User-agent: *\nAllow: /\n';

export function registerLinkDomains(app: FastifyInstance, deps: RouteDeps): void {
  const changed = async (creatorId: string) => {
    await deps.linkHosts.refresh();
    deps.live.publish(creatorId, { what: 'account' });
  };

  serve(app, deps, contract.listLinkDomains, async ({ creatorId, inCreator }) => ({
    target: new URL(deps.config.baseUrl).hostname,
    items: await inCreator((trx) => domains.list(trx, creatorId)),
  }));

  serve(app, deps, contract.addLinkDomain, async ({ creatorId, body, inCreator }) => {
    const added = await inCreator((trx) => domains.add(deps, trx, creatorId, body.host));
    await changed(creatorId);
    return added;
  });

  serve(app, deps, contract.checkLinkDomain, ({ creatorId, params }) =>
    domains.checkNow(deps, creatorId, params.linkDomainId),
  );

  serve(app, deps, contract.removeLinkDomain, async ({ creatorId, params, inCreator }) => {
    await inCreator((trx) => domains.remove(trx, creatorId, params.linkDomainId));
    await changed(creatorId);
    return { message: 'Host removed. Links with our address still work.' };
  });

  servedOnDomains(app, {
    method: 'GET',
    url: `${domains.PROOF_PATH}/:token`,
    handler: async (request, reply) => {
      const { token } = request.params as { token: string };
      const proof = await domains.proofOf(deps.db.engine, hostNameOf(request.headers.host ?? ''), token);
      return reply
        .code(proof === null ? 404 : 200)
        .type('text/plain; charset=utf-8')
        .send(proof ?? 'Unknown\n');
    },
  });

  servedOnDomains(
    app,
    { method: 'GET', url: '/robots.txt', handler: (_, reply) => reply.type('text/plain; charset=utf-8').send(ROBOTS) },
    { also: false },
  );

  /** As Caddy's `on_demand_tls` asks. */
  app.get('/internal/domains/ask', async (request, reply) => {
    const { domain = '' } = request.query as { domain?: string };
    const isKnown = mayAsk(request) && typeof domain === 'string' && (await domains.isKnown(deps.db.engine, domain));
    return reply
      .code(isKnown ? 200 : 404)
      .type('text/plain; charset=utf-8')
      .send(isKnown ? 'yes\n' : 'no\n');
  });

  /** From this machine itself, and not for somebody else; or with the token. */
  function mayAsk({ headers, query, socket }: FastifyRequest): boolean {
    const { domainsAskToken } = deps.config;
    const { token = '' } = query as { token?: unknown };
    if (domainsAskToken !== null && typeof token === 'string') return isSame(token, domainsAskToken);
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    return !isForwarded && /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
