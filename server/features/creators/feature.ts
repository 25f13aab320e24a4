import * as creators from '#contract/creators.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerCreators } from './routes.ts';

export const feature: Feature = {
  contract: { creators },
  routes: registerCreators,
};
