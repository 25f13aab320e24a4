import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/conversions.ts';
import { later } from '#server/db/jobs.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { serve } from '#server/http/serve.ts';
import * as conversions from './conversions.ts';

/** The plugin asks from time to time; nobody can call it. */
const SOON = 'Your blog shows it within 15 minutes.';

export function registerConversions(app: FastifyInstance, deps: RouteDeps): void {
  const changed = (creatorId: string) => deps.live.publish(creatorId, { what: 'links' });

  serve(app, deps, contract.getConversions, ({ creatorId, inCreator }) =>
    inCreator((trx) => conversions.describe(deps, trx, creatorId)),
  );

  serve(app, deps, contract.listConversions, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => conversions.list(deps, trx, creatorId, query)),
  );

  serve(app, deps, contract.applyConversions, async ({ creatorId, inCreator }) => {
    await inCreator(async (trx) => {
      await conversions.requireSomeToMake(trx, creatorId);
      await later(trx, deps, conversions.MAKE_LINKS, { creatorId });
    });
    changed(creatorId);
    return { message: `Making the short links. ${SOON}` };
  });

  serve(app, deps, contract.switchConversions, async ({ creatorId, body, inCreator }) => {
    await inCreator((trx) => conversions.switchTo(trx, creatorId, body));
    changed(creatorId);
    return { message: body.on ? `Short links are shown again. ${SOON}` : `The old links are shown again. ${SOON}` };
  });
}
