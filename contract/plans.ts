/** The rules of plans and subscriptions (spec sections 3, 4 and 9), for server and browser alike. */

/** Subscriptions that were granted, not bought: their ids begin with it. */
export const IN_HOUSE_PREFIX = 'inhouse_';

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
  return cents === undefined ? null : `$${(cents / 100).toFixed(2)}`;
}

/** @param given.followers of all connected accounts, Instagram and Facebook together */
export function needsUpgrade(given: { isFree: boolean; followers: number }): boolean {
  return given.isFree && given.followers >= FREE_PLAN_FOLLOWER_LIMIT;
}
