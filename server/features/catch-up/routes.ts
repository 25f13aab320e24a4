import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/catch-up.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import type { Scope } from './asked.ts';
import * as catchUp from './catching-up.ts';
import * as misses from './misses.ts';

export function registerCatchUp(
  app: FastifyInstance,
  deps: ServeDeps & Pick<RouteDeps, 'config' | 'deliveriesQueued' | 'ids' | 'live' | 'log' | 'readings'>,
): void {
  const start = async (scope: Scope, by: { batchId: string; userId: string }) => {
    const { creatorId } = scope;
    const { connectionIds, postIds } = await catchUp.start(deps, scope, by);
    for (const connectionId of connectionIds) await deps.deliveriesQueued({ creatorId, connectionId });
    if (postIds.length > 0) deps.live.publish(creatorId, { what: 'interactions', postIds });
    return deps.db.withCreator(creatorId, (trx) => catchUp.get(trx, creatorId, by.batchId));
  };

  serve(app, deps, contract.previewCatchUp, ({ creatorId }) =>
    catchUp.preview(deps, deps.readings, { creatorId, postId: null }),
  );

  serve(app, deps, contract.previewPostCatchUp, ({ creatorId, params }) =>
    catchUp.preview(deps, deps.readings, { creatorId, postId: params.postId }),
  );

  serve(app, deps, contract.startCatchUp, ({ creatorId, body, signedIn }) =>
    start({ creatorId, postId: null }, { batchId: body.batchId, userId: signedIn.user.id }),
  );

  serve(app, deps, contract.startPostCatchUp, ({ creatorId, params, body, signedIn }) =>
    start({ creatorId, postId: params.postId }, { batchId: body.batchId, userId: signedIn.user.id }),
  );

  serve(app, deps, contract.getCatchUp, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => catchUp.get(trx, creatorId, params.batchId)),
  );

  serve(app, deps, contract.cancelCatchUp, async ({ creatorId, params, inCreator }) => {
    const answer = await inCreator((trx) => catchUp.cancel(deps, trx, creatorId, params.batchId));
    deps.live.publish(creatorId, { what: 'interactions' });
    return answer;
  });

  serve(app, deps, contract.listMisses, async ({ creatorId, params, inCreator }) => ({
    items: await inCreator((trx) => misses.list(deps, trx, creatorId, params.postId)),
  }));
}
