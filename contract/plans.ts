/** The rules of plans and subscriptions (spec sections 3, 4 and 9), for server and browser alike. */

/** Subscriptions that were granted, not bought: their ids begin with it. */
export const IN_HOUSE_PREFIX = 'inhouse_';

export const FREE_PLAN_ID = 'free-plan';

/** What everybody is on where nothing can be paid: derived when it is read, in no table. */
export const EVERYTHING_PLAN = { name: 'Everything included', productId: 'everything-plan', price: {} };

/** Of Stripe. `paused`: a trial ended without a card; the contract shows it as `unpaid`. */
export const SUBSCRIPTION_STATUSES = [
  'active',
  'canceled',
  'past_due',
  'incomplete',
  'incomplete_expired',
  'trialing',
  'unpaid',
  'paused',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** How long everything goes on after a payment failed. */
export const LATE_DAYS = 14;

/** What became of a payment on Stripe's page. */
export const CHECKOUT_STATES = ['checking', 'paid', 'trial', 'processing', 'open', 'expired', 'unreachable'] as const;
export type CheckoutState = (typeof CHECKOUT_STATES)[number];

/** What a subscription allows: all of its plan, but for those that the rules of the free plan apply to. */
export const STANDINGS = ['paid', 'ending', 'trial', 'late', 'lapsed', 'paused', 'free', 'given'] as const;
export type Standing = (typeof STANDINGS)[number];
export const LIKE_FREE: readonly Standing[] = ['free', 'lapsed', 'paused'];

/** @param subscription.lateSince when its last invoice began to wait for money; null while none does */
export function standingOf(
  subscription: {
    status: SubscriptionStatus;
    cancelAt: Date | null;
    lateSince: Date | null;
    stripeSubscriptionId: string;
    planId: string;
  },
  now: Date,
): Standing {
  if (isInHouse(subscription)) return subscription.planId === FREE_PLAN_ID ? 'free' : 'given';
  switch (subscription.status) {
    case 'active':
      return subscription.cancelAt === null ? 'paid' : 'ending';
    case 'trialing':
      return subscription.cancelAt === null ? 'trial' : 'ending';
    case 'past_due':
      return now < lateUntil(subscription.lateSince ?? now) ? 'late' : 'lapsed';
    case 'unpaid':
    case 'incomplete':
      return 'lapsed';
    case 'paused':
      return 'paused';
    case 'canceled':
    case 'incomplete_expired':
      return 'free';
  }
}

export function lateUntil(lateSince: Date): Date {
  return new Date(lateSince.getTime() + LATE_DAYS * 86_400_000);
}

/**
 * Until when ending a plan gives back what was paid for it: some days from the first payment of a creator's first plan.
 *
 * @param given.isFirst they had no other plan before
 * @returns null: it does not
 */
export function refundUntil(
  subscription: { created_at: Date; trial_end: Date | null; status: SubscriptionStatus },
  { days, isFirst }: { days: number; isFirst: boolean },
): Date | null {
  if (days === 0 || !isFirst || subscription.status !== 'active') return null;
  return new Date((subscription.trial_end ?? subscription.created_at).getTime() + days * 86_400_000);
}

/** From this number on, Instagram and Facebook followers together, the free plan does not do. */
export const FREE_PLAN_FOLLOWER_LIMIT = 25_000;

/** Active only when the status says so and no end is set. */
export function isActive(subscription: { status: string; cancelAt: Date | string | null }): boolean {
  return subscription.status === 'active' && subscription.cancelAt === null;
}

/** By the name, whatever the plan's id and price are. */
export function isFree(plan: { name: string }): boolean {
  return plan.name.toLowerCase().includes('free');
}

export function isInHouse(subscription: { stripeSubscriptionId: string }): boolean {
  return subscription.stripeSubscriptionId.startsWith(IN_HOUSE_PREFIX);
}

/**
 * The price of a plan as people read it: `$29.00`; `Free` when it has no monthly price.
 *
 * @param price cents by billing interval
 * @returns null when the plan has a price, but none for this interval
 */
export function priceLabel(price: Readonly<Record<string, number>>, interval: string): string | null {
  if (!price.month) return 'Free';
  const cents = price[interval];
  return cents === undefined ? null : dollars(cents);
}

export function dollars(cents: number): string {
  return `${cents < 0 ? '−' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`;
}

/** @param given.followers of all connected accounts, Instagram and Facebook together */
export function needsUpgrade(given: { isFree: boolean; followers: number }): boolean {
  return given.isFree && given.followers >= FREE_PLAN_FOLLOWER_LIMIT;
}
