import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/figures.ts';
import type { AppDeps } from '#server/app.ts';
import { serve } from '#server/http/serve.ts';
import { getHome } from './home.ts';

export function registerHome(app: FastifyInstance, deps: AppDeps): void {
  serve(app, deps, contract.getHome, ({ creatorId, inCreator }) => inCreator((trx) => getHome(deps, trx, creatorId)));
}
