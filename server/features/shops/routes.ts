import type { FastifyInstance } from 'fastify';
import { changeAmazonRules, getAmazonRules } from '#contract/amazon-rules.ts';
import * as contract from '#contract/shops.ts';
import type { AppDeps } from '#server/features/app-deps.ts';
import { type ServeDeps, serve } from '#server/http/serve.ts';
import { amazonRulesOf, changeAmazonRulesOf, changeInstacartOf, changeShoppingOf, getShopping } from './settings.ts';
import { tryShop } from './trying.ts';

type Deps = ServeDeps & Pick<AppDeps, 'config' | 'ids' | 'keys' | 'live' | 'log'>;

export function registerShops(app: FastifyInstance, deps: Deps): void {
  const changed = (creatorId: string) => deps.live.publish(creatorId, { what: 'account' });

  serve(app, deps, contract.getShopping, ({ creatorId, inCreator }) =>
    inCreator((trx) => getShopping(deps, trx, creatorId)),
  );

  serve(app, deps, contract.changeShopping, async ({ creatorId, body, inCreator }) => {
    const settings = await inCreator((trx) => changeShoppingOf(deps, trx, creatorId, body));
    changed(creatorId);
    return settings;
  });

  serve(app, deps, contract.changeInstacart, async ({ creatorId, body, inCreator }) => {
    const settings = await inCreator((trx) => changeInstacartOf(deps, trx, creatorId, body));
    changed(creatorId);
    return settings;
  });

  serve(app, deps, getAmazonRules, ({ creatorId, inCreator }) => inCreator((trx) => amazonRulesOf(trx, creatorId)));

  serve(app, deps, changeAmazonRules, async ({ creatorId, body, inCreator }) => {
    await inCreator((trx) => changeAmazonRulesOf(deps, trx, creatorId, body));
    changed(creatorId);
    return body;
  });

  serve(app, deps, contract.testShop, async ({ creatorId, body }) => {
    const tried = await tryShop(deps, creatorId, body.shop);
    changed(creatorId);
    return tried;
  });
}
