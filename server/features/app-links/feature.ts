import * as appLinkReading from '#contract/app-link-reading.ts';
import * as appLinks from '#contract/app-links.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerAppLinks } from './routes.ts';

export const feature: Feature = {
  contract: { appLinkReading, appLinks },
  routes: registerAppLinks,
  holds: {
    app_links: { exported: { as: 'appLinks' } },
    app_link_changes: { exported: { as: 'appLinkChanges' } },
  },
};
