import type { FastifyInstance } from 'fastify';
import { registerPlugin as registration } from '#contract/plugin.ts';
import * as contract from '#contract/settings.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { countNetwork } from '#server/http/rate-limits.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { currentKey, makeKey, registerPlugin } from './api-keys.ts';

export function registerApiKeys(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'config' | 'ids'>): void {
  serve(app, deps, contract.getApiKey, ({ creatorId, inCreator }) =>
    inCreator((trx) => currentKey(deps, trx, creatorId)),
  );

  serve(app, deps, contract.makeApiKey, ({ creatorId, signedIn, byEngine, reply }) => {
    reply.header('cache-control', 'no-store');
    const maker = { creatorId, user: signedIn.user };
    return byEngine((trx) => makeKey(deps, trx, maker));
  });

  serve(app, deps, registration, async ({ body, request }) => {
    await countNetwork(deps.db.engine, deps.clock.now(), 'plugin_by_address', request.ip);
    return registerPlugin(deps, request.headers.authorization, body);
  });
}
