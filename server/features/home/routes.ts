import type { FastifyInstance } from 'fastify';
import { getHome as homeContract } from '#contract/figures.ts';
import { getHomeNotices as noticesContract } from '#contract/home-notices.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import type { AskingReadings } from '#server/features/catch-up/asked.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { getHome } from './home.ts';
import { getHomeNotices } from './home-notices.ts';

export function registerHome(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'config' | 'ids' | 'log'>,
  readings: AskingReadings,
): void {
  serve(app, deps, homeContract, ({ creatorId, inCreator }) => inCreator((trx) => getHome(deps, trx, creatorId)));

  serve(app, deps, noticesContract, ({ creatorId }) => getHomeNotices(deps, readings, creatorId));
}
