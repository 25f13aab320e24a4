import { expect, test } from 'vitest';
import { planOffers } from '#web/features/plans/plan-offers.ts';

const plan = (productId: string, price: Record<string, number>) => ({
  productId,
  name: productId === 'free-plan' ? 'Free' : 'Creator',
  price,
  ...{ trialDays: 0, isOnSale: true },
  tagline: '',
  features: [],
});

test('exactly the plan in use is marked', () => {
  const offers = planOffers([plan('free-plan', {}), plan('creator-plan', { month: 2900 })], 'month', 'free-plan');
  expect(offers.map((offer) => offer.current)).toEqual([true, false]);
});

test('a plan that is no longer sold is there for those alone who have it', () => {
  const retired = { ...plan('old-plan', { month: 1900 }), isOnSale: false };
  expect(planOffers([retired], 'month', 'old-plan')).toHaveLength(1);
  expect(planOffers([retired], 'month', 'free-plan')).toEqual([]);
});

test('a plan that is not sold by the year has no yearly price', () => {
  expect(planOffers([plan('creator-plan', { month: 2900 })], 'year', null)[0]).toMatchObject({
    price: null,
    savedCents: null,
  });
});

test('what a year saves is said only when it saves something', () => {
  const saved = (month: number, year: number) =>
    planOffers([plan('creator-plan', { month, year })], 'year', null)[0]?.savedCents;
  expect(saved(2900, 29_000)).toBe(5800);
  expect(saved(1000, 12_000)).toBeNull();
  expect(saved(1000, 13_000)).toBeNull();
});
