import type { Feature } from '#server/features/app-deps.ts';
import { registerHostedForms } from './routes.ts';

export const feature: Feature = { routes: registerHostedForms };
