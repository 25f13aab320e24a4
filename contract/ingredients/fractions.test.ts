import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { add, fraction, isExact, multiply } from './fractions.ts';

const drawn = fc
  .tuple(fc.oneof(fc.nat(100), fc.maxSafeNat()), fc.oneof(fc.integer({ min: 1, max: 64 }), fc.maxSafeNat()))
  .map(([n, d]) => fraction(n, d || 1));

test('sums and products are right to the last digit, or known not to be', () => {
  fc.assert(
    fc.property(drawn, drawn, (a, b) => {
      const [an, ad, bn, bd] = [a.n, a.d, b.n, b.d].map(BigInt) as [bigint, bigint, bigint, bigint];
      for (const [{ n, d }, top] of [[add(a, b), an * bd + bn * ad] as const, [multiply(a, b), an * bn] as const]) {
        if (isExact({ n, d })) expect(BigInt(n) * ad * bd).toBe(top * BigInt(d));
      }
    }),
    { numRuns: 10_000 },
  );
});

test('what is not exact stays so', () => {
  const huge = add(fraction(Number.MAX_SAFE_INTEGER), fraction(1));
  expect([huge, add(huge, fraction(1)), multiply(fraction(0), huge)].map(isExact)).toEqual([false, false, false]);
});
