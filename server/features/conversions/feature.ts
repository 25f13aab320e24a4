import * as conversions from '#contract/conversions.ts';
import type { QueuedJob } from '#server/db/jobs.ts';
import type { Feature, JobDeps } from '#server/features/app-deps.ts';
import { MAKE_LINKS, makeSome } from './conversions.ts';
import { registerConversions } from './routes.ts';

const makeLinks: QueuedJob<JobDeps, { creatorId: string }> = {
  ...MAKE_LINKS,
  atOnce: 2,
  async run(deps, { creatorId }) {
    for (let isMore = true; isMore; ) {
      isMore = await makeSome(deps, creatorId);
      deps.live.publish(creatorId, { what: 'links' });
    }
  },
};

export const feature: Feature = {
  contract: { conversions },
  routes: registerConversions,
  jobs: [makeLinks],
  holds: { conversions: { exported: { as: 'conversions' }, requests: 'insert select update' } },
};
