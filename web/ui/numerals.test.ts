import { expect, it } from 'vitest';
import { compactNumerals, numerals } from '#web/ui/numerals.ts';

it('writes numbers as the language does', () => {
  const language = new Intl.NumberFormat('en');
  for (const value of [0, 7, 999, 1000, 12_345, 1_000_000, -999, -1234, 0.5, 1234.5, 9_007_199_254_740_991]) {
    expect(numerals(value)).toBe(language.format(value));
  }
});

it('is brief on small cards', () => {
  expect([7, 999, 1234, 12_345, 3_400_000].map(compactNumerals)).toEqual(['7', '999', '1.2K', '12K', '3.4M']);
});
