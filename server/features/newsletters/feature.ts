import * as newsletters from '#contract/newsletters.ts';
import * as welcomeSeries from '#contract/welcome-series.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { findBroadcastsAtWork, sendBroadcasts } from './at-work.ts';
import { registerNewsletters } from './routes.ts';
import { makeWeeklyRecipes } from './weekly-recipes.ts';
import { goOnWithWelcomes } from './welcome-series.ts';

export const feature: Feature = {
  contract: { newsletters, welcomeSeries },
  routes: registerNewsletters,
  jobs: [findBroadcastsAtWork, sendBroadcasts, makeWeeklyRecipes, goOnWithWelcomes],
  holds: {
    broadcasts: { exported: { as: 'newsletters' } },
    welcome_runs: {
      exported: { as: 'welcomeRuns' },
      person: { rows: 'contact_id', copied: { as: 'welcome_series', named: ['contact_id'] } },
      // They go with their contacts.
      account: 'stays',
      ages: [],
    },
    welcome_mails: { exported: { as: 'welcomeMails' } },
    newsletter_settings: { exported: { as: 'newsletterSettings' }, requests: 'insert select update' },
  },
};
