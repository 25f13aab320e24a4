/** What a subscription in a creator's account lets its payer read, and until when: from the money, never from a status alone. */
import type Stripe from 'stripe';
import type { SubscriptionStatus } from '#contract/plans.ts';
import { intentsIn, invoiceOf, nextPriceOf, scheduleOf } from '#server/features/billing/project.ts';

const DAY_MS = 86_400_000;
/** A renewal is charged an hour after its period, messages are late, a bank's debit takes some days: who pays reads on meanwhile. */
const UNSETTLED_DAYS = 7;
export type PaidPass = {
  subscriptionId: string;
  stripePriceId: string;
  status: SubscriptionStatus;
  beganAt: Date;
  /** What was paid for, or is free until then; null: nothing ever was. */
  paidUntil: Date | null;
  /** When they read no more if nothing else is heard. */
  readsUntil: Date;
  /** When it is charged again; null: it is not. */
  renewsAt: Date | null;
  cancelAt: Date | null;
  lateSince: Date | null;
  trialEnd: Date | null;
  isRefunded: boolean;
  /** Stripe's, where it changes to another price once what is paid is over. */
  scheduleId: string | null;
  next: { stripePriceId: string; at: Date } | null;
  /** It is over, and was not merely not paid. */
  endedAt: Date | null;
};

/** What a bank or the creator took back of payments, by payment intent. */
export type TakenBack = ReadonlyMap<string, { at: Date; isRefunded: boolean }>;

const OVER: readonly SubscriptionStatus[] = ['canceled', 'incomplete_expired'];

/**
 * @param subscription with `latest_invoice`, its payments and the schedule expanded
 * @param lateDays after a payment failed, as their creator chose
 * @returns null: nobody was let in by it, as it was never paid
 */
export function paidPassOf(subscription: Stripe.Subscription, takenBack: TakenBack, lateDays: number): PaidPass | null {
  const item = subscription.items.data[0];
  const status = subscription.status as SubscriptionStatus;
  if (item === undefined || status === 'incomplete' || status === 'incomplete_expired') return null;
  const invoice = invoiceOf(subscription);
  const [start, end] = [dateOf(item.current_period_start), dateOf(item.current_period_end)];
  const isOver = OVER.includes(status);
  const endedAt = isOver ? dateOf(subscription.ended_at ?? subscription.created) : null;
  const taken = intentsIn(invoice, () => true).flatMap((intent) => takenBack.get(intent) ?? [])[0];
  const cancelAt = subscription.cancel_at ?? (subscription.cancel_at_period_end ? item.current_period_end : null);
  // A change that waits for its payment says nothing of the period.
  const isSettled = isPaid(invoice) || (status === 'active' && invoice?.billing_reason === 'subscription_update');
  const paidUntil = min(isSettled ? end : start, endedAt, taken?.at ?? null);
  const slack = slackOf(subscription, {
    ...{ isTaken: taken !== undefined, willEnd: isOver || cancelAt !== null, lateDays },
  });
  return {
    ...{ subscriptionId: subscription.id, stripePriceId: item.price.id, status },
    beganAt: dateOf(subscription.created),
    paidUntil,
    readsUntil: new Date(paidUntil.getTime() + slack * DAY_MS),
    renewsAt: isOver || cancelAt !== null ? null : end,
    cancelAt: cancelAt === null ? null : dateOf(cancelAt),
    lateSince:
      status === 'past_due' ? dateOf(invoice?.status_transitions.finalized_at ?? item.current_period_start) : null,
    trialEnd: subscription.trial_end === null ? null : dateOf(subscription.trial_end),
    isRefunded: taken?.isRefunded ?? false,
    scheduleId: isOver ? null : (scheduleOf(subscription)?.id ?? null),
    next: isOver ? null : nextPriceOf(subscription),
    endedAt,
  };
}

/** Days beyond what was paid for. */
function slackOf(
  { status, pause_collection: paused }: Stripe.Subscription,
  { isTaken, willEnd, lateDays }: { isTaken: boolean; willEnd: boolean; lateDays: number },
): number {
  if (isTaken || willEnd || paused != null) return 0;
  if (status === 'past_due') return lateDays;
  return status === 'active' || status === 'trialing' ? UNSETTLED_DAYS : 0;
}

/** A trial's first invoice is of nothing, and paid. */
function isPaid(invoice: Stripe.Invoice | null): boolean {
  return invoice?.status === 'paid';
}

function min(first: Date, ...others: (Date | null)[]): Date {
  return others.reduce<Date>((least, one) => (one !== null && one < least ? one : least), first);
}

function dateOf(seconds: number): Date {
  return new Date(seconds * 1000);
}
