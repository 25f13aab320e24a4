import type { Feature } from '#server/features/app-deps.ts';

export const feature: Feature = {
  holds: {
    blog_posts: { exported: { as: 'blogPosts', without: ['url_key', 'has_given'] } },
  },
};
