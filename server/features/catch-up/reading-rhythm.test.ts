import { describe, expect, test } from 'vitest';
import {
  isBefore,
  isQuiet,
  nextReadingAfterMs,
  readsBackTo,
  retryAfterMs,
  unheardOf,
  wantsWhole,
} from './reading-rhythm.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date('2026-06-10T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

describe('the comments of a post are read again', () => {
  test.each([
    ['new', 0, 2 * MINUTE_MS],
    ['a second less than an hour old', HOUR_MS - 1000, 2 * MINUTE_MS],
    ['an hour old', HOUR_MS, 10 * MINUTE_MS],
    ['a second less than a day old', DAY_MS - 1000, 10 * MINUTE_MS],
    ['a day old', DAY_MS, HOUR_MS],
    ['a second less than a week old', 7 * DAY_MS - 1000, HOUR_MS],
    ['a week old', 7 * DAY_MS, DAY_MS],
  ])('%s', (_name, ageMs, afterMs) => {
    expect(nextReadingAfterMs(ageMs)).toBe(afterMs);
  });

  test('after failures: a minute, doubling up to an hour', () => {
    expect([0, 1, 2, 5, 6, 50].map(retryAfterMs)).toEqual([1, 2, 4, 32, 60, 60].map((minutes) => minutes * MINUTE_MS));
  });
});

describe('a quiet post costs no call', () => {
  const quiet = { ageMs: 7 * DAY_MS + 1, readTo: NOW, cursor: null, commentsCount: 3, platformCounted: 3 };
  test.each<
    [string, Partial<typeof quiet> | { readTo: null } | { cursor: string } | { commentsCount: number }, boolean]
  >([
    ['more than a week old, read, and its number as it was', {}, true],
    ['a week old', { ageMs: 7 * DAY_MS }, false],
    ['never read', { readTo: null }, false],
    ['with another number', { commentsCount: 4 }, false],
    ['whose reading broke off', { cursor: 'there' }, false],
  ])('%s', (_name, more, is) => {
    expect(isQuiet({ ...quiet, ...more })).toBe(is);
  });
});

describe('it is read to its first comment', () => {
  test.each<[string, number, Date | null, boolean]>([
    ['never before', 9999, null, true],
    ['with up to 200 comments always', 200, NOW, true],
    ['with 201, a second less than an hour ago', 201, ago(HOUR_MS - 1000), false],
    ['with 201, an hour ago', 201, ago(HOUR_MS), true],
    ['with 5000, an hour ago', 5000, ago(HOUR_MS), true],
    ['with 5001, an hour ago', 5001, ago(HOUR_MS), false],
    ['with 5001, a second less than a day ago', 5001, ago(DAY_MS - 1000), false],
    ['with 5001, a day ago', 5001, ago(DAY_MS), true],
  ])('%s', (_name, comments, wholeAt, is) => {
    expect(wantsWhole({ comments, wholeAt, now: NOW })).toBe(is);
  });
});

describe('it is read back to', () => {
  const post = { whole: true, postedAt: ago(DAY_MS), connectedAt: ago(2 * DAY_MS), readTo: ago(HOUR_MS) };
  test.each<[string, Partial<Parameters<typeof readsBackTo>[0]>, Date | null]>([
    ['its first comment', {}, null],
    ['ten minutes before the last reading', { whole: false }, ago(HOUR_MS + 10 * MINUTE_MS)],
    ['its first comment where nothing was read', { whole: false, readTo: null }, null],
    ['its first comment, a week before us', { postedAt: ago(9 * DAY_MS) }, null],
    ['a week before us, where it is older', { postedAt: ago(9 * DAY_MS + 1000) }, ago(9 * DAY_MS)],
    [
      'a week before us, where the last reading was earlier',
      { whole: false, readTo: ago(20 * DAY_MS) },
      ago(9 * DAY_MS),
    ],
  ])('%s', (_name, more, to) => {
    expect(readsBackTo({ ...post, ...more })).toEqual(to);
  });
});

describe('a comment is news', () => {
  const historyFrom = ago(DAY_MS);
  test.each<[string, { id: string; at: Date | null }, Date | null, boolean]>([
    ['nobody told of', { id: 'new', at: NOW }, historyFrom, true],
    ['without a time', { id: 'new', at: null }, historyFrom, true],
    ['a webhook told of, which is none', { id: 'known', at: NOW }, historyFrom, false],
    ['on the page before, too, which is none', { id: 'found', at: NOW }, historyFrom, false],
    ['as old as what is kept', { id: 'new', at: historyFrom }, historyFrom, true],
    ['a second older than what is kept, which is none', { id: 'new', at: ago(DAY_MS + 1000) }, historyFrom, false],
    ['years old where all is kept', { id: 'new', at: ago(900 * DAY_MS) }, null, true],
  ])('%s', (_name, comment, from, is) => {
    const news = unheardOf([comment], { known: new Set(['known']), found: new Set(['found']), historyFrom: from });
    expect(news).toEqual(is ? [comment] : []);
  });
});

test.each<[string, Date | null | undefined, Date | null, boolean]>([
  ['a second before', ago(1000), NOW, true],
  ['at', NOW, NOW, false],
  ['after', NOW, ago(1000), false],
  ['of no time', null, NOW, false],
  ['of an empty page', undefined, NOW, false],
  ['with no end but the first comment', NOW, null, false],
])('a reading has gone far enough, its last comment being %s: %s', (_name, at, limit, is) => {
  expect(isBefore(at, limit)).toBe(is);
});
