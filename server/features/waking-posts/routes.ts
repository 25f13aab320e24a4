import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/prepared-posts.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as waking from './awake-posts.ts';

export function registerWakingPosts(app: FastifyInstance, deps: ServeDeps & Pick<AppDeps, 'live'>): void {
  serve(app, deps, contract.listWakingPosts, ({ creatorId, inCreator }) =>
    inCreator((trx) => waking.list(trx, creatorId)),
  );

  serve(app, deps, contract.dismissWakingPost, async ({ creatorId, params, inCreator }) => {
    const answer = await inCreator((trx) => waking.dismiss(deps, trx, creatorId, params.postId));
    deps.live.publish(creatorId, { what: 'posts' });
    return answer;
  });
}
