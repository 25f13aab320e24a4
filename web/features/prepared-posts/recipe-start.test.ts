import { expect, test } from 'vitest';
import { linkIn, recipeStart } from './recipe-start.ts';

test.each([
  ['no link here', null],
  ['javascript:alert(1)', null],
  ['https://', null],
  ['Full recipe: https://soup.example/lemon-soup. Enjoy!', 'https://soup.example/lemon-soup'],
  ['(http://a.example/x?y=1)', 'http://a.example/x?y=1'],
])('the link in %j is %j', (caption, link) => expect(linkIn(caption)).toBe(link));

test('fills in the word and the button, and keeps what is there', () => {
  expect(recipeStart({ words: [], buttons: [] }, 'see https://soup.example/a')).toEqual({
    words: ['RECIPE'],
    mode: 'whole_word',
    typoTolerance: true,
    buttons: [{ title: 'Get the recipe', url: 'https://soup.example/a' }],
  });
  const own = [{ title: 'Open', url: 'https://own.example/' }];
  expect(recipeStart({ words: ['Recipe', 'SOUP'], buttons: own }, null)).toMatchObject({
    words: ['Recipe', 'SOUP'],
    buttons: [{ title: 'Get the recipe', url: 'https://own.example/' }],
  });
});
