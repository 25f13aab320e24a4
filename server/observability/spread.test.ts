import { Histogram } from 'prom-client';
import { expect, test } from 'vitest';
import { between, quantile, type Spread, spreadOf } from './spread.ts';

/** As prom-client counts: what is in a bucket is in all above it, too. */
function spread(...inBuckets: [number, number, number, number]): Spread {
  let values = 0;
  return [1, 2, 4, Number.POSITIVE_INFINITY].map((upTo, index) => {
    values += inBuckets[index]!;
    return [upTo, values];
  });
}

test('a quantile lies within the bucket that holds it; above all bounds it is the last one', () => {
  expect(quantile(0.5, spread(0, 10, 0, 0))).toBe(1.5);
  expect(quantile(0.99, spread(100, 0, 0, 0))).toBeCloseTo(0.99);
  expect(quantile(0.99, spread(0, 0, 0, 5))).toBe(4);
  expect(quantile(0.5, spread(5, 0, 0, 5))).toBe(1);
  expect(quantile(0.5, spread(0, 0, 0, 0))).toBeNull();
  expect(quantile(0.5, [])).toBeNull();
});

test('a histogram is read over all its labels, and of two looks what came between', async () => {
  const took = new Histogram({ name: 'took', help: 'Took.', buckets: [1, 2, 4], labelNames: ['lane'], registers: [] });
  expect(await spreadOf(took)).toEqual([]);
  took.observe({ lane: 'messages' }, 0.5);
  took.observe({ lane: 'public_replies' }, 1);
  const before = await spreadOf(took);
  expect(before).toEqual(spread(2, 0, 0, 0));
  took.observe({ lane: 'messages' }, 3);
  took.observe({ lane: 'public_replies' }, 7);
  expect(between(before, await spreadOf(took))).toEqual(spread(0, 0, 1, 1));
  expect(between([], before)).toEqual(before);
});
