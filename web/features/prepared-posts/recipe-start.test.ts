import { expect, test } from 'vitest';
import { linkIn } from '#contract/link-in.ts';
import { recipeStart, startOf } from './recipe-start.ts';

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

test('begins with a recipe of theirs: its words beside RECIPE, its page, its message where it has one', () => {
  const input = { words: ['recipe'], buttons: [{ title: 'Old', url: 'https://a.example/' }], messageText: 'Hi' };
  const recipe = {
    id: 'r1',
    url: 'https://blog.example/pasta',
    leadsTo: 'https://blog.example/pasta',
    list: null,
    keywordIdeas: ['Recipe', 'PASTA'],
    messageText: '',
  };
  expect(startOf(recipe, input)).toMatchObject({
    words: ['recipe', 'PASTA'],
    buttons: [{ title: 'Get the recipe', url: recipe.leadsTo, recipeId: 'r1' }],
    messageText: 'Hi',
  });
  expect(startOf({ ...recipe, messageText: 'Here is the pasta' }, input).messageText).toBe('Here is the pasta');
});

test('has a second button to the shopping list, once every line of it is ready', () => {
  const page = 'https://blog.example/pasta';
  const url = 'https://hq.example/s/abc';
  const buttonsOf = (over: object) => {
    const recipe = { id: 'r1', url: page, leadsTo: page, list: null, keywordIdeas: [], messageText: '', ...over };
    return startOf(recipe, { words: [], buttons: [], messageText: '' }).buttons;
  };
  const toPage = { title: 'Get the recipe', url: page, recipeId: 'r1' };
  expect(buttonsOf({ list: { url, lines: 8, toCheck: 0 } })).toEqual([
    toPage,
    { title: 'Shop ingredients', url, recipeId: 'r1', part: 'list' },
  ]);
  expect(buttonsOf({ list: { url, lines: 8, toCheck: 3 } })).toEqual([toPage]);
  expect(buttonsOf({ list: { url, lines: 0, toCheck: 0 } })).toEqual([toPage]);
  expect(buttonsOf({ url: null, leadsTo: url, list: { url, lines: 8, toCheck: 0 } })).toHaveLength(1);
});
