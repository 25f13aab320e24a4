/** From one price of a subscription to another at Stripe, for plans and memberships: what it costs, at once, or when what is paid is over. */
import { sql } from 'kysely';
import type Stripe from 'stripe';
import type { Database } from '#server/db/database.ts';
import { AppError } from '#server/errors.ts';
import { type CallDeps, changeStripe } from '#server/platforms/stripe/calls.ts';
import type { StripeClient } from '#server/platforms/stripe/client.ts';
import { askStripe } from '#server/platforms/stripe/errors.ts';

/** What was shown is asked for only so long. */
export const SHOWN_FOR_MS = 15 * 60_000;

/** `at`: in seconds; what is left of the period is counted from here. In a trial nothing is paid yet. */
export type PriceChange = { id: string; stripePriceId: string; isTrial: boolean; at: number };

/**
 * The same price, should nobody look, as Stripe will charge: it counts from the second that was shown.
 *
 * @returns money in the smallest unit of the currency
 * @throws AppError stripe_unreachable
 */
export async function costOfChange({ stripe }: { stripe: StripeClient }, change: PriceChange) {
  const { id, isTrial } = change;
  const subscription = await askStripe(stripe.subscription(id));
  const itemId = subscription.items.data[0]!.id;
  const { customer } = subscription;
  const invoice = await askStripe(
    stripe.preview({
      ...{ customer: typeof customer === 'string' ? customer : customer.id, subscription: id },
      subscription_details: paramsOf(change, itemId),
      ...(stripe.hasTax && { automatic_tax: { enabled: true } }),
    }),
  );
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

/**
 * Where the bank says no, or wants a confirmation, all stays as it is for 23 hours [S].
 *
 * @returns whether it is so now; else a page of Stripe's where the bank has to be answered or another card given
 * @throws AppError as `changeStripe`
 */
export async function changeNow(
  deps: CallDeps,
  { creatorId, change, itemId, key }: { creatorId: string; change: PriceChange; itemId: string; key: string },
): Promise<{ isDone: boolean; url: string | null }> {
  const { id, isTrial } = change;
  const behavior = isTrial ? {} : { payment_behavior: 'pending_if_incomplete' as const };
  const params = { id, ...paramsOf(change, itemId), ...behavior };
  await changeStripe(deps, { creatorId, verb: 'change_subscription', params, key });
  const { pending_update, latest_invoice } = await askStripe(deps.stripe.subscription(id));
  if (pending_update === null) return { isDone: true, url: null };
  return { isDone: false, url: (latest_invoice as Stripe.Invoice | null)?.hosted_invoice_url ?? null };
}

/** @throws AppError as `changeStripe` */
export async function changeAtPeriodEnd(
  deps: CallDeps,
  given: { creatorId: string; id: string; stripePriceId: string; interval: 'month' | 'year'; key: string },
): Promise<void> {
  const { creatorId, id, stripePriceId, interval, key } = given;
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

/** Takes back what is planned for the end of what is paid: Stripe refuses to cancel while it is. */
export async function releaseSchedule(deps: CallDeps, creatorId: string, scheduleId: string | null): Promise<void> {
  if (scheduleId === null) return;
  const call = {
    creatorId,
    verb: 'release_schedule' as const,
    params: { id: scheduleId },
    key: `release:${scheduleId}`,
  };
  await changeStripe(deps, call);
}

/**
 * One change at a time: what the second was shown is no longer so after the first.
 *
 * @throws AppError call_under_way
 */
export async function oneChangeAtATime<T>(
  { db }: { db: Pick<Database, 'engine'> },
  whose: string,
  work: () => Promise<T>,
): Promise<T> {
  return db.engine.transaction().execute(async (trx) => {
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`change plan of ${whose}`}, 0)) as "isOurs"
    `.execute(trx);
    if (!rows[0]!.isOurs) throw new AppError('call_under_way', 'Another change is being made.');
    return work();
  });
}

/** What was shown is no longer so. */
export function changedMeanwhile(): AppError {
  return new AppError('changed_meanwhile', 'What this costs has changed. Look at it again.');
}

/** A day that the year does not have is the one after it. */
export function yearAfter(atS: number): Date {
  const at = new Date(atS * 1000);
  at.setUTCFullYear(at.getUTCFullYear() + 1);
  return at;
}

function paramsOf({ stripePriceId, isTrial, at }: PriceChange, itemId: string) {
  const items = [{ id: itemId, price: stripePriceId }];
  if (isTrial) return { items, proration_behavior: 'none' as const };
  return { items, proration_behavior: 'always_invoice' as const, proration_date: at };
}

function sumOf(amounts: { amount: number }[] | null): number {
  return (amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
}

/** What is no line of an invoice, and part of what is due. */
function beside(says: string, cents: number): { says: string; cents: number }[] {
  return cents === 0 ? [] : [{ says, cents }];
}

/** One that was made, and whose change never came, is used again. */
function scheduleIdOf({ schedule }: Stripe.Subscription): string | null {
  return typeof schedule === 'string' ? schedule : (schedule?.id ?? null);
}
