import { expect, it } from 'vitest';
import { dayLabel, findingOf, shortLabel } from '#web/features/home/day-chart.ts';

const days = (...comments: number[]) =>
  comments.map((count, index) => ({ day: `2026-03-0${index + 1}`, comments: count, sent: count / 2 }));

it('says so when nothing happened', () => {
  expect(findingOf(days(0, 0, 0))).toBe('No comments in the last 3 days');
});

it('names no busiest day while there are few comments', () => {
  expect(findingOf(days(0, 0, 1))).toBe('1 comment in the last 3 days');
  expect(findingOf(days(9, 10, 0))).toBe('19 comments in the last 3 days');
});

it('names the busiest day', () => {
  // 2026-03-02 is a Monday.
  expect(findingOf(days(1, 1200, 3))).toBe('Monday was your busiest day: 1,200 comments');
  expect(findingOf(days(1, 1200, 3, 0, 0, 0, 0, 0))).toBe('Mar 2 was your busiest day: 1,200 comments');
});

it('says today when the busiest day is not over', () => {
  expect(findingOf(days(0, 0, 20))).toBe('Today is your busiest day this week: 20 comments so far');
  expect(findingOf(days(0, 0, 0, 0, 0, 0, 0, 20))).toBe('Today is your busiest day: 20 comments so far');
});

it('names days by weekday in a week, by date in more', () => {
  expect(dayLabel('2026-03-02')).toBe('Mon, Mar 2');
  expect(shortLabel('2026-03-02', 7)).toBe('Mon');
  expect(shortLabel('2026-03-02', 30)).toBe('Mar 2');
});
