import * as linkGuard from '#contract/link-guard.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { linkGuardJobs } from './jobs.ts';
import { registerLinkGuard } from './routes.ts';

export const feature: Feature = {
  contract: { linkGuard },
  routes: registerLinkGuard,
  jobs: linkGuardJobs,
  holds: {
    watched_links: { exported: { leftOut: 'what was found at addresses of automations, looked at again and again' } },
    link_uses: { exported: { leftOut: 'worked out from automations' } },
  },
};
