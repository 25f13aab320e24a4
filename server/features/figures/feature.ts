import * as figures from '#contract/figures.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { comparisonJobs } from './comparison.ts';
import { registerFigures } from './routes.ts';

export const feature: Feature = {
  contract: { figures },
  routes: registerFigures,
  jobs: comparisonJobs,
};
