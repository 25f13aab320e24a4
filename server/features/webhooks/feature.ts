import type { Feature } from '#server/features/app-deps.ts';
import { registerWebhooks } from './routes.ts';

export const feature: Feature = {
  routes: registerWebhooks,
};
