import { expect, it } from 'vitest';
import { markWords } from '#web/features/activity/mark-words.ts';
import { markPlainly, piecesOf } from '#web/features/activity/marked-text.ts';

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

it('marks without the matcher what the matcher would mark', () => {
  const texts = [
    'RECIPE please, recipe!',
    'pancakes 🙏🔥 Recipe',
    'Send recipe and the LINK',
    'send, recipe',
    '@recipefan recipe please',
    'la receta, por favor: crème RECIPE',
    'recipe\u0301 or recipes',
    'İ want the recipe',
    'recpie pls',
  ];
  const wordings = [
    ['recipe'],
    ['cake', 'recipe'],
    ['send recipe'],
    ['send recipe', 'recipe'],
    ['link', 'recipe'],
    ['creme'],
    ['🔥'],
  ];
  let plain = 0;
  for (const text of texts) {
    for (const words of wordings) {
      const pieces = markPlainly(text, words);
      if (pieces === null) continue;
      plain++;
      expect(pieces, `${words} in ${text}`).toEqual(markWords(text, words));
    }
  }
  expect(plain).toBeGreaterThan(5);
});

it('leaves to the matcher what takes more than looking', () => {
  expect(markPlainly('recpie pls', ['recipe'])).toBeNull();
  expect(markPlainly('Crème please', ['creme'])).toBeNull();
  expect(markPlainly('@recipefan please', ['recipe'])).toBeNull();
  expect(markPlainly('send recipe', ['send', 'send recipe'])).toBeNull();
  expect(markPlainly('hello', [])).toEqual([{ text: 'hello', marked: false }]);
});
