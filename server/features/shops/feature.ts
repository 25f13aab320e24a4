import * as amazonRules from '#contract/amazon-rules.ts';
import * as shops from '#contract/shops.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { shopJobs } from './jobs.ts';
import { registerShops } from './routes.ts';

/** No page of a shop lives longer than a year; one that was not opened for so long is made anew at the next tap. */
const PAGES_DAYS = 400;

export const feature: Feature = {
  contract: { shops, amazonRules },
  routes: registerShops,
  jobs: shopJobs,
  holds: {
    shop_settings: {
      exported: { as: 'shopSettings', without: ['instacart_secret'] },
      requests: 'insert select update',
    },
    shop_pages: {
      exported: { leftOut: 'pages at shops, made again of the recipes when their lists are opened' },
      requests: 'insert select update',
      ages: [{ keep: PAGES_DAYS, at: 'used_at' }],
    },
  },
};
