import type { Feature } from '#server/features/app-deps.ts';
import { registerWakingPosts } from './routes.ts';
import { wakingJobs } from './waking.ts';

export const feature: Feature = {
  routes: registerWakingPosts,
  jobs: wakingJobs,
  holds: {
    waking_posts: { exported: { leftOut: 'worked out from interactions' } },
  },
};
