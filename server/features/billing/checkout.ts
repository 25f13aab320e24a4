/** Buying a plan: one open page of Stripe's per creator, and what became of it. */

import type { getCheckout } from '#contract/billing.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { CheckoutState } from '#contract/plans.ts';
import { AppError } from '#server/errors.ts';
import { readBillingEmail } from '#server/features/settings/billing-email.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import { askStripe } from '#server/platforms/stripe/errors.ts';
import type { BillingDeps } from './billing-deps.ts';
import { findPrice, type Wish } from './catalogue.ts';
import { findBought, isFirstPlan, refuseLeaving } from './subscriptions.ts';
import { ASK_EVERY_MS, fetchSubscription } from './sync.ts';

/** Stripe's page ends then, as we say at its making; it allows half an hour to a day [S]. */
const GOOD_FOR_MS = 60 * 60_000;

/**
 * @returns Stripe's page for this plan; the same one while it is open
 * @throws AppError invalid_input: no such plan for sale; already_exists: they pay already; not_possible_now: the creator is to be
 *   deleted; stripe_unreachable, payments_off
 */
export async function startCheckout(deps: BillingDeps, creatorId: string, wish: Wish): Promise<{ url: string }> {
  const { db, clock, ids } = deps;
  const { stripePriceId: price, since, trialDays } = await findPrice(deps, wish);
  await refuseLeaving(deps, creatorId);
  await refuseSecond(deps, creatorId);
  const customer = await customerOf(deps, creatorId);
  const now = clock.now();
  const open = await db.engine
    .selectFrom('checkouts')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('state', '=', 'open')
    .executeTakeFirst();
  if (open !== undefined) {
    const isSame = open.plan_id === wish.planId && open.billing_interval === wish.interval;
    // At the price of today: a page begun before it shows another.
    const isGood = open.begun_at > since && open.begun_at.getTime() > now.getTime() - GOOD_FOR_MS + ASK_EVERY_MS;
    if (isSame && isGood) return { url: open.url ?? (await makePage(deps, { ...open, customer, price, trialDays })) };
    await endPage(deps, open);
  }
  const begun = await db.engine
    .insertInto('checkouts')
    .values({
      ...{ creator_id: creatorId, id: ids.uuid(now), plan_id: wish.planId, billing_interval: wish.interval },
      begun_at: now,
    })
    // Another tab or owner began one just now.
    .onConflict((conflict) => conflict.column('creator_id').where('state', '=', 'open').doNothing())
    .returning(['creator_id', 'id', 'plan_id', 'billing_interval', 'begun_at'])
    .executeTakeFirst();
  if (begun === undefined) return startCheckout(deps, creatorId, wish);
  return { url: await makePage(deps, { ...begun, customer, price, trialDays }) };
}

type Begun = {
  creator_id: string;
  id: string;
  plan_id: string;
  billing_interval: string;
  begun_at: Date;
  customer: string;
  price: string;
  trialDays: number;
};

async function makePage(deps: BillingDeps, begun: Begun): Promise<string> {
  const page = `${deps.config.baseUrl}/creator-hq/checkout`;
  const isTrial = begun.trialDays > 0 && (await isFirstPlan(deps, begun.creator_id));
  const params = {
    mode: 'subscription' as const,
    ...{ customer: begun.customer, client_reference_id: begun.creator_id },
    line_items: [{ price: begun.price, quantity: 1 }],
    success_url: `${page}?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${page}?plan=${begun.plan_id}&interval=${begun.billing_interval}`,
    expires_at: Math.floor((begun.begun_at.getTime() + GOOD_FOR_MS) / 1000),
    ...{ allow_promotion_codes: true, billing_address_collection: 'auto' as const },
    customer_update: { address: 'auto' as const, name: 'auto' as const },
    tax_id_collection: { enabled: true },
    ...(deps.stripe.hasTax && { automatic_tax: { enabled: true } }),
    subscription_data: {
      metadata: { chq_creator: begun.creator_id },
      ...(isTrial && { trial_period_days: begun.trialDays }),
    },
  };
  const key = `checkout:${begun.id}`;
  const sessionId = await changeStripe(deps, { creatorId: begun.creator_id, verb: 'create_session', params, key });
  const { url } = await askStripe(deps.stripe.session(sessionId));
  await deps.db.engine
    .updateTable('checkouts')
    .set({ session_id: sessionId, url })
    .where('creator_id', '=', begun.creator_id)
    .where('id', '=', begun.id)
    .execute();
  if (url === null) throw new AppError('not_possible_now', 'This payment is over. Reload the page.');
  return url;
}

/** @throws AppError already_exists when it was just paid */
async function endPage(deps: BillingDeps, open: { creator_id: string; id: string; session_id: string | null }) {
  const { creator_id: creatorId, id, session_id: sessionId } = open;
  if (sessionId !== null) {
    const { status } = await askStripe(deps.stripe.session(sessionId));
    if (status === 'open') {
      const key = `expire:${id}`;
      await changeStripe(deps, { creatorId, verb: 'expire_session', params: { id: sessionId }, key });
    }
    await endCheckout(deps, creatorId, id);
    if (status === 'complete') {
      await askStripe(fetchSubscription(deps, creatorId));
      await refuseSecond(deps, creatorId);
    }
  } else await endCheckout(deps, creatorId, id);
}

async function endCheckout({ db }: BillingDeps, creatorId: string, id: string): Promise<void> {
  await db.engine
    .updateTable('checkouts')
    .set({ state: 'over' })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .execute();
}

/** What became of a page. Stripe is asked, so that its message may be late. @throws AppError not_found: not of this creator */
export async function readCheckout(
  { stripe, ...rest }: Omit<BillingDeps, 'stripe'> & { stripe: BillingDeps['stripe'] | null },
  creatorId: string,
  sessionId: string,
): Promise<ResponseOf<typeof getCheckout>> {
  const begun = await rest.db.engine
    .selectFrom('checkouts')
    .innerJoin('plans', 'plans.id', 'checkouts.plan_id')
    .innerJoin('stripe_customers', 'stripe_customers.creator_id', 'checkouts.creator_id')
    .select(['checkouts.id', 'checkouts.url', 'checkouts.state', 'plans.name', 'stripe_customers.synced_at'])
    .where('checkouts.creator_id', '=', creatorId)
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  if (begun === undefined) throw new AppError('not_found', 'This payment isn’t one of this account.');
  if (stripe === null) throw new AppError('payments_off');
  const deps = { ...rest, stripe };
  const answer = (state: CheckoutState, url: string | null = null) => ({ state, plan: begun.name, url });
  const known = await stateOf(deps, creatorId);
  if (known !== null) {
    if (begun.state === 'open') await endCheckout(deps, creatorId, begun.id);
    return answer(known);
  }
  const askedAt = begun.synced_at?.getTime() ?? 0;
  if (deps.clock.now().getTime() - askedAt < ASK_EVERY_MS) return answer('checking');
  try {
    const { status, payment_status } = await deps.stripe.session(sessionId);
    await fetchSubscription(deps, creatorId);
    if (status === 'open') return answer('open', begun.url);
    await endCheckout(deps, creatorId, begun.id);
    if (status === 'expired') return answer('expired');
    return answer((await stateOf(deps, creatorId)) ?? (payment_status === 'unpaid' ? 'processing' : 'checking'));
  } catch {
    return answer('unreachable');
  }
}

/** Null while they have no plan of Stripe's. */
async function stateOf(deps: BillingDeps, creatorId: string): Promise<'paid' | 'trial' | null> {
  const bought = await findBought(deps, creatorId);
  if (bought?.standing === 'trial') return 'trial';
  return bought?.standing === 'paid' || bought?.standing === 'ending' ? 'paid' : null;
}

/** @throws AppError already_exists: a plan is paid for already, or waits for money */
async function refuseSecond(deps: BillingDeps, creatorId: string): Promise<void> {
  const bought = await findBought(deps, creatorId);
  if (bought === null || bought.status === 'incomplete') return;
  throw new AppError('already_exists', `You’re on the plan ${bought.plan} already. See Settings, Plan.`);
}

/** @returns the creator's customer at Stripe, made there when they buy for the first time */
async function customerOf(deps: BillingDeps, creatorId: string): Promise<string> {
  const { db } = deps;
  const known = await db.engine
    .selectFrom('stripe_customers')
    .select('customer_id')
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  if (known !== undefined) {
    if (await askStripe(deps.stripe.isCustomerThere(known.customer_id))) return known.customer_id;
    await db.engine.deleteFrom('stripe_customers').where('creator_id', '=', creatorId).execute();
  }
  const { handle } = await db.engine
    .selectFrom('creators')
    .select('handle')
    .where('id', '=', creatorId)
    .executeTakeFirstOrThrow();
  const customerId = await changeStripe(deps, {
    ...{ creatorId, verb: 'create_customer', key: `customer:${creatorId}:after ${known?.customer_id ?? 'none'}` },
    params: { email: await readBillingEmail(deps, creatorId), name: handle, metadata: { chq_creator: creatorId } },
  });
  await db.engine
    .insertInto('stripe_customers')
    .values({ creator_id: creatorId, customer_id: customerId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return customerId;
}

/** Invoices go there. Nothing to do for whoever never paid. @throws AppError stripe_unreachable, payments_off, not_possible_now */
export async function changeCustomerEmail(deps: BillingDeps, creatorId: string, email: string): Promise<void> {
  const known = await deps.db.engine
    .selectFrom('stripe_customers')
    .select('customer_id')
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  if (known === undefined || !(await askStripe(deps.stripe.isCustomerThere(known.customer_id)))) return;
  const params = { id: known.customer_id, email };
  const key = `email:${deps.ids.uuid(deps.clock.now())}`;
  await changeStripe(deps, { creatorId, verb: 'change_customer', params, key });
}
