import * as keywords from '#contract/keywords.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerKeywords } from './routes.ts';

export const feature: Feature = {
  contract: { keywords },
  routes: registerKeywords,
  holds: {
    keywords: { exported: { as: 'keywords' } },
  },
};
