import type { Feature } from '#server/features/app-deps.ts';
import { registerLive } from './routes.ts';

export const feature: Feature = {
  routes: registerLive,
};
