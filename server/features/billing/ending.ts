/** A plan ends at the end of what is paid, and one call takes that back; in its first days it can be given back. */
import * as z from 'zod/mini';
import type { CancelReason } from '#contract/billing.ts';
import { IN_HOUSE_PREFIX, refundUntil } from '#contract/plans.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import { AppError } from '#server/errors.ts';
import type { JobDeps } from '#server/features/app-deps.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import type { StripeParams } from '#server/platforms/stripe/client.ts';
import { askStripe } from '#server/platforms/stripe/errors.ts';
import type { BillingDeps } from './billing-deps.ts';
import { giveBack } from './giving-back.ts';
import { tellEnding, tellRefunded } from './mails.ts';
import { releaseSchedule } from './price-changes.ts';
import { findBought, isFirstPlan, needBought, refuseLeaving } from './subscriptions.ts';
import { fetchSubscription } from './sync.ts';

type EndingDeps = BillingDeps & { config: { refundDays: number } };

/**
 * A change that was planned ends with it.
 *
 * @throws AppError not_possible_now: there is no plan that is paid for; stripe_unreachable, payments_off
 */
export async function cancelPlan(deps: EndingDeps, creatorId: string, reason: CancelReason | null): Promise<void> {
  const { stripe_subscription_id: id, schedule_id, cancel_at } = await needBought(deps, creatorId);
  await releaseSchedule(deps, creatorId, schedule_id);
  const params = {
    ...{ id, cancel_at_period_end: true },
    ...(reason !== null && { cancellation_details: { feedback: reason } }),
  };
  await changeStripe(deps, { creatorId, verb: 'change_subscription', params, key: keyOf(deps, 'cancel') });
  await askStripe(fetchSubscription(deps, creatorId));
  if (cancel_at === null) await tellEnding(deps, creatorId);
}

/**
 * Takes back that it ends, or changes to another plan.
 *
 * @throws AppError not_possible_now: there is no plan that is paid for; stripe_unreachable, payments_off
 */
export async function keepPlan(deps: BillingDeps, creatorId: string): Promise<void> {
  await refuseLeaving(deps, creatorId);
  const bought = await needBought(deps, creatorId);
  const { stripe_subscription_id: id, schedule_id, cancel_at, current_period_end } = bought;
  await releaseSchedule(deps, creatorId, schedule_id);
  if (cancel_at !== null || schedule_id === null) {
    // An end at another moment was set by hand, or with the end of the creator.
    const isOther = cancel_at !== null && cancel_at.getTime() !== current_period_end?.getTime();
    const params = { id, ...(isOther ? { cancel_at: '' as const } : { cancel_at_period_end: false }) };
    await changeStripe(deps, { creatorId, verb: 'change_subscription', params, key: keyOf(deps, 'keep') });
  }
  await askStripe(fetchSubscription(deps, creatorId));
}

/**
 * Ends it now, and gives back all that was paid for it.
 *
 * @throws AppError not_possible_now: none is paid for, or its first days are over; stripe_unreachable, payments_off
 */
export async function refundPlan(deps: EndingDeps, creatorId: string): Promise<void> {
  const bought = await needBought(deps, creatorId);
  const { stripe_subscription_id: id } = bought;
  const until = refundUntil(bought, { days: deps.config.refundDays, isFirst: await isFirstPlan(deps, creatorId) });
  if (until === null || deps.clock.now() >= until) {
    throw new AppError('not_possible_now', 'The days for a refund are over. You can cancel the plan instead.');
  }
  await giveBack(deps, { creatorId, id, key: 'refund' });
  await askStripe(fetchSubscription(deps, creatorId));
  await tellRefunded(deps, creatorId, bought.plan);
}

/** In the metadata at Stripe: it was not the owners' wish about the plan. */
const ENDS_WITH = 'chq_ends_with';

/** Follows what becomes of a creator: where they are to be deleted nothing is paid after it; where they stay it goes on. */
export const followDeletion: QueuedJob<JobDeps, { creatorId: string }> = {
  name: 'end-plan-with-creator',
  payload: z.object({ creatorId: z.string() }),
  atOnce: 1,
  run: async (deps, { creatorId }) => {
    if (deps.stripe !== null) await endWithCreator({ ...deps, stripe: deps.stripe }, creatorId);
  },
};

/** Also for the moment of the deletion, when the plan has to be over. @throws what Stripe's library throws; AppError as `changeStripe` */
export async function endWithCreator(deps: BillingDeps, creatorId: string): Promise<void> {
  // They may have paid, or changed their mind, a moment ago.
  await fetchSubscription(deps, creatorId);
  const bought = await findBought(deps, creatorId);
  const creator = await deps.db.engine
    .selectFrom('creators')
    .select('delete_at')
    .where('id', '=', creatorId)
    .executeTakeFirst();
  if (bought === null || creator === undefined) return;
  const { stripe_subscription_id: id, cancel_at: endsAt } = bought;
  const change = async (params: StripeParams<'change_subscription'>) => {
    await changeStripe(deps, { creatorId, verb: 'change_subscription', params, key: keyOf(deps, 'deletion') });
    await fetchSubscription(deps, creatorId);
  };
  const { delete_at: deleteAt } = creator;
  if (deleteAt === null) {
    const { metadata } = await deps.stripe.subscription(id);
    if (metadata[ENDS_WITH] !== undefined) await change({ id, cancel_at: '', metadata: { [ENDS_WITH]: '' } });
  } else if (deleteAt <= deps.clock.now()) {
    await changeStripe(deps, { creatorId, verb: 'end_subscription', params: { id }, key: `deleted:${id}` });
    await fetchSubscription(deps, creatorId);
  } else if (endsAt === null) {
    await releaseSchedule(deps, creatorId, bought.schedule_id);
    const cancelAt = Math.floor(deleteAt.getTime() / 1000);
    await change({ id, cancel_at: cancelAt, proration_behavior: 'none', metadata: { [ENDS_WITH]: 'deletion' } });
  }
}

/** Bought or kept on a page that knew nothing of the deletion, or at Stripe by hand. */
export async function markLeaving({ db, clock }: Pick<BillingDeps, 'db' | 'clock'>): Promise<void> {
  const payers = await db.engine
    .selectFrom('subscriptions')
    .innerJoin('creators', 'creators.id', 'subscriptions.creator_id')
    .select('creator_id as creatorId')
    .where('delete_at', 'is not', null)
    .where('cancel_at', 'is', null)
    .where('stripe_subscription_id', 'not like', `${IN_HOUSE_PREFIX}%`)
    .execute();
  await later(db.engine, { clock }, followDeletion, ...payers);
}

function keyOf({ ids, clock }: BillingDeps, what: string): string {
  return `${what}:${ids.uuid(clock.now())}`;
}
