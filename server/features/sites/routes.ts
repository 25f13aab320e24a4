import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/sites.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { keepAsCopy, list, makeLive, remove } from './sites.ts';

export function registerSites(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'ids' | 'keys' | 'live'>): void {
  serve(app, deps, contract.listSites, ({ creatorId, inCreator }) => inCreator((trx) => list(deps, trx, creatorId)));

  serve(app, deps, contract.makeSiteLive, async ({ creatorId, params, inCreator }) => {
    const sites = await inCreator((trx) => makeLive(deps, trx, creatorId, params.siteId));
    deps.live.publish(creatorId, { what: 'account' });
    return sites;
  });

  serve(app, deps, contract.keepSiteAsCopy, async ({ creatorId, params, inCreator }) => {
    const sites = await inCreator((trx) => keepAsCopy(deps, trx, creatorId, params.siteId));
    deps.live.publish(creatorId, { what: 'account' });
    return sites;
  });

  serve(app, deps, contract.removeSite, async ({ creatorId, params, inCreator }) => {
    const sites = await inCreator((trx) => remove(deps, trx, creatorId, params.siteId));
    deps.live.publish(creatorId, { what: 'account' });
    return sites;
  });
}
