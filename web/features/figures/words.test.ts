import { expect, test } from 'vitest';
import { comparisonWords, intervalWords, shareWords } from './words.ts';

test('a share of nothing is none', () => {
  expect(shareWords(0, 0, { part: 50, sent: 100 })).toBeUndefined();
});

test('a few messages are counted out, and compared with nothing', () => {
  expect(shareWords(1, 1, { part: 50, sent: 100 })).toBe('1 of 1 message');
  expect(shareWords(4, 19, { part: 50, sent: 100 })).toBe('4 of 19 messages');
});

test('a share stands beside the usual one where there are enough other messages', () => {
  expect(shareWords(34, 100, { part: 56, sent: 200 })).toBe('34% of messages; your average is 28%');
  expect(shareWords(34, 100, { part: 34, sent: 100 })).toBe('34% of messages');
  expect(shareWords(34, 100, { part: 40, sent: 119 })).toBe('34% of messages');
});

test('a comparison says what it knows and no more', () => {
  const comparison = { wordings: [], winner: null, decidedAt: null, needed: 200 };
  expect(comparisonWords({ ...comparison, state: 'not_sure' })).toMatch(/^No clear winner yet/);
  expect(comparisonWords({ ...comparison, state: 'too_few' })).toMatch(/^Too early/);
  expect(comparisonWords({ ...comparison, state: 'decided', winner: 'b' })).toMatch(/^Version B gets more clicks/);
  expect(intervalWords({ low: 0.2, high: 0.31 })).toBe('between 20% and 31% tap');
});
