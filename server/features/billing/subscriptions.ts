import type { listSubscriptions } from '#contract/billing.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { isInHouse, type Standing, type SubscriptionStatus, standingOf } from '#contract/plans.ts';
import type { Clock } from '#server/clock.ts';
import type { CreatorTransaction, Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';

type Deps = { db: Pick<Database, 'engine'>; clock: Clock };

/** The subscription at Stripe, as our copy has it; null for one that nobody pays for. */
export async function findBought({ db, clock }: Deps, creatorId: string) {
  const row = await db.engine
    .selectFrom('subscriptions')
    .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .selectAll('subscriptions')
    .select('plans.name as plan')
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  if (row === undefined || isInHouse({ stripeSubscriptionId: row.stripe_subscription_id })) return null;
  return { ...row, standing: standingOfRow(row, clock.now()) };
}

/** @throws AppError not_possible_now: there is no plan that they pay for */
export async function needBought(deps: Deps, creatorId: string) {
  const bought = await findBought(deps, creatorId);
  if (bought === null) throw new AppError('not_possible_now', 'There is no plan that you pay for.');
  return bought;
}

/** @throws AppError not_possible_now: the creator is to be deleted, and their plan ends with them */
export async function refuseLeaving({ db }: Pick<Deps, 'db'>, creatorId: string): Promise<void> {
  const leaving = await db.engine
    .selectFrom('creators')
    .select('id')
    .where('id', '=', creatorId)
    .where('delete_at', 'is not', null)
    .executeTakeFirst();
  if (leaving === undefined) return;
  throw new AppError('not_possible_now', 'This account is to be deleted. Keep it first, in Settings, Creator.');
}

type StandingRow = {
  status: SubscriptionStatus;
  plan_id: string;
  stripe_subscription_id: string;
  cancel_at: Date | null;
  late_since: Date | null;
};

export function standingOfRow(row: StandingRow, now: Date): Standing {
  return standingOf(
    {
      ...{ status: row.status, planId: row.plan_id, stripeSubscriptionId: row.stripe_subscription_id },
      ...{ cancelAt: row.cancel_at, lateSince: row.late_since },
    },
    now,
  );
}

/** No plan of Stripe’s has ended before: trials and refunds are for the first. */
export async function isFirstPlan({ db }: Pick<Deps, 'db'>, creatorId: string): Promise<boolean> {
  const past = await db.engine
    .selectFrom('past_subscriptions')
    .select('stripe_subscription_id')
    .where('creator_id', '=', creatorId)
    .where('status', '=', 'canceled')
    .executeTakeFirst();
  return past === undefined;
}

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
