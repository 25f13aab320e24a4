/** The languages that ingredients are read in, all of them at once: browsers load those that they need. */
import { GERMAN } from './lexicon.de.ts';
import { ENGLISH } from './lexicon.en.ts';
import { SPANISH } from './lexicon.es.ts';
import { FRENCH } from './lexicon.fr.ts';
import { ITALIAN } from './lexicon.it.ts';
import { PORTUGUESE } from './lexicon.pt.ts';
import { formOf, type Language } from './lexicon.ts';
import type { OwnWord } from './own-words.ts';
import { type LanguageCode, languageCode, type RecipeLanguage, recipeLanguage } from './recipe-language.ts';
import { cut } from './tokens.ts';
import type { Measures } from './units.ts';

export const LANGUAGES: Readonly<Record<LanguageCode, Language>> = {
  en: ENGLISH,
  de: GERMAN,
  es: SPANISH,
  fr: FRENCH,
  it: ITALIAN,
  pt: PORTUGUESE,
};

/** @param words the creator's own, the later of two that say the same */
export function languageOf(
  { language, measures }: { language: string; measures: Measures },
  words: readonly OwnWord[] = [],
): RecipeLanguage {
  return recipeLanguage(language, LANGUAGES[languageCode(language)], { measures, words });
}

/** What is beyond is not looked at. */
const ENOUGH_TEXT = 4_000;

/** @returns the language that knows most words of the text; English among equals */
export function guessLanguage(text: string): LanguageCode {
  const start = text.slice(0, ENOUGH_TEXT);
  const scores = Object.entries(LANGUAGES).map(([code, language]) => ({
    code: code as LanguageCode,
    known: cut(start, language).filter((token) => token.kind === 'word' && isKnown(language, token)).length,
  }));
  return scores.reduce((best, one) => (one.known > best.known ? one : best)).code;
}

function isKnown(language: Language, { key }: { key: string }): boolean {
  const { begins, foods, singular } = formOf(language, key);
  return begins !== undefined || foods !== undefined || language.foodWords.has(singular);
}
