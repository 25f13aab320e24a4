import * as newsletters from '#contract/newsletters.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { findBroadcastsAtWork, sendBroadcasts } from './at-work.ts';
import { registerNewsletters } from './routes.ts';
import { makeWeeklyRecipes } from './weekly-recipes.ts';

export const feature: Feature = {
  contract: { newsletters },
  routes: registerNewsletters,
  jobs: [findBroadcastsAtWork, sendBroadcasts, makeWeeklyRecipes],
  holds: {
    broadcasts: { exported: { as: 'newsletters' } },
    newsletter_settings: { exported: { as: 'newsletterSettings' }, requests: 'insert select update' },
  },
};
