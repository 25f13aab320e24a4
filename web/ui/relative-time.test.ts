import { expect, it } from 'vitest';
import { relativeTime } from '#web/ui/relative-time.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const ago = (seconds: number) => relativeTime(NOW - seconds * 1000, NOW);

it('says just now for what a clock may be off by', () => {
  expect(ago(10)).toBe('just now');
  expect(ago(-10)).toBe('just now');
});

it('never says just now of what is still to come', () => {
  expect(ago(-30)).toBe('in a moment');
});

it('counts whole units of the past, never rounding up', () => {
  expect(ago(50)).toBe('1 minute ago');
  expect(ago(119)).toBe('1 minute ago');
  expect(ago(3 * 3600 + 3599)).toBe('3 hours ago');
  expect(ago(86_400)).toBe('yesterday');
});

it('takes the nearest unit for what is to come', () => {
  expect(ago(-2 * 3600)).toBe('in 2 hours');
  expect(ago(-(7 * 86_400 - 1))).toBe('in 7 days');
  expect(ago(-(3600 + 60))).toBe('in 1 hour');
});

it('speaks as the language does', () => {
  const language = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const days = { day: 1, week: 7, month: 30, year: 365 } as const;
  for (const [unit, length] of Object.entries(days) as [keyof typeof days, number][]) {
    for (const count of [1, 2, 3]) {
      expect(ago(count * length * 86_400)).toBe(language.format(-count, unit));
      expect(ago(-count * length * 86_400)).toBe(language.format(count, unit));
    }
  }
  expect(ago(50)).toBe(language.format(-1, 'minute'));
  expect(ago(-50)).toBe(language.format(1, 'minute'));
});
