import { expect, it } from 'vitest';
import { choicesFor, daysInWords, keepsLess, type Retention, selectedOf } from './retention-words.ts';

const most = { historyDays: 1095, textsDays: 730, webhookLogDays: 30 };
const nothing: Retention = { historyDays: null, textsDays: null, webhookLogDays: null, most };

it.each([
  [1, '1 day'],
  [30, '30 days'],
  [45, '45 days'],
  [90, '3 months'],
  [365, '1 year'],
  [730, '2 years'],
])('says %d days as %s', (days, words) => {
  expect(daysInWords(days)).toBe(words);
});

it('offers nothing longer than the installation keeps, and the installation’s own time last', () => {
  expect(choicesFor('textsDays', nothing).map(({ label }) => label)).toEqual([
    '30 days',
    '3 months',
    '6 months',
    '1 year',
    '2 years (maximum)',
  ]);
  const short = { ...nothing, most: { ...most, historyDays: 100 } };
  expect(choicesFor('historyDays', short)).toEqual([
    { days: 90, label: '3 months' },
    { days: null, label: '100 days (maximum)' },
  ]);
});

it('goes on offering what was chosen, as long as it counts', () => {
  expect(choicesFor('webhookLogDays', { ...nothing, webhookLogDays: 12 }).map(({ days }) => days)).toEqual([
    1,
    7,
    12,
    null,
  ]);
  const lowered = { ...nothing, historyDays: 1000, most: { ...most, historyDays: 365 } };
  expect(choicesFor('historyDays', lowered).map(({ days }) => days)).toEqual([90, 180, null]);
  expect(selectedOf('historyDays', lowered)).toBeNull();
  expect(selectedOf('historyDays', { ...nothing, historyDays: 90 })).toBe(90);
});

it('knows when saving deletes something', () => {
  expect(keepsLess(nothing, { ...nothing, historyDays: 90 })).toBe(true);
  expect(keepsLess({ ...nothing, historyDays: 90 }, nothing)).toBe(false);
  expect(keepsLess(nothing, { ...nothing, textsDays: 730 })).toBe(false);
});
