import * as settings from '#contract/settings.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { deletionJobs } from './deletion.ts';
import { registerSettings } from './routes.ts';

export const feature: Feature = {
  contract: { settings },
  routes: registerSettings,
  jobs: deletionJobs,
  holds: {
    notification_choices: { exported: { as: 'notificationChoices' } },
  },
};
