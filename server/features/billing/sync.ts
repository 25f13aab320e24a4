/**
 * Our copy of what Stripe says of a creator's subscriptions: always fetched, never read out of an event (decision 0045). Events,
 * answers to our calls, people who wait and the clock all lead to the same fetch.
 */
import { sql, type Transaction } from 'kysely';
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { IN_HOUSE_PREFIX, isInHouse } from '#contract/plans.ts';
import { later, type QueuedJob } from '#server/db/jobs.ts';
import type { Tables } from '#server/db/types.ts';
import type { AppDeps, JobDeps } from '#server/features/app-deps.ts';
import { markOwnMembers } from '#server/features/fans/events.ts';
import { forgetPayers } from '#server/features/fans/forgetting.ts';
import { connectEventOf, customerOf } from '#server/platforms/stripe/client.ts';
import { askStripe, failureOf } from '#server/platforms/stripe/errors.ts';
import type { BillingDeps } from './billing-deps.ts';
import { followLimit } from './follower-limit.ts';
import { giveBack } from './giving-back.ts';
import { startInHouse } from './in-house.ts';
import { tellDuplicate } from './mails.ts';
import { type Mirror, type Price, project, waitingIntents } from './project.ts';

/** Marks that something changed: however often, one fetch follows what is under way. */
export const syncSubscription: QueuedJob<JobDeps, { creatorId: string; isCheck?: true | undefined }> = {
  name: 'sync-subscription',
  payload: z.object({ creatorId: z.string(), isCheck: z.optional(z.literal(true)) }),
  atOnce: 4,
  run: async (deps, { creatorId, ...options }) => {
    if (deps.stripe !== null) await fetchSubscription({ ...deps, stripe: deps.stripe }, creatorId, options);
  },
};

/**
 * Fetches and writes what Stripe says now.
 *
 * @param options.isCheck nothing was told: what differs is a copy repaired
 * @throws what Stripe's library throws when it cannot be reached
 */
export async function fetchSubscription(
  deps: BillingDeps,
  creatorId: string,
  { isCheck }: { isCheck?: true | undefined } = {},
): Promise<void> {
  const begun = await deps.db.engine
    .updateTable('stripe_customers')
    .set((eb) => ({ fetches_begun: eb('fetches_begun', '+', 1) }))
    .where('creator_id', '=', creatorId)
    .returning(['customer_id', 'fetches_begun'])
    .executeTakeFirst();
  if (begun === undefined) return;
  const truth = await deps.stripe.subscriptionsOf(begun.customer_id).catch((error) => {
    // Somebody deleted the customer at Stripe, and with it every subscription.
    if (failureOf(error) === 'gone') return [];
    throw error;
  });
  const causes = await findCauses(deps, truth);
  const mirror = await deps.db.engine.transaction().execute(async (trx) => {
    const written = await trx
      .updateTable('stripe_customers')
      .set({ fetch_written: begun.fetches_begun, synced_at: deps.clock.now() })
      .where('creator_id', '=', creatorId)
      // The fence: what began before another that is written already knows less.
      .where('fetch_written', '<', begun.fetches_begun)
      .executeTakeFirst();
    if (written.numUpdatedRows === 0n) return null;
    const prices = await findPrices(trx);
    const projected = project(truth, (id) => prices.get(id), causes);
    const before = isCheck && (await readCopy(trx, creatorId));
    await write(trx, deps, creatorId, projected);
    if (isCheck && (await readCopy(trx, creatorId)) !== before) await noteRepair(trx, deps, creatorId);
    await later(trx, deps, endSecond, ...projected.surplus.map((subscription) => ({ creatorId, subscription })));
    return projected;
  });
  if (mirror === null) return;
  await followLimit(deps, creatorId);
  deps.live.publish(creatorId, { what: 'account' });
  if (mirror.unknown.length > 0) {
    deps.log.warn(
      { creatorId, subscriptions: mirror.unknown },
      'subscriptions at prices that are not ours change no plan',
    );
  }
}

/** Two owners paid at the same time: the older stays, the second is ended, given back and told, whatever breaks in between. */
export const endSecond: QueuedJob<JobDeps, { creatorId: string; subscription: string }> = {
  name: 'end-second-subscription',
  payload: z.object({ creatorId: z.string(), subscription: z.string() }),
  atOnce: 2,
  run: async ({ stripe, ...jobDeps }, { creatorId, subscription: id }) => {
    if (stripe === null) return;
    const deps = { ...jobDeps, stripe };
    const callKey = await giveBack(deps, { creatorId, id, key: 'dup' });
    deps.log.warn({ creatorId, stripeSubscriptionId: id }, 'a second subscription was ended and given back');
    await tellDuplicate(deps, creatorId, callKey);
    await later(deps.db.engine, deps, syncSubscription, { creatorId });
  },
};

/** For whoever waits, at most once in two seconds. @throws AppError stripe_unreachable, payments_off */
export async function refreshSubscription(deps: BillingDeps, creatorId: string): Promise<void> {
  const known = await deps.db.engine
    .selectFrom('stripe_customers')
    .select('synced_at')
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  const askedAt = known?.synced_at?.getTime() ?? 0;
  if (deps.clock.now().getTime() - askedAt >= ASK_EVERY_MS) await askStripe(fetchSubscription(deps, creatorId));
}

/** Why payments that were tried did not go through, by their intent. */
export async function findCauses(
  { stripe }: BillingDeps,
  truth: readonly Stripe.Subscription[],
): Promise<Map<string, string>> {
  const causes = new Map<string, string>();
  for (const intent of truth.flatMap(waitingIntents)) {
    const cause = await stripe.causeOf(intent);
    if (cause !== null) causes.set(intent, cause);
  }
  return causes;
}

/** What Stripe has a say in. */
async function readCopy(trx: Transaction<Tables>, creatorId: string): Promise<string> {
  const present = await trx
    .selectFrom('subscriptions')
    .select(['stripe_subscription_id', 'stripe_price_id', 'status', 'cancel_at', 'current_period_end', 'trial_end'])
    .select(['late_since', 'pay_needed', 'schedule_id', 'next_plan_id', 'next_interval', 'next_at'])
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  return JSON.stringify(present ?? null);
}

async function noteRepair(trx: Transaction<Tables>, { clock, log }: BillingDeps, creatorId: string): Promise<void> {
  await trx
    .updateTable('stripe_customers')
    .set({ repaired_at: clock.now() })
    .where('creator_id', '=', creatorId)
    .execute();
  log.warn({ creatorId }, 'a copy of a subscription was other than Stripe, and no event had told');
}

async function findPrices(trx: Transaction<Tables>): Promise<Map<string, Price>> {
  const rows = await trx
    .selectFrom('plan_prices')
    .select(['stripe_price_id', 'plan_id', 'billing_interval'])
    .where('stripe_price_id', 'is not', null)
    .execute();
  return new Map(
    rows.map(({ stripe_price_id, plan_id, billing_interval }) => [
      stripe_price_id!,
      { planId: plan_id, interval: billing_interval as Price['interval'] },
    ]),
  );
}

async function write(trx: Transaction<Tables>, deps: BillingDeps, creatorId: string, mirror: Mirror): Promise<void> {
  const { current, past } = mirror;
  const present = await trx
    .selectFrom('subscriptions')
    .select('stripe_subscription_id')
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  if (current !== null) {
    const values = {
      ...{ plan_id: current.planId, billing_interval: current.interval, status: current.status },
      ...{ stripe_subscription_id: current.stripeSubscriptionId, stripe_price_id: current.stripePriceId },
      ...{ cancel_at: current.cancelAt, canceled_at: current.canceledAt, created_at: current.beganAt },
      ...{ current_period_end: current.currentPeriodEnd, trial_end: current.trialEnd, late_since: current.lateSince },
      ...{ schedule_id: current.scheduleId, next_plan_id: current.next?.planId ?? null },
      ...{ next_interval: current.next?.interval ?? null, next_at: current.next?.at ?? null },
      ...{ pay_needed: current.payNeeded, retry_at: current.retryAt, given_until: null },
      // Mails about the next failure begin anew.
      ...(current.lateSince === null && { late_mails: 0 }),
      ...(current.status !== 'trialing' && { trial_mails: 0 }),
    };
    await trx
      .insertInto('subscriptions')
      .values({ creator_id: creatorId, id: deps.ids.uuid(deps.clock.now()), ...values })
      .onConflict((conflict) => conflict.column('creator_id').doUpdateSet(values))
      .execute();
  } else if (present === undefined || !isInHouse({ stripeSubscriptionId: present.stripe_subscription_id })) {
    await startInHouse(trx, deps, { creatorId });
  }
  if (past.length === 0) return;
  await trx
    .insertInto('past_subscriptions')
    .values(
      past.map((one) => ({
        ...{ creator_id: creatorId, stripe_subscription_id: one.stripeSubscriptionId, plan_id: one.planId },
        ...{ billing_interval: one.interval, status: one.status, began_at: one.beganAt, ended_at: one.endedAt },
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['creator_id', 'stripe_subscription_id']).doUpdateSet((eb) => ({
        plan_id: eb.ref('excluded.plan_id'),
        billing_interval: eb.ref('excluded.billing_interval'),
        status: eb.ref('excluded.status'),
        ended_at: eb.ref('excluded.ended_at'),
      })),
    )
    .execute();
}

/** A page that waits for a payment asks at most so often. */
export const ASK_EVERY_MS = 2_000;
const NIGHTLY_MS = 24 * 3_600_000;
const MOST_A_ROUND = 800;

/**
 * Marks whom time alone may have changed: whose period, trial or plan ended in the last two hours (a renewal is charged an hour
 * after its period [S]), and everybody once a day.
 * Without any event our copy is late by a quarter of an hour where a date is known, and by a day elsewhere.
 */
export async function markDue({ db, clock }: Pick<BillingDeps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const { rows } = await sql<{ creatorId: string }>`
    select c.creator_id as "creatorId" from stripe_customers c left join subscriptions s on s.creator_id = c.creator_id
    where c.synced_at is null or c.synced_at < ${new Date(now.getTime() - NIGHTLY_MS)}
      or exists (
        select from unnest(array[s.current_period_end, s.trial_end, s.cancel_at]) as due
        where due <= ${now} and c.synced_at < due + interval '2 hours'
      )
    order by c.synced_at nulls first limit ${MOST_A_ROUND}
  `.execute(db.engine);
  await later(db.engine, { clock }, syncSubscription, ...rows.map((row) => ({ ...row, isCheck: true as const })));
}

/** After an outage of ours: events that never came, of the last day. */
export async function markMissed({ db, clock, stripe }: Pick<BillingDeps, 'db' | 'clock' | 'stripe'>): Promise<void> {
  const since = Math.floor((clock.now().getTime() - NIGHTLY_MS) / 1000);
  const customers = await stripe.missedCustomers(since);
  await markCustomers(db.engine, { clock }, customers, { isCheck: true });
}

/** One transaction; one that came before marks nothing. Those of the other mode and of others' accounts change nothing either. */
export async function takeEvent(
  { db, clock, stripe }: Pick<BillingDeps, 'db' | 'clock' | 'stripe'>,
  event: Stripe.Event,
) {
  if (event.livemode !== stripe.isLive || event.account !== undefined) return;
  const customer = customerOf(event);
  await db.engine.transaction().execute(async (trx) => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('stripe_events')
      .values({ id: event.id, type: event.type, received_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) return;
    if (customer !== null) await markCustomers(trx, { clock }, [customer]);
    await markOwnMembers(trx, { clock }, connectEventOf(event));
  });
}

/** @param db in whose transaction the mark is set */
async function markCustomers(
  db: Transaction<Tables> | AppDeps['db']['engine'],
  { clock }: Pick<BillingDeps, 'clock'>,
  customers: string[],
  options: { isCheck?: true } = {},
): Promise<void> {
  if (customers.length === 0) return;
  const rows = await db
    .selectFrom('stripe_customers')
    .select('creator_id as creatorId')
    .where('customer_id', 'in', customers)
    .execute();
  await later(db, { clock }, syncSubscription, ...rows.map((row) => ({ ...row, ...options })));
}

/** A simulator that began anew, or another key, knows nobody: who paid is on the free plan again. */
export async function forgetStripe(deps: Pick<BillingDeps, 'db' | 'clock' | 'ids'>): Promise<void> {
  await deps.db.engine.transaction().execute(async (trx) => {
    await trx.deleteFrom('stripe_calls').execute();
    await trx.deleteFrom('checkouts').execute();
    await trx.deleteFrom('stripe_customers').execute();
    await trx.deleteFrom('price_moves').execute();
    await trx.updateTable('plan_prices').set({ stripe_price_id: null }).execute();
    await forgetPayers(trx);
    const paying = await trx
      .selectFrom('subscriptions')
      .select('creator_id as creatorId')
      .where('stripe_subscription_id', 'not like', `${IN_HOUSE_PREFIX}%`)
      .execute();
    for (const creator of paying) await startInHouse(trx, deps, creator);
  });
}
