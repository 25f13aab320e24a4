import type { FastifyInstance } from 'fastify';
import { readAppLink } from '#contract/app-link-reading.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { amazonRulesOf } from '#server/features/shops/settings.ts';
import { serve } from '#server/http/serve.ts';
import { readAddress } from './reading.ts';

export function registerAppLinks(app: FastifyInstance, deps: RouteDeps): void {
  serve(app, deps, readAppLink, async ({ creatorId, body, inCreator }) => {
    const rules = await inCreator((trx) => amazonRulesOf(trx, creatorId));
    return readAddress(deps, { rules, opening: await deps.openingRules.current() }, body.address);
  });
}
