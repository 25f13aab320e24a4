/** Subscriptions that nobody pays for: the free one of every creator, and those that support gives. */
import type { Transaction } from 'kysely';
import { FREE_PLAN_ID, IN_HOUSE_PREFIX } from '#contract/plans.ts';
import type { Clock, Ids } from '#server/clock.ts';
import type { Tables } from '#server/db/types.ts';
import type { JobDeps } from '#server/features/app-deps.ts';

/** In the place of the one there is. @param trx of the engine's role */
export async function startInHouse(
  trx: Transaction<Tables>,
  { clock, ids }: { clock: Clock; ids: Ids },
  { creatorId, planId = FREE_PLAN_ID, until = null }: { creatorId: string; planId?: string; until?: Date | null },
): Promise<void> {
  const now = clock.now();
  const id = ids.uuid(now);
  await trx.deleteFrom('subscriptions').where('creator_id', '=', creatorId).execute();
  await trx
    .insertInto('subscriptions')
    .values({
      ...{ creator_id: creatorId, id, plan_id: planId, status: 'active', created_at: now, given_until: until },
      // Not bought at Stripe: the prefix says so.
      stripe_subscription_id: IN_HOUSE_PREFIX + id,
    })
    .execute();
}

/** Plans that support gave until now. */
export async function endGiven(deps: Pick<JobDeps, 'db' | 'clock' | 'ids' | 'live'>): Promise<void> {
  const over = await deps.db.engine
    .selectFrom('subscriptions')
    .select('creator_id as creatorId')
    .where('given_until', '<=', deps.clock.now())
    .execute();
  for (const { creatorId } of over) {
    await deps.db.engine.transaction().execute((trx) => startInHouse(trx, deps, { creatorId }));
    deps.live.publish(creatorId, { what: 'account' });
  }
}
