import { expect, it } from 'vitest';
import { seeRows } from '#web/features/activity/new-rows.ts';

const row = (id: string, minute: number) => ({
  id,
  receivedAt: `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000Z`,
});

it('calls nothing new at first', () => {
  const seen = seeRows(null, [row('a', 1)]);
  expect(seen.fresh).toEqual(new Set());
});

it('calls new what came later, not what scrolling brought', () => {
  const first = seeRows(null, [row('b', 5), row('a', 4)]);
  const next = seeRows(first, [row('c', 6), row('b', 5), row('a', 4), row('old', 1)]);
  expect(next.fresh).toEqual(new Set(['c']));
  expect(seeRows(next, [row('c', 6), row('b', 5)])).toBe(next);
});

it('calls the first row of an empty list new', () => {
  expect(seeRows(seeRows(null, []), [row('a', 1)]).fresh).toEqual(new Set(['a']));
});
