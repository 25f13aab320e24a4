import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/prepared-posts.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { listWarnings } from './caption-warnings.ts';
import * as prepared from './prepared-posts.ts';

export function registerPreparedPosts(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'automationsChanged' | 'live'>,
): void {
  const changed = async (creatorId: string) => {
    await deps.automationsChanged({ creatorId });
    deps.live.publish(creatorId, { what: 'automations' });
  };

  serve(app, deps, contract.listPreparedPosts, ({ creatorId, inCreator }) =>
    inCreator((trx) => prepared.list(trx, creatorId)),
  );

  serve(app, deps, contract.attachPreparedPost, async ({ creatorId, params, body, inCreator }) => {
    const answer = await inCreator((trx) => prepared.attach(deps, trx, creatorId, { ...params, ...body }));
    await changed(creatorId);
    return answer;
  });

  serve(app, deps, contract.detachPreparedPost, async ({ creatorId, params, body, inCreator }) => {
    const answer = await inCreator((trx) => prepared.detach(deps, trx, creatorId, { ...params, ...body }));
    await changed(creatorId);
    return answer;
  });

  serve(app, deps, contract.listCaptionWarnings, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => listWarnings(trx, creatorId, query)),
  );
}
