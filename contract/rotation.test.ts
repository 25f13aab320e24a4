import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseVariant } from './rotation.ts';

describe('a variant', () => {
  test('is none of none and the only one of one', () => {
    expect(chooseVariant(0, null, () => 0)).toBeNull();
    expect(chooseVariant(0, 3, () => 0)).toBeNull();
    expect(chooseVariant(1, null, () => 0.9)).toBe(0);
    expect(chooseVariant(1, 0, () => 0.9)).toBe(0);
  });

  test('is any at first, and any but the last afterwards', () => {
    const chosen = (last: number | null) => [0, 0.26, 0.51, 0.76].map((value) => chooseVariant(4, last, () => value));
    expect(chosen(null)).toEqual([0, 1, 2, 3]);
    expect(new Set(chosen(2))).toEqual(new Set([0, 1, 3]));
  });

  test('is any when the last one has been deleted', () => {
    expect([0, 0.4, 0.9].map((value) => chooseVariant(3, 7, () => value))).toEqual([0, 1, 2]);
  });

  test('is always one that exists and never the last one again', () => {
    const random = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 20 }), fc.option(fc.nat(25)), random, (count, last, value) => {
        const index = chooseVariant(count, last, () => value)!;
        expect(index).toBeGreaterThanOrEqual(0);
        expect(index).toBeLessThan(count);
        expect(index).not.toBe(last);
      }),
    );
  });
});
