import * as connections from '#contract/connections.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { connectionJobs } from './jobs.ts';
import { registerConnections } from './routes.ts';

export const feature: Feature = {
  contract: { connections },
  routes: registerConnections,
  jobs: connectionJobs,
  holds: {
    connections: { exported: { as: 'connections', without: ['shard', 'app_scoped_id', 'facebook_user_id'] } },
    tokens: { exported: { leftOut: 'secrets of Meta' } },
    oauth_attempts: {
      exported: { leftOut: 'sign-ins under way, secret' },
      requests: 'nothing',
      ages: [{ keep: 0, at: 'expires_at' }],
    },
  },
};
