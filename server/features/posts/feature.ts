import * as posts from '#contract/posts.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { keepPicture } from './pictures.ts';
import { postJobs } from './post-sync.ts';
import { registerPosts } from './routes.ts';

export const feature: Feature = {
  contract: { posts },
  routes: registerPosts,
  jobs: [...postJobs, keepPicture],
  holds: {
    post_pictures: {
      exported: { leftOut: 'pictures, not text; the posts themselves are on Instagram' },
      requests: 'select',
    },
    posts: { exported: { as: 'posts', without: ['caption_key'] }, account: 'goes', comesLate: true },
  },
};
