/** A plan ends at the end of what is paid; until then one call takes that back. */
import type { CancelReason } from '#contract/billing.ts';
import { isInHouse } from '#contract/plans.ts';
import { AppError } from '#server/errors.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import { stripeProblem } from '#server/platforms/stripe/errors.ts';
import { type BillingDeps, fetchSubscription } from './sync.ts';

/**
 * @param wish.ends false: it goes on
 * @throws AppError not_possible_now: there is no plan that is paid for; stripe_unreachable, payments_off
 */
export async function endAtPeriodEnd(
  deps: BillingDeps,
  creatorId: string,
  { ends, reason = null }: { ends: boolean; reason?: CancelReason | null },
): Promise<void> {
  const row = await deps.db.engine
    .selectFrom('subscriptions')
    .select('stripe_subscription_id')
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  if (row === undefined || isInHouse({ stripeSubscriptionId: row.stripe_subscription_id })) {
    throw new AppError('not_possible_now', 'There is no plan that you pay for.');
  }
  const id = row.stripe_subscription_id;
  const params = {
    ...{ id, cancel_at_period_end: ends },
    ...(reason !== null && { cancellation_details: { feedback: reason } }),
  };
  const key = `${ends ? 'cancel' : 'keep'}:${deps.ids.uuid(deps.clock.now())}`;
  await changeStripe(deps, { creatorId, verb: 'change_subscription', params, key });
  await fetchSubscription(deps, creatorId).catch((error) => {
    throw stripeProblem(error);
  });
}
