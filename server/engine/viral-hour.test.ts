/** The whole of it (100,000 comments, 750 an hour) is `node bench/viral-hour.ts`; see docs/benchmarks.md. */
import { expect, test } from 'vitest';
import { simulateViralHour } from './testing/viral-hour.ts';

test('a viral hour: nothing lost, nothing doubled, the limit used and never broken, ends and losses known before', async () => {
  const figures = await simulateViralHour({ comments: [600, 200], perHour: 4 });
  expect(figures).toMatchObject({ comments: 800, lost: 0, doubled: 0 });
  expect(figures.sent + figures.expired).toBe(800);
  expect(figures.mostInAnyHour).toBe(4);
  expect(figures.used).toBeGreaterThanOrEqual(0.99);
  expect(figures.endOff).toHaveLength(2);
  for (const off of figures.endOff) expect(off).toBeLessThan(0.05);
  // Seven days at four an hour are fewer than came: some are lost, and were named six days before.
  expect(figures.expired).toBeGreaterThan(100);
  expect(figures.named / figures.expired).toBeGreaterThan(0.95);
  expect(figures.namedWrongly).toBeLessThan(0.05 * figures.expired);
}, 60_000);
