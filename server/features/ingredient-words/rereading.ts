/** After a word was taught, changed or forgotten, what recipes count of their lines is worked out again. Lists read lines when opened. */
import * as z from 'zod/mini';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import type { LiveUpdates } from '#server/features/live/live-updates.ts';
import { countAgain } from '#server/features/recipes/ingredients.ts';

type Deps = { db: Pick<Database, 'withCreator'>; live: Pick<LiveUpdates, 'publish'> };

const RECIPES_AT_ONCE = 100;

export const readRecipesAgain: QueuedJob<Deps, { creatorId: string }> = {
  name: 'read-recipes-again',
  payload: z.object({ creatorId: z.uuid() }),
  atOnce: 2,
  async run({ db, live }, { creatorId }) {
    let after: string | null = null;
    do {
      after = await db.withCreator(creatorId, (trx) => countAgain(trx, creatorId, after, RECIPES_AT_ONCE));
    } while (after !== null);
    live.publish(creatorId, { what: 'automations' });
  },
};

/** In the transaction of the change. */
export function readRecipesAgainLater(
  deps: { clock: Pick<Clock, 'now'> },
  trx: CreatorTransaction,
  creatorId: string,
): Promise<void> {
  return later(trx, deps, readRecipesAgain, { creatorId });
}
