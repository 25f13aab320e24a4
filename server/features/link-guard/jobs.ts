import * as z from 'zod/mini';
import { later, type QueuedJob, type RecurringJob } from '#server/db/jobs.ts';
import { type GuardDeps, lookAt, paceLinks } from './link-checks.ts';
import { findDue, findWithAppLinks } from './queries.ts';
import { changeLinksAlone, watchAppLinks } from './watched-links.ts';

const LINKS_AT_ONCE = 50;

const checkLink: QueuedJob<GuardDeps, { creatorId: string; linkId: string }> = {
  name: 'check-link',
  payload: z.object({ creatorId: z.uuid(), linkId: z.uuid() }),
  atOnce: LINKS_AT_ONCE,
  run: lookAt,
};

const findDueLinks: RecurringJob<GuardDeps> = {
  name: 'find-due-links',
  everyMs: 2_000,
  run: async ({ config, db, clock }) => {
    if (!config.linkGuard) return;
    await later(db.engine, { clock }, checkLink, ...(await findDue(db, clock.now(), LINKS_AT_ONCE)));
  },
};

const pace: RecurringJob<GuardDeps> = { name: 'pace-links', everyMs: 60_000, run: paceLinks };

const watchFollowed: RecurringJob<GuardDeps> = {
  name: 'watch-app-links',
  everyMs: 6 * 3_600_000,
  run: async ({ config, db, clock, ids }) => {
    if (!config.linkGuard) return;
    for (const creatorId of await findWithAppLinks(db)) {
      await db.withCreator(creatorId, async (trx) => {
        await changeLinksAlone(trx, creatorId);
        await watchAppLinks({ clock, ids }, trx, creatorId);
      });
    }
  },
};

export const linkGuardJobs = [checkLink, findDueLinks, pace, watchFollowed];
