import * as catchUp from '#contract/catch-up.ts';
import type { Feature } from '#server/features/app-deps.ts';
import { catchUpJobs } from './reconcile.ts';
import { registerCatchUp } from './routes.ts';

export const feature: Feature = {
  contract: { catchUp },
  routes: registerCatchUp,
  jobs: catchUpJobs,
  holds: {
    catch_ups: { exported: { as: 'catchUps' }, ages: [{ keep: 'historyDays', at: 'started_at' }] },
    comment_readings: { exported: { leftOut: 'how far posts have been read' }, account: 'goes' },
    reading_states: { exported: { leftOut: 'how far posts have been read' } },
    unread_messages: {
      exported: { leftOut: 'messages that are being read at Meta; once read they are in interactions' },
      account: 'goes',
      requests: 'nothing',
    },
  },
};
