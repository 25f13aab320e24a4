import type { Feature } from '#server/features/app-deps.ts';
import { registerReplay } from './routes.ts';

export const feature: Feature = {
  routes: registerReplay,
};
