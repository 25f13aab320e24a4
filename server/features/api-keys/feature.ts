import { DEAD_SECRETS_DAYS } from '#server/db/holds.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerApiKeys } from './routes.ts';

export const feature: Feature = {
  routes: registerApiKeys,
  holds: {
    api_keys: {
      exported: { as: 'apiKeys', without: ['key_hash'] },
      ages: [{ keep: DEAD_SECRETS_DAYS, at: 'ended_at' }],
    },
  },
};
