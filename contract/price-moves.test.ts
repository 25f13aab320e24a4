import { expect, test } from 'vitest';
import { renewalFrom } from '#contract/price-moves.ts';

test.each([
  ['2026-12-28', '2026-12-27', 'month', '2027-01-27'],
  ['2026-12-29', '2026-12-29', 'month', '2026-12-29'],
  ['2027-02-28', '2027-01-31', 'month', '2027-02-28'],
  ['2027-03-01', '2027-01-31', 'month', '2027-03-31'],
  ['2027-03-03', '2027-02-01', 'month', '2027-04-01'],
  ['2028-03-01', '2028-02-29', 'year', '2029-02-28'],
] as const)('the first renewal from %s on, where the next is on %s and they are by the %s, is on %s', (...given) => {
  const [day, next, interval, expected] = given;
  expect(renewalFrom(new Date(day), { next: new Date(next), interval })).toEqual(new Date(expected));
});
