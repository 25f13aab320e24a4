import type { FastifyInstance } from 'fastify';
import { getHome as homeContract, seeFirstLink as seeFirstLinkContract } from '#contract/home.ts';
import { getHomeNotices as noticesContract } from '#contract/home-notices.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { getHome, seeFirstLink } from './home.ts';
import { getHomeNotices } from './home-notices.ts';

export function registerHome(
  app: FastifyInstance,
  deps: ServeDeps & Pick<RouteDeps, 'config' | 'ids' | 'log' | 'readings'>,
): void {
  serve(app, deps, homeContract, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => getHome(deps, trx, creatorId, query)),
  );

  serve(app, deps, seeFirstLinkContract, ({ creatorId, inCreator }) =>
    inCreator((trx) => seeFirstLink(deps, trx, creatorId)),
  );

  serve(app, deps, noticesContract, ({ creatorId }) => getHomeNotices(deps, deps.readings, creatorId));
}
