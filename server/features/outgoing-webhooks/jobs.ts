import * as z from 'zod/mini';
import { later, type QueuedJob, type RecurringJob } from '#server/db/jobs.ts';
import { findWithDue, type SendingDeps, serve } from './webhook-calls.ts';

export const serveEndpoint: QueuedJob<SendingDeps, { creatorId: string; endpointId: string }> = {
  name: 'send-webhooks',
  payload: z.object({ creatorId: z.uuid(), endpointId: z.uuid() }),
  atOnce: 50,
  run: serve,
};

export const findDueWebhooks: RecurringJob<Pick<SendingDeps, 'db' | 'clock'>> = {
  name: 'find-due-webhooks',
  everyMs: 1_000,
  run: async (deps) => later(deps.db.engine, deps, serveEndpoint, ...(await findWithDue(deps))),
};
