import { sql } from 'kysely';
import * as apiTokens from '#contract/api-tokens.ts';
import { DEAD_SECRETS_DAYS } from '#server/db/holds.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerApiTokens } from './routes.ts';

export const feature: Feature = {
  contract: { apiTokens },
  routes: registerApiTokens,
  holds: {
    api_tokens: {
      exported: { as: 'apiTokens', without: ['token_hash'] },
      ages: [{ keep: DEAD_SECRETS_DAYS, at: sql`least(revoked_at, expires_at)` }],
    },
    idempotency_keys: { exported: { leftOut: 'answers that were given already, secret' } },
  },
};
