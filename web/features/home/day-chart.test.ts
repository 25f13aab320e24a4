import { expect, it } from 'vitest';
import { barsOf, findingOf } from '#web/features/home/day-chart.ts';

const days = (...comments: number[]) =>
  comments.map((count, index) => ({ day: `2026-03-0${index + 1}`, comments: count, sent: count / 2 }));

it('says so when nothing happened, and draws nothing', () => {
  expect(findingOf(days(0, 0, 0))).toBe('No comments in the last 7 days');
  expect(barsOf(days(0, 0)).every((bar) => bar.comments === 0)).toBe(true);
});

it('names the busiest day', () => {
  // 2026-03-02 is a Monday.
  expect(findingOf(days(1, 1200, 3))).toBe('Monday was your busiest day: 1,200 comments');
});

it('says today when the busiest day is not over', () => {
  expect(findingOf(days(0, 0, 1))).toBe('Today is your busiest day this week: 1 comment so far');
});

it('measures every bar against the largest number', () => {
  expect(barsOf(days(2, 4)).map((bar) => bar.comments)).toEqual([0.5, 1]);
});
