import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/settings.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { currentKey, makeKey } from './api-keys.ts';

export function registerApiKeys(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'config' | 'ids'>): void {
  serve(app, deps, contract.getApiKey, ({ creatorId, inCreator }) =>
    inCreator((trx) => currentKey(deps, trx, creatorId)),
  );

  serve(app, deps, contract.makeApiKey, ({ creatorId, signedIn, byEngine, reply }) => {
    reply.header('cache-control', 'no-store');
    const maker = { creatorId, user: signedIn.user };
    return byEngine((trx) => makeKey(deps, trx, maker));
  });
}
