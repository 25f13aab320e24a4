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
  scheduleId: string | null;
  /** What it changes to at the end of a period. */
  next: (Price & { at: Date }) | null;
  /** Why its last invoice waits for money: Stripe's word for it. */
  payNeeded: string | null;
  /** When Stripe asks for it again by itself. */
  retryAt: Date | null;
};

export type Mirror = {
  /** The oldest that is not over. */
  current: MirroredSubscription | null;
  past: (MirroredSubscription & { status: OverStatus; endedAt: Date })[];
  /** Surplus ones, oldest first: to be ended, and what was paid for them given back. */
  surplus: string[];
  /** At prices that are not ours, as somebody made them at Stripe by hand: they change no plan. */
  unknown: string[];
};

const OVER = ['canceled', 'incomplete_expired'] as const;
type OverStatus = (typeof OVER)[number];
const isOver = (status: SubscriptionStatus): status is OverStatus => (OVER as readonly string[]).includes(status);
const LATE = ['past_due', 'unpaid'];
/** Nobody said why. */
const UNKNOWN_CAUSE = 'generic_decline';

type PriceOf = (stripePriceId: string) => Price | undefined;

/**
 * @param subscriptions all of one customer, with `latest_invoice`, its payments and the schedule expanded
 * @param priceOf by Stripe's id; undefined for a price that is not ours
 * @param causes why payments failed, by their intent
 */
export function project(
  subscriptions: readonly Stripe.Subscription[],
  priceOf: PriceOf,
  causes: ReadonlyMap<string, string> = new Map(),
): Mirror {
  const all = subscriptions
    .toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
    .map((subscription) => ({ subscription, mirrored: mirrorOf(subscription, priceOf, causes) }));
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
    surplus: live.slice(1).map(({ subscription }) => subscription.id),
    unknown: all.flatMap(({ subscription, mirrored }) => (mirrored === null ? [subscription.id] : [])),
  };
}

function mirrorOf(
  subscription: Stripe.Subscription,
  priceOf: PriceOf,
  causes: ReadonlyMap<string, string>,
): MirroredSubscription | null {
  const item = subscription.items.data[0];
  const price = item && priceOf(item.price.id);
  if (item === undefined || price === undefined) return null;
  const status = statusOf(subscription);
  const endsAt = subscription.cancel_at ?? (subscription.cancel_at_period_end ? item.current_period_end : null);
  const invoice = invoiceOf(subscription);
  const waits = waitsForMoney(subscription);
  const cause = waitingIntents(subscription).flatMap((intent) => causes.get(intent) ?? [])[0];
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
    scheduleId: scheduleOf(subscription)?.id ?? null,
    next: nextOf(subscription, priceOf),
    payNeeded: waits ? (cause ?? UNKNOWN_CAUSE) : null,
    retryAt: waits && invoice?.next_payment_attempt != null ? dateOf(invoice.next_payment_attempt) : null,
  };
}

/** Where somebody stopped collecting at Stripe, what is paid for is used up first. */
function statusOf(subscription: Stripe.Subscription): SubscriptionStatus {
  const isStopped = subscription.pause_collection !== null && invoiceOf(subscription)?.status !== 'paid';
  return isStopped && subscription.status === 'active' ? 'paused' : (subscription.status as SubscriptionStatus);
}

/** The renewal, the first payment, or a change to a dearer plan. */
function waitsForMoney(subscription: Stripe.Subscription): boolean {
  // Later invoices stay drafts.
  if (subscription.status === 'unpaid') return true;
  if (invoiceOf(subscription)?.status !== 'open') return false;
  return [...LATE, 'incomplete'].includes(subscription.status) || subscription.pending_update !== null;
}

/** Of payments that were tried and did not go through: whose cause `project` wants to know. */
export function waitingIntents(subscription: Stripe.Subscription): string[] {
  if (!waitsForMoney(subscription)) return [];
  return intentsIn(invoiceOf(subscription), (status) => status === 'open');
}

export function scheduleOf({ schedule }: Stripe.Subscription): Stripe.SubscriptionSchedule | null {
  return schedule === null || typeof schedule === 'string' ? null : schedule;
}

function nextOf(subscription: Stripe.Subscription, priceOf: PriceOf): MirroredSubscription['next'] {
  const next = nextPriceOf(subscription);
  const known = next === null ? undefined : priceOf(next.stripePriceId);
  return next === null || known === undefined ? null : { ...known, at: next.at };
}

/** What a schedule changes it to next. */
export function nextPriceOf(subscription: Stripe.Subscription): { stripePriceId: string; at: Date } | null {
  const schedule = scheduleOf(subscription);
  const phase = schedule?.phases.find(({ start_date }) => start_date >= (schedule.current_phase?.end_date ?? 0));
  const price = phase?.items[0]?.price;
  if (phase === undefined || price === undefined) return null;
  return { stripePriceId: typeof price === 'string' ? price : price.id, at: dateOf(phase.start_date) };
}

export function invoiceOf({ latest_invoice: invoice }: Stripe.Subscription): Stripe.Invoice | null {
  return invoice === null || typeof invoice === 'string' ? null : invoice;
}

/** Of an invoice with its payments expanded. */
export function intentsIn(
  invoice: Pick<Stripe.Invoice, 'payments'> | null,
  wanted: (status: string) => boolean,
): string[] {
  return (invoice?.payments?.data ?? []).flatMap(({ status, payment: { payment_intent: intent } }) => {
    if (!wanted(status) || intent === undefined) return [];
    return typeof intent === 'string' ? intent : intent.id;
  });
}

export const isPaid = (status: string) => status === 'paid';

function dateOf(seconds: number): Date {
  return new Date(seconds * 1000);
}
