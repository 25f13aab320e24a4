import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/connections.ts';
import { changeFacebookAddon, getFacebookAddon } from '#contract/settings.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as connections from './connections.ts';
import * as addon from './facebook-addon.ts';
import { createFirstPosts } from './first-posts.ts';
import { registerLeaving } from './leaving-routes.ts';
import { registerLogins } from './login-routes.ts';
import * as pages from './pages.ts';

export function registerConnections(
  app: FastifyInstance,
  deps: ServeDeps &
    Pick<
      AppDeps,
      'automationsChanged' | 'config' | 'connectionChanged' | 'ids' | 'keys' | 'live' | 'log' | 'meta' | 'speakerOf'
    >,
): void {
  const posts = createFirstPosts(app, deps);
  registerLogins(app, deps, posts);
  registerLeaving(app, deps);

  serve(app, deps, contract.listConnections, async ({ creatorId }) => ({
    items: await connections.list(deps, creatorId),
  }));

  serve(app, deps, contract.checkConnection, ({ creatorId, params }) =>
    connections.checkNow(deps, creatorId, params.connectionId),
  );

  serve(app, deps, contract.getProfileLink, async ({ creatorId, params }) => ({
    url: await connections.readProfileLink(deps, creatorId, params.connectionId),
  }));

  serve(app, deps, contract.disconnect, async ({ creatorId, params }) => {
    await connections.disconnect(deps, creatorId, params.connectionId);
    return { message: 'Disconnected. Its automations stopped. Their activity stays.' };
  });

  serve(app, deps, contract.listGrantedPages, async ({ creatorId }) => ({
    items: await pages.listGranted(deps, creatorId),
  }));

  serve(app, deps, contract.choosePages, async ({ creatorId, body, signedIn }) => {
    const { connectionIds, problems } = await pages.choose(deps, creatorId, {
      pageIds: body.pageIds,
      userId: signedIn.user.id,
    });
    for (const id of connectionIds) posts.fetchLater(creatorId, id);
    const all = await connections.list(deps, creatorId);
    return { items: all.filter(({ id }) => connectionIds.includes(id)), problems };
  });

  serve(app, deps, getFacebookAddon, async ({ creatorId }) => ({
    facebookAddon: await addon.readFacebookAddon(deps, creatorId),
  }));

  serve(app, deps, changeFacebookAddon, async ({ creatorId, body }) => {
    const pageIds = await addon.changeFacebookAddon(deps, creatorId, body.facebookAddon);
    if (body.facebookAddon) for (const id of pageIds) posts.fetchLater(creatorId, id);
    return body;
  });
}
