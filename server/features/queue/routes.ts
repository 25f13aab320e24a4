import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/queue.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as queue from './queue.ts';

export function registerQueue(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'config' | 'live' | 'queueChanged'>,
): void {
  serve(app, deps, contract.listQueues, async ({ creatorId, inCreator }) => ({
    items: await inCreator((trx) => queue.list(deps, trx, creatorId)),
  }));

  serve(app, deps, contract.controlQueue, async ({ creatorId, params, body, signedIn, inCreator }) => {
    const { connectionId } = params;
    const answer = await inCreator((trx) =>
      queue.control(deps, trx, { creatorId, connectionId }, body, signedIn.user.id),
    );
    await deps.queueChanged({ creatorId, connectionId });
    deps.live.publish(creatorId, { what: 'interactions' });
    return answer;
  });

  serve(app, deps, contract.listExpiring, ({ creatorId, params, query, inCreator }) =>
    inCreator((trx) => queue.expiring(deps, trx, { creatorId, connectionId: params.connectionId }, query)),
  );
}
