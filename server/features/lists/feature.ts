import * as listFigures from '#contract/list-figures.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { serve } from '#server/http/serve.ts';
import { figuresOfLists } from './list-figures.ts';
import { listJobs } from './pin-changes.ts';
import { registerLists } from './routes.ts';
import { registerShopButton } from './shop-button.ts';

export const feature: Feature = {
  contract: { listFigures },
  jobs: listJobs,
  routes: (app, deps) => {
    registerLists(app, deps);
    registerShopButton(app, deps);
    serve(app, deps, listFigures.getListFigures, ({ creatorId, query, inCreator }) =>
      inCreator((trx) => figuresOfLists(deps, trx, creatorId, query)),
    );
  },
};
