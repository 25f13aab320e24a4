import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/link-guard.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import * as linkGuard from './link-guard.ts';

export function registerLinkGuard(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'automationsChanged' | 'config' | 'deliveriesQueued' | 'live'>,
): void {
  serve(app, deps, contract.listLinkChecks, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => linkGuard.list(deps, trx, creatorId, query)),
  );

  serve(app, deps, contract.checkLinkAgain, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => linkGuard.lookAgain(deps, trx, creatorId, params.linkCheckId)),
  );

  serve(app, deps, contract.getLinkPlan, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => linkGuard.getPlan(trx, creatorId, params.automationId)),
  );

  serve(app, deps, contract.changeLinkPlan, async ({ creatorId, params, body, inCreator }) => {
    const { plan, freed } = await inCreator((trx) =>
      linkGuard.changePlan(deps, trx, creatorId, params.automationId, body),
    );
    await deps.automationsChanged({ creatorId });
    for (const connectionId of freed) await deps.deliveriesQueued({ creatorId, connectionId });
    deps.live.publish(creatorId, { what: 'links' });
    return plan;
  });
}
