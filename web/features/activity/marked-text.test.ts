import { expect, it } from 'vitest';
import { markWords, piecesOf } from '#web/features/activity/marked-text.ts';

it('leaves out places that overlap, are empty or lie outside', () => {
  const places = [
    { start: 2, end: 4 },
    { start: 3, end: 5 },
    { start: 5, end: 5 },
    { start: 5, end: 99 },
  ];
  expect(piecesOf('abcdef', places)).toEqual([
    { text: 'ab', marked: false },
    { text: 'cd', marked: true },
    { text: 'ef', marked: false },
  ]);
});

it('marks a word wherever it stands', () => {
  expect(markWords('RECIPE please, recipe!', ['recipe'])).toEqual([
    { text: 'RECIPE', marked: true },
    { text: ' please, ', marked: false },
    { text: 'recipe', marked: true },
    { text: '!', marked: false },
  ]);
});

it('marks a slip of the finger, and nothing when no word is known', () => {
  expect(markWords('recpie pls', ['recipe'])[0]).toEqual({ text: 'recpie', marked: true });
  expect(markWords('hello', [])).toEqual([{ text: 'hello', marked: false }]);
  expect(markWords('', ['recipe'])).toEqual([]);
});
