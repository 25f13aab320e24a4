/** From one paid plan to another: dearer at once, for what Stripe said it costs; cheaper at the end of what is paid. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import type { changePlan as changePlanEndpoint, previewPlanChange } from '#contract/billing.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { AppError } from '#server/errors.ts';
import { changeStripe } from '#server/platforms/stripe/calls.ts';
import { askStripe } from '#server/platforms/stripe/errors.ts';
import { type Keys, openOrNull, seal } from '#server/secrets.ts';
import type { BillingDeps } from './billing-deps.ts';
import { findPrice, type Wish } from './catalogue.ts';
import { needBought, refuseLeaving } from './subscriptions.ts';
import { fetchSubscription } from './sync.ts';

type ChangingDeps = BillingDeps & { keys: Pick<Keys, 'encryptionKeys'> };

/** What was shown is asked for only so long. */
const GOOD_FOR_MS = 15 * 60_000;

/** What was shown, sealed: the browser names no amount. */
const Token = z.object({
  creatorId: z.string(),
  planId: z.string(),
  interval: z.enum(['month', 'year']),
  stripePriceId: z.string(),
  dueCents: z.number(),
  when: z.enum(['now', 'later']),
  /** Of what is paid, as it was then. */
  periodEnd: z.string(),
  /** Seconds; what is left of the period is counted from here. */
  at: z.number(),
});
type Shown = z.infer<typeof Token>;

/**
 * What a change would cost, and when.
 *
 * @throws AppError already_exists: they have it; not_possible_now: something else comes first; invalid_input: not for sale;
 *   stripe_unreachable, payments_off
 */
export async function previewChange(
  deps: ChangingDeps,
  creatorId: string,
  wish: Wish,
): Promise<ResponseOf<typeof previewPlanChange>> {
  const { bought, price, when } = await whatChanges(deps, creatorId, wish);
  const at = Math.floor(deps.clock.now().getTime() / 1000);
  const periodEnd = bought.current_period_end!.toISOString();
  const shown = { creatorId, ...wish, stripePriceId: price.stripePriceId, at, when, periodEnd };
  if (when === 'later') {
    return {
      ...{ when, dueCents: 0, taxCents: 0, lines: [], nextPayment: { at: periodEnd, cents: price.cents } },
      token: seal(deps.keys.encryptionKeys, JSON.stringify({ ...shown, dueCents: 0 } satisfies Shown)),
    };
  }
  const { dueCents, taxCents, lines } = await costNow(deps, bought, shown);
  return {
    ...{ when, dueCents, taxCents, lines },
    nextPayment: { at: nextPaymentOf(bought, wish, at).toISOString(), cents: price.cents },
    token: seal(deps.keys.encryptionKeys, JSON.stringify({ ...shown, dueCents } satisfies Shown)),
  };
}

/**
 * Does what was shown, to the cent. One change of a creator at a time: what the second was shown is no longer so after the first.
 *
 * @returns a page of Stripe's where the bank has to be answered or another card given: until then nothing has changed
 * @throws AppError changed_meanwhile: it would cost something else now; call_under_way: another is made; as `previewChange`
 */
export async function changePlan(
  deps: ChangingDeps,
  creatorId: string,
  token: string,
): Promise<ResponseOf<typeof changePlanEndpoint>> {
  const shown = readToken(deps, creatorId, token);
  return deps.db.engine.transaction().execute(async (trx) => {
    const lock = sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`change plan of ${creatorId}`}, 0)) as "isOurs"
    `;
    const { rows } = await lock.execute(trx);
    if (!rows[0]!.isOurs) throw new AppError('call_under_way', 'Another change of this plan is being made.');
    return makeChange(deps, creatorId, token, shown);
  });
}

async function makeChange(deps: ChangingDeps, creatorId: string, token: string, shown: Shown) {
  const key = `change:${createHash('sha256').update(token).digest('base64url')}`;
  const { bought, price, when } = await whatChanges(deps, creatorId, shown);
  const isAsShown =
    price.stripePriceId === shown.stripePriceId &&
    when === shown.when &&
    bought.current_period_end?.toISOString() === shown.periodEnd;
  if (!isAsShown) throw otherNow();
  if (when === 'later') {
    await planChange(deps, { creatorId, bought, stripePriceId: price.stripePriceId, interval: shown.interval, key });
    await askStripe(fetchSubscription(deps, creatorId));
    return { message: `Your plan changes to ${price.plan} at the end of what you paid for.`, url: null };
  }
  const { dueCents, itemId } = await costNow(deps, bought, shown);
  if (dueCents !== shown.dueCents) throw otherNow();
  const params = { id: bought.stripe_subscription_id, ...changeOf(bought, shown, itemId), ...behaviorOf(bought) };
  await changeStripe(deps, { creatorId, verb: 'change_subscription', params, key });
  await askStripe(fetchSubscription(deps, creatorId));
  const changed = await askStripe(deps.stripe.subscription(bought.stripe_subscription_id));
  if (changed.pending_update === null) return { message: `You’re on ${price.plan}.`, url: null };
  const invoice = changed.latest_invoice as Stripe.Invoice | null;
  return {
    message: 'Your bank or card needs you first. Nothing has changed yet.',
    url: invoice?.hosted_invoice_url ?? null,
  };
}

type Bought = Awaited<ReturnType<typeof needBought>>;

async function whatChanges(deps: ChangingDeps, creatorId: string, wish: Wish) {
  const bought = await needBought(deps, creatorId);
  await refuseLeaving(deps, creatorId);
  refuseNow(bought, wish);
  const price = await findPrice(deps, wish);
  return { bought, price, when: await whenOf(deps, bought, wish) };
}

function refuseNow(bought: Bought, wish: Wish): void {
  const { standing } = bought;
  if (bought.plan_id === wish.planId && bought.billing_interval === wish.interval && bought.next_at === null) {
    throw new AppError('already_exists', `You’re on the plan ${bought.plan} already.`);
  }
  if (standing === 'late' || standing === 'lapsed' || bought.pay_needed !== null) {
    throw new AppError('not_possible_now', 'A payment is due. Pay it first, in Settings, Plan.');
  }
  if (standing === 'paused')
    throw new AppError('not_possible_now', 'Your plan is paused. Write to us to go on with it.');
  if (standing === 'ending') {
    throw new AppError('not_possible_now', 'Your plan is canceled. Keep it first, in Settings, Plan.');
  }
  if (bought.next_at !== null) {
    throw new AppError('not_possible_now', 'Another change is planned. Take it back first, in Settings, Plan.');
  }
}

/** A cheaper plan, and paying by the month again, begin when what is paid is over. In a trial nothing is paid yet. */
async function whenOf({ db }: ChangingDeps, bought: Bought, wish: Wish): Promise<'now' | 'later'> {
  if (bought.standing === 'trial') return 'now';
  if (bought.plan_id === wish.planId) return wish.interval === 'year' ? 'now' : 'later';
  if (bought.billing_interval === 'year' && wish.interval === 'month') return 'later';
  const rows = await db.engine
    .selectFrom('plan_prices')
    .select(['plan_id', 'cents', 'stripe_price_id'])
    .where('billing_interval', '=', bought.billing_interval)
    .where((eb) =>
      eb.or([
        eb.and([eb('plan_id', '=', wish.planId), eb('until', 'is', null)]),
        eb('stripe_price_id', '=', bought.stripe_price_id),
      ]),
    )
    .execute();
  const wanted = rows.find(({ plan_id }) => plan_id === wish.planId);
  const present = rows.find(({ stripe_price_id }) => stripe_price_id === bought.stripe_price_id);
  return wanted !== undefined && present !== undefined && wanted.cents < present.cents ? 'later' : 'now';
}

/** The same price, should nobody look, as Stripe will charge: it counts from the second that was shown. */
async function costNow(deps: ChangingDeps, bought: Bought, shown: Pick<Shown, 'stripePriceId' | 'at'>) {
  const id = bought.stripe_subscription_id;
  const subscription = await askStripe(deps.stripe.subscription(id));
  const itemId = subscription.items.data[0]!.id;
  const { customer } = subscription;
  const invoice = await askStripe(
    deps.stripe.preview({
      ...{ customer: typeof customer === 'string' ? customer : customer.id, subscription: id },
      subscription_details: changeOf(bought, shown, itemId),
      ...(deps.stripe.hasTax && { automatic_tax: { enabled: true } }),
    }),
  );
  const isTrial = bought.standing === 'trial';
  return {
    itemId,
    dueCents: isTrial ? 0 : invoice.amount_due,
    taxCents: isTrial ? 0 : sumOf(invoice.total_taxes),
    lines: isTrial
      ? []
      : [
          ...invoice.lines.data.map(({ description, amount }) => ({ says: description ?? '', cents: amount })),
          ...beside('Discount', -sumOf(invoice.total_discount_amounts)),
          ...beside('Credit', invoice.amount_due - invoice.total),
        ],
  };
}

function sumOf(amounts: { amount: number }[] | null): number {
  return (amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
}

/** What is no line of an invoice, and part of what is due. */
function beside(says: string, cents: number): { says: string; cents: number }[] {
  return cents === 0 ? [] : [{ says, cents }];
}

function changeOf(bought: Bought, { stripePriceId, at }: Pick<Shown, 'stripePriceId' | 'at'>, itemId: string) {
  const items = [{ id: itemId, price: stripePriceId }];
  if (bought.standing === 'trial') return { items, proration_behavior: 'none' as const };
  return { items, proration_behavior: 'always_invoice' as const, proration_date: at };
}

/** Where the bank says no, or wants a confirmation, the plan stays as it is for 23 hours [S]. */
function behaviorOf({ standing }: Bought): { payment_behavior?: 'pending_if_incomplete' } {
  return standing === 'trial' ? {} : { payment_behavior: 'pending_if_incomplete' };
}

function nextPaymentOf(bought: Bought, wish: Wish, atS: number): Date {
  if (bought.standing === 'trial' || bought.billing_interval === wish.interval) return bought.current_period_end!;
  const at = new Date(atS * 1000);
  at.setUTCFullYear(at.getUTCFullYear() + 1);
  return at;
}

async function planChange(
  deps: ChangingDeps,
  given: { creatorId: string; bought: Bought; stripePriceId: string; interval: 'month' | 'year'; key: string },
): Promise<void> {
  const { creatorId, bought, stripePriceId, interval, key } = given;
  const id = bought.stripe_subscription_id;
  const subscription = await askStripe(deps.stripe.subscription(id));
  const scheduleId =
    scheduleIdOf(subscription) ??
    (await changeStripe(deps, {
      ...{ creatorId, verb: 'create_schedule', params: { from_subscription: id }, key: `${key}:schedule` },
    }));
  const [item] = subscription.items.data;
  const discounts = subscription.discounts.map((one) => ({ discount: typeof one === 'string' ? one : one.id }));
  const phase = (price: string) => ({
    ...{ items: [{ price, quantity: 1 }], proration_behavior: 'none' as const },
    ...(discounts.length > 0 && { discounts }),
  });
  await changeStripe(deps, {
    ...{ creatorId, verb: 'change_schedule', key },
    params: {
      ...{ id: scheduleId, end_behavior: 'release', proration_behavior: 'none' },
      phases: [
        { ...phase(item!.price.id), start_date: item!.current_period_start, end_date: item!.current_period_end },
        { ...phase(stripePriceId), duration: { interval, interval_count: 1 } },
      ],
    },
  });
}

/** One that was made, and whose change never came, is used again. */
function scheduleIdOf({ schedule }: Stripe.Subscription): string | null {
  return typeof schedule === 'string' ? schedule : (schedule?.id ?? null);
}

function readToken({ keys, clock }: ChangingDeps, creatorId: string, token: string): Shown {
  const text = openOrNull(keys.encryptionKeys, token);
  const shown = text?.startsWith('{') ? Token.safeParse(JSON.parse(text)) : null;
  const isGood = shown?.success === true && shown.data.creatorId === creatorId;
  if (!isGood || clock.now().getTime() > shown.data.at * 1000 + GOOD_FOR_MS) throw otherNow();
  return shown.data;
}

function otherNow(): AppError {
  return new AppError('changed_meanwhile', 'What this costs has changed. Look at it again.');
}
