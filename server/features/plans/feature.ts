import type { Feature } from '#server/features/app-deps.ts';
import { registerPlans } from './routes.ts';

export const feature: Feature = { routes: registerPlans };
