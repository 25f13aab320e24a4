import * as session from '#contract/session.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { peopleJobs } from './expired-rows.ts';
import { registerPeople } from './routes.ts';

export const feature: Feature = {
  contract: { session },
  routes: registerPeople,
  jobs: peopleJobs,
};
