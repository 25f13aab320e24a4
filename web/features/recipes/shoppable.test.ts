import { expect, test } from 'vitest';
import type { Automation } from '#contract/automations.ts';
import { newInput } from '#web/features/automations/automation-form.ts';
import { choicesOf, shoppableInput } from './shoppable.ts';

const post = {
  ...{ id: 'p1', connectionId: 'c1', caption: 'Comment PASTA for the recipe', pictureUrl: null },
  ...{ asksFor: 'PASTA', suggestedWords: ['PASTA'] },
};
const page = 'https://blog.example/pasta';
const list = { url: 'https://hq.example/s/abc', lines: 8, toCheck: 0 };
const recipe = { id: 'r1', url: page, leadsTo: page, list };
const toPage = { title: 'Get the recipe', url: page, recipeId: 'r1' };
const toList = { title: 'Shop ingredients', url: list.url, recipeId: 'r1', part: 'list' };

test('a post without an automation gets one that listens for the caption’s word, with both buttons', () => {
  expect(shoppableInput(post, null, recipe, 'PASTA')).toMatchObject({
    ...{ postId: 'p1', connectionId: 'c1', words: ['PASTA'], mode: 'whole_word', buttons: [toPage, toList] },
  });
});

test('a recipe without a page has one button, to its list', () => {
  const own = { ...recipe, url: null, leadsTo: list.url };
  expect(shoppableInput(post, null, own, 'PASTA').buttons).toEqual([toList]);
});

test('an automation that is there keeps its text, its words and its other buttons, three at most', () => {
  const place = { connectionId: 'c1', postId: 'p1', suggestedWords: ['Pasta'] };
  const other = (at: number) => ({ title: `Other ${at}`, url: `https://other.example/${at}` });
  const live = {
    ...newInput(place),
    ...{ messageText: 'Hi!', draft: null, buttons: [{ title: 'Recipe', url: page }, other(1), other(2)] },
  } as unknown as Automation;
  const changed = shoppableInput(post, live, recipe, 'PASTA');
  expect(changed).toMatchObject({ messageText: 'Hi!', words: ['Pasta'], buttons: [toPage, toList, other(1)] });
  expect(shoppableInput(post, live, recipe, 'SOUP').words).toEqual(['Pasta', 'SOUP']);
});

test.each([
  ['the word that the caption asks for', post, 'PASTA'],
  ['a word it suggests', { ...post, asksFor: null, suggestedWords: ['LEMON'] }, 'LEMON'],
  ['RECIPE where it has none', { ...post, asksFor: null, suggestedWords: [] }, 'RECIPE'],
])('listens for %s', (_, of, word) => {
  expect(choicesOf(of, { kind: 'recipe', id: 'r1', name: 'Pasta' }).word).toBe(word);
});
