import { expect, it } from 'vitest';
import { axisTop, isNamed } from '#web/ui/bar-chart.ts';

it.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [10, 10],
  [11, 20],
  [55, 60],
  [401, 600],
  [1736, 2000],
])('an axis up to %d ends at %d', (most, top) => {
  expect(axisTop(most)).toBe(top);
});

it.each([
  [1, [0]],
  [7, [0, 1, 2, 3, 4, 5, 6]],
  [30, [4, 9, 14, 19, 24, 29]],
  [90, [11, 24, 37, 50, 63, 76, 89]],
])('of %d columns those are named that have room', (columns, named) => {
  expect(Array.from({ length: columns }, (_, place) => place).filter((place) => isNamed(place, columns))).toEqual(
    named,
  );
});
