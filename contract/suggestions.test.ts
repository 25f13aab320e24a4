import { expect, it } from 'vitest';
import { compileMatcher } from '#contract/matching/index.ts';
import { LANGUAGES, suggestionsFor } from '#contract/suggestions.ts';

const translationsOf = (word: string) =>
  Object.fromEntries(suggestionsFor(word).translations.map(({ language, words }) => [language, words]));

it('knows the word in the languages that followers write', () => {
  expect(translationsOf('recipe')).toMatchObject({ es: ['receta'], pt: ['receita'], de: ['Rezept'], ru: ['рецепт'] });
  expect(translationsOf('Pizza')).toEqual({ ru: ['пицца'] });
});

it('finds the line from any language, accents or none', () => {
  expect(translationsOf('limon')).toMatchObject({ en: ['lemon'], de: ['Zitrone'] });
  expect(translationsOf('Zutaten')).toMatchObject({ en: ['ingredients'], pl: ['składniki'] });
});

it('writes them as the creator writes their own', () => {
  expect(translationsOf('RECIPE')).toMatchObject({ es: ['RECETA'], tr: ['TARIF'] });
  expect(suggestionsFor('RECIPE').misspellings[0]).toBe('RECEPIE');
});

it('begins with the slips that people really make', () => {
  expect(suggestionsFor('recipe').misspellings).toEqual(expect.arrayContaining(['recepie', 'recipie', 'receipe']));
});

it('makes slips of its own for other words, always the same and few', () => {
  const { misspellings } = suggestionsFor('tiramisu');
  expect(misspellings).toHaveLength(8);
  expect(misspellings).toContain('tirramisu');
  expect(suggestionsFor('tiramisu').misspellings).toEqual(misspellings);
  expect(suggestionsFor('piece').misspellings[0]).toBe('peice');
});

it('suggests no slip that is a word of its own', () => {
  expect(suggestionsFor('list').misspellings).not.toContain('lista');
  expect(suggestionsFor('cake').misspellings).not.toContain('cake');
});

it('guesses nothing for what it does not know', () => {
  for (const word of ['', '   ', 'XK9', '🍝', '👨‍👩‍👧‍👦', 'рецептик', '(a+)+$', 'a'.repeat(100)]) {
    expect(suggestionsFor(word), word).toEqual({ translations: [], misspellings: [] });
  }
});

it('offers nothing that the matcher could not find', () => {
  for (const word of ['recipe', 'egg', 'please', 'ebook', 'meal plan']) {
    const { translations, misspellings } = suggestionsFor(word);
    for (const { language } of translations) expect(LANGUAGES).toHaveProperty(language);
    for (const suggested of [...translations.flatMap(({ words }) => words), ...misspellings]) {
      const rule = { words: [suggested], mode: 'whole_word' as const, excludedWords: [], typoTolerance: false };
      const matcher = compileMatcher([{ id: 'x', rule, scope: 'post', priority: 0, createdAt: 0, value: null }]);
      expect(matcher.match(`oh ${suggested}!`), suggested).not.toBeNull();
    }
  }
});

it('knows no slips of words that JavaScript’s own objects have', () => {
  for (const word of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) suggestionsFor(word);
});
