import type { Feature } from '#server/features/app-deps.ts';
import { registerExport } from './routes.ts';

export const feature: Feature = {
  routes: registerExport,
};
