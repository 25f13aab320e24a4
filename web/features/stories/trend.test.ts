import { expect, test } from 'vitest';
import { findingOf } from './trend.ts';

const day = (day: string, replies: number) => ({ day, replies });

test('the title names the best day where there are enough replies to say so', () => {
  expect(findingOf([day('2026-06-01', 0)])).toBe('No replies in this period');
  expect(findingOf([day('2026-06-01', 1), day('2026-06-02', 0)])).toBe('1 reply in this period');
  expect(findingOf([day('2026-06-01', 15), day('2026-06-02', 5)])).toBe(
    'Monday, June 1 brought in the most: 15 replies',
  );
});
