import type { Feature } from '#server/features/app-deps.ts';
import { registerLists } from './routes.ts';

export const feature: Feature = { routes: registerLists };
