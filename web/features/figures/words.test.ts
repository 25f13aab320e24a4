import { expect, test } from 'vitest';
import { againstUsual, comparisonWords, intervalWords, shareOf } from './words.ts';

test('a share of nothing is none', () => {
  expect(shareOf(0, 0)).toBeNull();
  expect(againstUsual(null, 0.2)).toBeUndefined();
});

test('a share stands beside the usual one', () => {
  expect(againstUsual(shareOf(34, 100), 0.28)).toBe('34% of messages; your average is 28%');
  expect(againstUsual(0.34, null)).toBe('34% of messages');
});

test('a comparison says what it knows and no more', () => {
  const comparison = { wordings: [], winner: null, decidedAt: null, needed: 200 };
  expect(comparisonWords({ ...comparison, state: 'not_sure' })).toMatch(/^No clear winner yet/);
  expect(comparisonWords({ ...comparison, state: 'too_few' })).toMatch(/^Too early/);
  expect(comparisonWords({ ...comparison, state: 'decided', winner: 'b' })).toMatch(/^Version B gets more clicks/);
  expect(intervalWords({ low: 0.2, high: 0.31 })).toBe('between 20% and 31% tap');
});
