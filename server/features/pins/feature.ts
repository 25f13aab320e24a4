import * as sponsorPins from '#contract/sponsor-pins.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { pinJobs } from './jobs.ts';
import { registerPins } from './routes.ts';

export const feature: Feature = {
  contract: { sponsorPins },
  routes: registerPins,
  jobs: pinJobs,
  holds: {
    sponsor_pins: { exported: { as: 'sponsorPins', without: ['food_keys', 'pages_at'] } },
  },
};
