/** What our copy of a creator's subscriptions has to be, given what Stripe says. */
import type Stripe from 'stripe';
import type { SubscriptionStatus } from '#contract/plans.ts';

export type Price = { planId: string; interval: 'month' | 'year' };

export type MirroredSubscription = {
  stripeSubscriptionId: string;
  stripePriceId: string;
  planId: string;
  interval: 'month' | 'year';
  status: SubscriptionStatus;
  beganAt: Date;
  cancelAt: Date | null;
  canceledAt: Date | null;
  currentPeriodEnd: Date;
  trialEnd: Date | null;
  lateSince: Date | null;
};

export type Mirror = {
  /** The oldest that is not over. */
  current: MirroredSubscription | null;
  past: (MirroredSubscription & { status: OverStatus; endedAt: Date })[];
  /** Surplus ones, oldest first: to be ended, and what was paid for them given back. */
  surplus: { stripeSubscriptionId: string; paymentIntents: string[] }[];
  /** At prices that are not ours, as somebody made them at Stripe by hand: they change no plan. */
  unknown: string[];
};

const OVER = ['canceled', 'incomplete_expired'] as const;
type OverStatus = (typeof OVER)[number];
const isOver = (status: SubscriptionStatus): status is OverStatus => (OVER as readonly string[]).includes(status);
const LATE = ['past_due', 'unpaid'];

/**
 * @param subscriptions all of one customer, with `latest_invoice` and its payments expanded
 * @param priceOf by Stripe's id; undefined for a price that is not ours
 */
export function project(
  subscriptions: readonly Stripe.Subscription[],
  priceOf: (stripePriceId: string) => Price | undefined,
): Mirror {
  const all = subscriptions
    .toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
    .map((subscription) => ({ subscription, mirrored: mirrorOf(subscription, priceOf) }));
  const ours = all.flatMap(({ subscription, mirrored }) => (mirrored === null ? [] : [{ subscription, mirrored }]));
  const live = ours.filter(({ mirrored }) => !isOver(mirrored.status) && mirrored.status !== 'incomplete');
  // Never paid, so it holds nobody's money, and ends by itself.
  const unfinished = ours.find(({ mirrored }) => mirrored.status === 'incomplete');
  return {
    current: (live[0] ?? unfinished)?.mirrored ?? null,
    past: ours.flatMap(({ subscription, mirrored }) =>
      isOver(mirrored.status)
        ? [{ ...mirrored, status: mirrored.status, endedAt: dateOf(subscription.ended_at ?? subscription.created) }]
        : [],
    ),
    surplus: live.slice(1).map(({ subscription }) => ({
      stripeSubscriptionId: subscription.id,
      paymentIntents: paidIntents(subscription),
    })),
    unknown: all.flatMap(({ subscription, mirrored }) => (mirrored === null ? [subscription.id] : [])),
  };
}

function mirrorOf(
  subscription: Stripe.Subscription,
  priceOf: (stripePriceId: string) => Price | undefined,
): MirroredSubscription | null {
  const item = subscription.items.data[0];
  const price = item && priceOf(item.price.id);
  if (item === undefined || price === undefined) return null;
  const status = subscription.status as SubscriptionStatus;
  const endsAt = subscription.cancel_at ?? (subscription.cancel_at_period_end ? item.current_period_end : null);
  const invoice = invoiceOf(subscription);
  return {
    ...{ stripeSubscriptionId: subscription.id, stripePriceId: item.price.id, ...price, status },
    beganAt: dateOf(subscription.created),
    cancelAt: endsAt === null ? null : dateOf(endsAt),
    canceledAt: subscription.canceled_at === null ? null : dateOf(subscription.canceled_at),
    currentPeriodEnd: dateOf(item.current_period_end),
    trialEnd: subscription.trial_end === null ? null : dateOf(subscription.trial_end),
    // The first attempt follows at once.
    lateSince: LATE.includes(status)
      ? dateOf(invoice?.status_transitions.finalized_at ?? invoice?.created ?? subscription.created)
      : null,
  };
}

function invoiceOf({ latest_invoice: invoice }: Stripe.Subscription): Stripe.Invoice | null {
  return invoice === null || typeof invoice === 'string' ? null : invoice;
}

function paidIntents(subscription: Stripe.Subscription): string[] {
  const payments = invoiceOf(subscription)?.payments?.data ?? [];
  return payments.flatMap(({ status, payment: { payment_intent: intent } }) => {
    if (status !== 'paid' || intent === undefined) return [];
    return typeof intent === 'string' ? intent : intent.id;
  });
}

function dateOf(seconds: number): Date {
  return new Date(seconds * 1000);
}
