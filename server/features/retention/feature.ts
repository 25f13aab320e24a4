import type { Feature } from '#server/features/app-deps.ts';
import { retentionJobs } from './forget-old.ts';
import { registerRetention } from './routes.ts';

export const feature: Feature = {
  routes: registerRetention,
  jobs: retentionJobs,
  holds: {
    retention_choices: { exported: { as: 'retentionChoices' } },
  },
};
