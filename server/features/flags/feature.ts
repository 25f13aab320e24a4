import * as flags from '#contract/flags.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerFlags } from './routes.ts';

export const feature: Feature = {
  contract: { flags },
  routes: registerFlags,
  holds: {
    flag_values: { exported: { leftOut: 'settings of this installation' }, requests: 'nothing' },
  },
};
