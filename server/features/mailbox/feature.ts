import type { Feature } from '#server/features/app-deps.ts';
import { registerMailbox } from './routes.ts';

export const feature: Feature = {
  routes: registerMailbox,
};
