/** A worker of imports alone, for a test that kills it. Its clock is ahead of the last one's, so that what that held is free. */
import { parentPort } from 'node:worker_threads';
import { systemClock, systemIds } from '#server/clock.ts';
import { connectDatabase } from '#server/db/database.ts';
import { runDue } from '#server/jobs/run-jobs.ts';
import { createGuardedFetch } from '#server/platforms/guarded-fetch.ts';
import { importRecipes } from '../importing.ts';
