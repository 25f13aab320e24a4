import * as z from 'zod/mini';
import { later, type QueuedJob, type RecurringJob } from '#server/db/jobs.ts';
import { type GuardDeps, lookAt, paceLinks } from './link-checks.ts';
import { findDue } from './queries.ts';

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

export const linkGuardJobs = [checkLink, findDueLinks, pace];
