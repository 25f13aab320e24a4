import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/replies.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { mayChange, replies } from './replies.ts';

export function registerReplies(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'automationsChanged' | 'ids' | 'live'>,
): void {
  // The engine keeps the replies of automations in memory.
  const changed = async (creatorId: string) => {
    await deps.automationsChanged({ creatorId });
    deps.live.publish(creatorId, { what: 'automations' });
  };

  serve(app, deps, contract.listReplies, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => replies.list(trx, creatorId, query)),
  );

  serve(app, deps, contract.getReply, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => replies.get(trx, creatorId, params.replyId)),
  );

  serve(app, deps, contract.createReply, async ({ creatorId, body, inCreator }) => {
    const created = await inCreator((trx) => replies.create(deps, trx, creatorId, body));
    await changed(creatorId);
    return created;
  });

  serve(app, deps, contract.updateReply, async ({ creatorId, params, body, inCreator }) => {
    const updated = await inCreator(async (trx) => {
      await replies.change(deps, trx, creatorId, params.replyId, body, mayChange(trx, creatorId, body));
      return replies.get(trx, creatorId, params.replyId);
    });
    await changed(creatorId);
    return updated;
  });

  serve(app, deps, contract.deleteReply, async ({ creatorId, params, inCreator }) => {
    await inCreator((trx) => replies.remove(deps, trx, creatorId, params.replyId));
    await changed(creatorId);
    return { message: 'Custom Replies deleted.' };
  });
}
