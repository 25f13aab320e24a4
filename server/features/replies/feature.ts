import * as replies from '#contract/replies.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerReplies } from './routes.ts';

export const feature: Feature = {
  contract: { replies },
  routes: registerReplies,
  holds: {
    replies: { exported: { as: 'replies' } },
  },
};
