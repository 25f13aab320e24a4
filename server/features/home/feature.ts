import * as home from '#contract/home.ts';
import * as homeNotices from '#contract/home-notices.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerHome } from './routes.ts';

export const feature: Feature = {
  contract: { home, homeNotices },
  routes: registerHome,
};
