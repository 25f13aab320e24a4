import { expect, it } from 'vitest';
import { ago, count } from './words.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const MINUTE_MS = 60_000;

it.each([
  ['now', 59_000],
  ['1 min', MINUTE_MS],
  ['59 min', 59 * MINUTE_MS],
  ['1 h', 60 * MINUTE_MS],
  ['23 h', 23 * 60 * MINUTE_MS],
  ['1 d', 24 * 60 * MINUTE_MS],
  ['13 d', 13 * 24 * 60 * MINUTE_MS],
])('says "%s" as a phone does', (words, passedMs) => {
  expect(ago(NOW - passedMs, NOW)).toBe(words);
});

it('says the date of what is older than two weeks', () => {
  expect(ago(NOW - 30 * 24 * 60 * MINUTE_MS, NOW)).toBe('May 2, 2026');
});

it('takes a moment ahead of this clock for now', () => {
  expect(ago(NOW + 5_000, NOW)).toBe('now');
});

it('counts in words', () => {
  expect([count(0, 'like'), count(1, 'like'), count(1284, 'like')]).toEqual(['0 likes', '1 like', '1,284 likes']);
});
