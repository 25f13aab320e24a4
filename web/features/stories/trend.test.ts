import { expect, test } from 'vitest';
import { findingOf, heightsOf } from './trend.ts';

const day = (day: string, replies: number, sent = 0) => ({ day, stories: 1, replies, sent });

test('bars are parts of the largest number', () => {
  expect(heightsOf([day('2026-06-01', 4, 2), day('2026-06-02', 0, 8)])).toEqual([
    { day: '2026-06-01', replies: 0.5, sent: 0.25 },
    { day: '2026-06-02', replies: 0, sent: 1 },
  ]);
  expect(heightsOf([day('2026-06-01', 0)])[0]!.replies).toBe(0);
});

test('the title names the best day', () => {
  expect(findingOf([day('2026-06-01', 0)])).toBe('No replies in this period');
  expect(findingOf([day('2026-06-01', 1), day('2026-06-02', 0)])).toBe('Monday, June 1 brought in the most: 1 reply');
});
