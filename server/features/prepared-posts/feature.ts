import * as preparedPosts from '#contract/prepared-posts.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerPreparedPosts } from './routes.ts';

export const feature: Feature = {
  contract: { preparedPosts },
  routes: registerPreparedPosts,
  holds: {
    automation_posts: { exported: { as: 'automationPosts' } },
    prepared_candidates: { exported: { leftOut: 'open questions: which post an automation waits for' } },
  },
};
