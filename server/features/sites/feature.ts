import * as sites from '#contract/sites.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerSites } from './routes.ts';

export const feature: Feature = {
  contract: { sites },
  routes: registerSites,
  holds: {
    sites: { exported: { as: 'sites', without: ['place', 'signing_key', 'old_signing_key', 'key_id'] } },
  },
};
