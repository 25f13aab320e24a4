import type { FastifyInstance } from 'fastify';
import { connectPlugin } from '#contract/plugin.ts';
import * as contract from '#contract/settings.ts';
import { letSiteConnect } from '#contract/sites.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { countNetwork } from '#server/http/rate-limits.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { currentKey, makeKey } from './api-keys.ts';
import { connect, letConnect } from './connect-site.ts';

export function registerApiKeys(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'config' | 'ids' | 'keys' | 'live'>,
): void {
  serve(app, deps, contract.getApiKey, ({ creatorId, inCreator }) =>
    inCreator((trx) => currentKey(deps, trx, creatorId)),
  );

  serve(app, deps, contract.makeApiKey, async ({ creatorId, signedIn, byEngine, reply }) => {
    reply.header('cache-control', 'no-store');
    const maker = { creatorId, user: signedIn.user };
    const made = await byEngine((trx) => makeKey(deps, trx, maker));
    deps.live.publish(creatorId, { what: 'account' });
    return made;
  });

  serve(app, deps, letSiteConnect, async ({ creatorId, signedIn, body, reply }) => {
    reply.header('cache-control', 'no-store');
    return letConnect(deps, { creatorId, userId: signedIn.user.id }, body);
  });

  serve(app, deps, connectPlugin, async ({ body, request, reply }) => {
    reply.header('cache-control', 'no-store');
    await countNetwork(deps.db.engine, deps.clock.now(), 'connect_by_address', request.ip);
    const { creatorId, ...given } = await deps.db.engine.transaction().execute((trx) => connect(deps, trx, body));
    deps.live.publish(creatorId, { what: 'account' });
    return given;
  });
}
