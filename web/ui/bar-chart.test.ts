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
  [1, 7, [0]],
  [7, 7, [0, 1, 2, 3, 4, 5, 6]],
  [7, 3, [0, 1, 2, 3, 4, 5, 6]],
  [30, 7, [4, 9, 14, 19, 24, 29]],
  [30, 3, [9, 19, 29]],
  [90, 7, [11, 24, 37, 50, 63, 76, 89]],
  [90, 3, [29, 59, 89]],
] as const)('of %d columns with room for %d names those are named', (columns, room, named) => {
  const places = Array.from({ length: columns }, (_, place) => place);
  expect(places.filter((place) => isNamed(place, columns, room))).toEqual(named);
});
