import * as plugin from '#contract/plugin.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerPluginCalls } from './routes.ts';

export const feature: Feature = {
  contract: { plugin },
  routes: registerPluginCalls,
};
