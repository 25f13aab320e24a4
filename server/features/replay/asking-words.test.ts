import { describe, expect, test } from 'vitest';
import { asksForSomething, looksLikeAsking, looksLikeTalk } from './asking-words.ts';

describe('looking like asking', () => {
  test.each(['Wow', '😍😍😍', '', '@friend', 'This made my whole week, thank you so much for all you do every day?'])(
    '%j does not',
    (text) => expect(looksLikeAsking(text, ['RECIPE'])).toBeNull(),
  );
  test.each([
    ['recepy', 'recepy'],
    ['La receta por favor', 'receta'],
    ['LINK??', 'link'],
    ['Rezept bitte', 'rezept'],
    ['send it to me', null],
    ['Is it vegan?', null],
  ])('%j does', (text, word) => expect(looksLikeAsking(text, ['RECIPE'])).toMatchObject({ word }));
});

test('asking for the recipe by name, in any language', () => {
  expect(['Recipe?', 'RECETA!!', 'рецепт', 'الوصفة'].filter(asksForSomething)).toHaveLength(4);
  expect(asksForSomething('So pretty?')).toBe(false);
});

describe('looking like talk', () => {
  test.each(['recipe please', 'RECIPE', 'I made it and want the recipe', 'Loved it, recipe?'])('%j does not', (text) =>
    expect(looksLikeTalk(text)).toBeNull(),
  );
  test('praise does, and so does a long story', () => {
    expect(looksLikeTalk('I made this recipe and loved it')).toContain('made');
    expect(
      looksLikeTalk('my grandmother had a recipe like that and she would cook it every sunday after church'),
    ).toContain('long');
  });
});
