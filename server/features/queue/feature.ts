import * as queue from '#contract/queue.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { registerQueue } from './routes.ts';
import { queueJobs } from './stored-forecast.ts';

export const feature: Feature = {
  contract: { queue },
  routes: registerQueue,
  jobs: queueJobs,
  holds: {
    queue_controls: { exported: { leftOut: 'how sending goes this minute' } },
    queue_forecasts: { exported: { leftOut: 'worked out from deliveries' }, account: 'goes' },
  },
};
