import { expect, test } from 'vitest';
import { crashAndCompare } from './crash-and-compare.ts';

test('kill -9 at random moments loses no message and doubles none', { timeout: 180_000 }, async () => {
  const seed = Date.now() % 1_000_000;
  const report = await crashAndCompare({ kills: 5, seed });
  expect(report.faults, `seed ${seed}: npm run crash -- --kills 5 --seed ${seed}`).toEqual([]);
  expect(report.ackedMatching).toBeGreaterThan(0);
});
