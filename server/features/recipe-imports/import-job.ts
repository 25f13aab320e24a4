import * as z from 'zod/mini';
import type { LiveEvent } from '#contract/interactions.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import type { GuardedFetch } from '#server/platforms/guarded-fetch.ts';

export type Whose = { creatorId: string; importId: string };

export type RecipeImportDeps = {
  db: Database;
  clock: Clock;
  ids: Ids;
  config: Pick<Config, 'baseUrl'>;
  fetching: GuardedFetch;
  live: { publish(creatorId: string, event: LiveEvent): void };
};
/** Its name and payload apart from its work, which needs what queues it. */
export const IMPORT_JOB = {
  name: 'import-recipes',
  payload: z.object({ creatorId: z.uuid(), importId: z.uuid() }),
};
