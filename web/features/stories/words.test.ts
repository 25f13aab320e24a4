import { expect, test } from 'vitest';
import { comparedWithUsual, instagramFigure, stateOf, storyTitle, timeLeft } from './words.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');

test.each([
  ['2026-06-02T11:40:00Z', '24 hours left'],
  ['2026-06-01T13:31:00Z', '2 hours left'],
  ['2026-06-01T13:00:00Z', '60 minutes left'],
  ['2026-06-01T12:00:30Z', 'Ending now'],
  ['2026-06-01T11:00:00Z', 'Ending now'],
])('a story until %s has “%s”', (expiresAt, said) => {
  expect(timeLeft(expiresAt, NOW)).toBe(said);
});

test('a story without a caption is called what it is', () => {
  expect(storyTitle({ kind: 'story', caption: ' Sauce\nLink below' })).toBe('Sauce');
  expect(storyTitle({ kind: 'story', caption: '' })).toBe('Story');
  expect(storyTitle({ kind: 'live', caption: ' ' })).toBe('Live video');
});

test('how it stands', () => {
  expect(stateOf({ kind: 'live', endedAt: null, takenDown: false })).toBe('Live now');
  expect(stateOf({ kind: 'story', endedAt: 'x', takenDown: true })).toBe('Taken down');
  expect(stateOf({ kind: 'story', endedAt: 'x', takenDown: false })).toBe('Ended');
});

test.each([
  [4, undefined, null],
  [0, 0, null],
  [6, 0, 'more than your average'],
  [3, 2, null],
  [20, 10, '2 times your average'],
  [13, 10, '30% more than usual'],
  [10, 10, 'about your average'],
  [4, 10, '60% less than usual'],
])('%s against a median of %s is “%s”', (value, median, said) => {
  expect(comparedWithUsual(value, median)).toBe(said);
});

test('Instagram’s -1 means fewer than five', () => {
  expect([instagramFigure(-1), instagramFigure(0), instagramFigure(null)]).toEqual(['under 5', 0, null]);
});
