import { expect, test } from 'vitest';
import { adFreeCost, paidAMonth } from './ad-free-cost.ts';

test('a member costs what their pages would have earned', () => {
  // $20 for a thousand views.
  expect(adFreeCost({ income: 2_400_000, views: 1_200_000, reads: 40 })).toBe(80);
  expect(adFreeCost({ income: 0, views: 10, reads: 40 })).toBe(0);
  for (const views of [0, Number.NaN, -1]) expect(adFreeCost({ income: 100, views, reads: 40 })).toBe(null);
  expect(adFreeCost({ income: null, views: 10, reads: 40 })).toBe(null);
  expect(adFreeCost({ income: 100, views: 10, reads: Number.NaN })).toBe(null);
});

test('who pays by the year pays a twelfth a month', () => {
  expect(paidAMonth(450, 4500)).toBe(375);
  expect(paidAMonth(450, null)).toBe(450);
  expect(paidAMonth(null, 4500)).toBe(375);
  expect(paidAMonth(null, null)).toBe(null);
});
