import { sql } from 'kysely';
import * as team from '#contract/team.ts';
import { DEAD_SECRETS_DAYS } from '#server/db/holds.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerTeam } from './routes.ts';

export const feature: Feature = {
  contract: { team },
  routes: registerTeam,
  holds: {
    memberships: { exported: { as: 'team' }, requests: 'select update' },
    invites: {
      exported: { as: 'invites', without: ['token_hash'] },
      ages: [{ keep: DEAD_SECRETS_DAYS, at: sql`coalesce(accepted_at, declined_at, revoked_at)` }],
    },
  },
};
