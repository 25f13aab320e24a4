import * as sites from '#contract/sites.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerSites } from './routes.ts';

const SEALED = ['signing_key', 'old_signing_key', 'next_signing_key', 'dead_signing_key'];
const WITHOUT = ['place', 'key_id', 'stack', ...SEALED];

export const feature: Feature = {
  contract: { sites },
  routes: registerSites,
  holds: {
    sites: { exported: { as: 'sites', without: WITHOUT } },
  },
};
