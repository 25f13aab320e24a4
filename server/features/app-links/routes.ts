import type { FastifyInstance } from 'fastify';
import { readAppLink } from '#contract/app-link-reading.ts';
import * as contract from '#contract/app-links.ts';
import type { RouteDeps } from '#server/features/app-deps.ts';
import { amazonRulesOf } from '#server/features/shops/settings.ts';
import { serve } from '#server/http/serve.ts';
import * as appLinks from './app-links.ts';
import { expanded } from './expanding.ts';
import { readAddress } from './reading.ts';

export function registerAppLinks(app: FastifyInstance, deps: RouteDeps): void {
  const changed = (creatorId: string) => deps.live.publish(creatorId, { what: 'links' });
  const inFull = async <T extends Pick<contract.AppLinkInput, 'address' | 'elsewhere'>>(body: T): Promise<T> => ({
    ...body,
    address: await expanded(deps, body.address),
    elsewhere: body.elsewhere && (await expanded(deps, body.elsewhere)),
  });

  serve(app, deps, contract.listAppLinks, ({ creatorId, query, inCreator }) =>
    inCreator((trx) => appLinks.list(deps, trx, creatorId, query)),
  );

  serve(app, deps, contract.getAppLink, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => appLinks.get(deps, trx, creatorId, params.appLinkId)),
  );

  serve(app, deps, contract.createAppLink, async ({ creatorId, body, inCreator }) => {
    const input = await inFull(body);
    const made = await inCreator((trx) => appLinks.create(deps, trx, creatorId, input));
    changed(creatorId);
    return made;
  });

  serve(app, deps, contract.changeAppLink, async ({ creatorId, params, body, signedIn, inCreator }) => {
    const { appLinkId } = params;
    const input = await inFull(body);
    const { link, freed } = await inCreator((trx) =>
      appLinks.change(deps, trx, { creatorId, appLinkId }, input, signedIn.user),
    );
    // The engine keeps the links of automations in memory.
    if (link.usedBy.length > 0) await deps.automationsChanged({ creatorId });
    for (const connectionId of freed) await deps.deliveriesQueued({ creatorId, connectionId });
    changed(creatorId);
    return link;
  });

  serve(app, deps, contract.listAppLinkChanges, async ({ creatorId, params, inCreator }) => ({
    items: await inCreator((trx) => appLinks.listChanges(trx, creatorId, params.appLinkId)),
  }));

  serve(app, deps, contract.getOpeningTest, async ({ creatorId, params: { appLinkId }, inCreator }) => {
    const rules = await deps.openingRules.current();
    return inCreator((trx) => appLinks.openingTest(deps, trx, { creatorId, appLinkId }, rules));
  });

  serve(app, deps, contract.getAppLinkFigures, ({ creatorId, params, inCreator }) =>
    inCreator((trx) => appLinks.figures(deps, trx, creatorId, params.appLinkId)),
  );

  serve(app, deps, readAppLink, async ({ creatorId, body, inCreator }) => {
    const rules = await inCreator((trx) => amazonRulesOf(trx, creatorId));
    return readAddress(deps, { rules, opening: await deps.openingRules.current() }, body.address);
  });
}
