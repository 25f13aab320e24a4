import { priceLabel } from '#contract/plans.ts';

export type Interval = 'month' | 'year';

export type PlanOffer = {
  productId: string;
  name: string;
  tagline: string;
  features: string[];
  /** `$29.00` or `Free`; null when the plan is not sold at this interval. */
  price: string | null;
  trialDays: number;
  current: boolean;
  /** Cents saved by paying for a year instead of twelve months; null when nothing is. */
  savedCents: number | null;
};

type Plan = {
  productId: string;
  name: string;
  price: Record<string, number>;
  trialDays: number;
  isOnSale: boolean;
  tagline: string;
  features: string[];
};

/** The plans as they are compared, in the order of the server (cheapest first): those on sale, and one's own. */
export function planOffers(plans: readonly Plan[], interval: Interval, currentProductId: string | null): PlanOffer[] {
  const shown = plans.filter((plan) => plan.isOnSale || plan.productId === currentProductId);
  return shown.map((plan) => ({
    productId: plan.productId,
    name: plan.name,
    tagline: plan.tagline,
    features: plan.features,
    price: priceLabel(plan.price, interval),
    trialDays: plan.trialDays,
    current: plan.productId === currentProductId,
    savedCents: interval === 'year' ? savedByYear(plan.price) : null,
  }));
}

function savedByYear({ month, year }: Record<string, number>): number | null {
  if (!month || !year) return null;
  const saved = month * 12 - year;
  return saved > 0 ? saved : null;
}

export function intervalWords(interval: Interval): string {
  return interval === 'year' ? 'a year' : 'a month';
}
