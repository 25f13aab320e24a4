/** From one paid plan to another: dearer at once, for what Stripe said it costs; cheaper at the end of what is paid. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { changePlan as changePlanEndpoint, previewPlanChange } from '#contract/billing.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { AppError } from '#server/errors.ts';
import { askStripe } from '#server/platforms/stripe/errors.ts';
import { type Keys, openOrNull, seal } from '#server/secrets.ts';
import type { BillingDeps } from './billing-deps.ts';
import { findPrice, type Wish } from './catalogue.ts';
import {
  changeAtPeriodEnd,
  changedMeanwhile,
  changeNow,
  costOfChange,
  oneChangeAtATime,
  type PriceChange,
  SHOWN_FOR_MS,
  yearAfter,
} from './price-changes.ts';
import { needBought, refuseLeaving } from './subscriptions.ts';
import { fetchSubscription } from './sync.ts';

type ChangingDeps = BillingDeps & { keys: Pick<Keys, 'encryptionKeys'> };

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
  const { dueCents, taxCents, lines } = await costOfChange(deps, changeOf(bought, shown));
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
  return oneChangeAtATime(deps, creatorId, () => makeChange(deps, creatorId, token, shown));
}

async function makeChange(deps: ChangingDeps, creatorId: string, token: string, shown: Shown) {
  const key = `change:${createHash('sha256').update(token).digest('base64url')}`;
  const { bought, price, when } = await whatChanges(deps, creatorId, shown);
  const isAsShown =
    price.stripePriceId === shown.stripePriceId &&
    when === shown.when &&
    bought.current_period_end?.toISOString() === shown.periodEnd;
  if (!isAsShown) throw changedMeanwhile();
  if (when === 'later') {
    const { stripe_subscription_id: id } = bought;
    await changeAtPeriodEnd(deps, { creatorId, id, stripePriceId: price.stripePriceId, interval: shown.interval, key });
    await askStripe(fetchSubscription(deps, creatorId));
    return { message: `Your plan changes to ${price.plan} at the end of what you paid for.`, url: null };
  }
  const change = changeOf(bought, shown);
  const { dueCents, itemId } = await costOfChange(deps, change);
  if (dueCents !== shown.dueCents) throw changedMeanwhile();
  const { isDone, url } = await changeNow(deps, { creatorId, change, itemId, key });
  await askStripe(fetchSubscription(deps, creatorId));
  return {
    message: isDone ? `You’re on ${price.plan}.` : 'Your bank or card needs you first. Nothing has changed yet.',
    url,
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

function changeOf(bought: Bought, { stripePriceId, at }: Pick<Shown, 'stripePriceId' | 'at'>): PriceChange {
  return { id: bought.stripe_subscription_id, stripePriceId, isTrial: bought.standing === 'trial', at };
}

function nextPaymentOf(bought: Bought, wish: Wish, atS: number): Date {
  if (bought.standing === 'trial' || bought.billing_interval === wish.interval) return bought.current_period_end!;
  return yearAfter(atS);
}

function readToken({ keys, clock }: ChangingDeps, creatorId: string, token: string): Shown {
  const text = openOrNull(keys.encryptionKeys, token);
  const shown = text?.startsWith('{') ? Token.safeParse(JSON.parse(text)) : null;
  const isGood = shown?.success === true && shown.data.creatorId === creatorId;
  if (!isGood || clock.now().getTime() > shown.data.at * 1000 + SHOWN_FOR_MS) throw changedMeanwhile();
  return shown.data;
}
