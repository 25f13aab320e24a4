import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/figures.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { compare, compareAgain } from './comparison.ts';
import { figuresByDay } from './figures.ts';

export function registerFigures(
  app: FastifyInstance,
  deps: ServeDeps & Pick<AppDeps, 'automationsChanged' | 'live'>,
): void {
  serve(app, deps, contract.getFigures, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => figuresByDay(deps, trx, creatorId, query)),
  );

  serve(app, deps, contract.getComparison, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => compare(trx, creatorId, params.automationId)),
  );

  serve(app, deps, contract.compareAgain, async ({ creatorId, params, inCreator }) => {
    const comparison = await inCreator((trx) => compareAgain(deps, trx, creatorId, params.automationId));
    await deps.automationsChanged({ creatorId });
    deps.live.publish(creatorId, { what: 'automations' });
    return comparison;
  });
}
