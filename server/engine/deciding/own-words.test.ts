import { expect, it } from 'vitest';
import { LANGUAGES } from '#contract/suggestions.ts';
import { ownWordsFor } from './own-words.ts';

/** Of a quick reply (reference 3.3). */
const TITLE_CHARACTERS = 20;
const inEnglish = ownWordsFor({ language: null, word: null });

it('are there in every language that words are suggested in, and fit what Instagram takes', () => {
  for (const language of Object.keys(LANGUAGES)) {
    const words = ownWordsFor({ language, word: null });
    if (language !== 'en') expect(words.hint, language).not.toBe(inEnglish.hint);
    for (const title of [words.yes, words.no]) {
      expect([...title].length, title).toBeLessThanOrEqual(TITLE_CHARACTERS);
    }
    expect(words.yes).not.toBe(words.no);
    expect(words.hint).toContain('@');
    expect(words.suggestion('ana@gmail.com')).toContain('ana@gmail.com');
  }
});

it('follow the translation they get, whatever word they wrote', () => {
  expect(ownWordsFor({ language: 'de', word: 'receta' }).suggestion('a@b.de')).toBe('Meinst du a@b.de?');
});

it.each([
  ['receta', '¿Querías decir a@b.es?'],
  ['RECEITA', 'Você quis dizer a@b.es?'],
  ['recette', 'Tu voulais dire a@b.es ?'],
  ['rezept', 'Meinst du a@b.es?'],
  ['ricetta', 'Volevi dire a@b.es?'],
])('follow the word %s where there is no translation', (word, asked) => {
  expect(ownWordsFor({ language: null, word }).suggestion('a@b.es')).toBe(asked);
});

it.each(['recipe', 'pasta', 'link', 'something', ''])('are English for the word "%s", which tells no other', (word) => {
  expect(ownWordsFor({ language: null, word })).toBe(inEnglish);
});

it('are English for a language that nobody translated them to', () => {
  expect(ownWordsFor({ language: 'fi', word: null })).toBe(inEnglish);
});
