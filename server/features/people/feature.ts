import * as session from '#contract/session.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerPeople } from './routes.ts';
import { peopleJobs } from './tidying.ts';

export const feature: Feature = {
  contract: { session },
  routes: registerPeople,
  jobs: peopleJobs,
};
