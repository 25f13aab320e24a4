import * as interactions from '#contract/interactions.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerInteractions } from './routes.ts';

export const feature: Feature = {
  contract: { interactions },
  routes: registerInteractions,
};
