import type { Feature } from '#server/features/app-deps.ts';
import { wakingJobs } from './awake-posts.ts';
import { registerWakingPosts } from './routes.ts';

export const feature: Feature = {
  routes: registerWakingPosts,
  jobs: wakingJobs,
  holds: {
    waking_posts: { exported: { leftOut: 'worked out from interactions' } },
  },
};
