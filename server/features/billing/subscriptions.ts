import type { listSubscriptions } from '#contract/billing.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { SubscriptionStatus } from '#contract/plans.ts';
import type { CreatorTransaction } from '#server/db/database.ts';

/** The present one and those that are over, newest first. */
export async function readSubscriptions(trx: CreatorTransaction): Promise<ResponseOf<typeof listSubscriptions>> {
  const present = await trx
    .selectFrom('subscriptions')
    .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .select(['plans.name as plan', 'stripe_subscription_id', 'billing_interval', 'status', 'created_at', 'cancel_at'])
    .execute();
  const past = await trx
    .selectFrom('past_subscriptions')
    .innerJoin('plans', 'plans.id', 'past_subscriptions.plan_id')
    .select(['plans.name as plan', 'stripe_subscription_id', 'billing_interval', 'status', 'began_at', 'ended_at'])
    .orderBy('ended_at', 'desc')
    .limit(100)
    .execute();
  return {
    items: [
      ...present.map(({ created_at, cancel_at, ...row }) => describe(row, created_at, cancel_at)),
      ...past.map(({ began_at, ended_at, ...row }) => describe(row, began_at, ended_at)),
    ],
  };
}

type Row = {
  plan: string;
  stripe_subscription_id: string;
  billing_interval: 'month' | 'year';
  status: SubscriptionStatus;
};

function describe({ plan, ...row }: Row, beganAt: Date, endsAt: Date | null) {
  return {
    ...{ stripeSubscriptionId: row.stripe_subscription_id, plan, interval: row.billing_interval },
    status: row.status,
    ...{ beganAt: beganAt.toISOString(), endsAt: endsAt?.toISOString() ?? null },
  };
}
