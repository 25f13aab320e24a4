import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/posts.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as posts from './posts.ts';
import { syncNow } from './syncing.ts';

export function registerPosts(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'automationsChanged' | 'live' | 'log' | 'meta' | 'speakerOf'>,
): void {
  serve(app, deps, contract.listPosts, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => posts.list(trx, creatorId, query)),
  );

  serve(app, deps, contract.getPost, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => posts.get(trx, creatorId, params.postId)),
  );

  serve(app, deps, contract.testPost, async ({ creatorId, params, body, inCreator }) => {
    const answer = await inCreator((trx) => posts.test(deps, trx, creatorId, params.postId, body.open));
    await deps.automationsChanged({ creatorId });
    return answer;
  });

  serve(app, deps, contract.syncPosts, async ({ creatorId }) => {
    const result = await syncNow(deps, creatorId);
    deps.live.publish(creatorId, { what: 'posts' });
    return result;
  });
}
