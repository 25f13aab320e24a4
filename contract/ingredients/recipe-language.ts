/** What the lines of a recipe are read with: its language, its cups, and its creator's own words. The one way from a line to its reading. */
import type { Lexicon } from './lexicon.ts';
import { type OwnWord, withOwnWords } from './own-words.ts';
import type { ReadingOptions } from './reading.ts';
import type { Measures } from './units.ts';

/** The languages that lines are read in, English first: it stands in for all others. */
export const LANGUAGE_NAMES = {
  en: 'English',
  fr: 'French',
  de: 'German',
  it: 'Italian',
  pt: 'Portuguese',
  es: 'Spanish',
} as const;
export type LanguageCode = keyof typeof LANGUAGE_NAMES;

export type RecipeLanguage = Required<ReadingOptions> & {
  code: LanguageCode;
  /** Without the creator's words: a line with a correction of its own is read so, and stays as it is whatever words come. */
  plain: Lexicon;
};

/** @param tag BCP 47; "de-AT" is German, what nobody here knows is English */
export function languageCode(tag: string): LanguageCode {
  const code = tag.toLowerCase().split(/[-_]/, 1)[0]!;
  return Object.hasOwn(LANGUAGE_NAMES, code) ? (code as LanguageCode) : 'en';
}

const OF_ENGLISH: ReadonlyMap<string, Measures> = new Map([
  ['us', 'us'],
  ['gb', 'uk'],
  ['ie', 'uk'],
  ['au', 'au'],
  ['nz', 'metric'],
  ['za', 'metric'],
]);

/** @returns whose cups recipes in this language mean; null where it does not say: English is written everywhere */
export function measuresOfLanguage(tag: string | null): Measures | null {
  const [language = '', ...rest] = tag?.toLowerCase().split(/[-_]/) ?? [];
  if (language === '') return null;
  if (language !== 'en') return 'metric';
  return OF_ENGLISH.get(rest.at(-1) ?? '') ?? null;
}

/** Laid over a language once for the same words, which readers of many recipes share. */
const known = new WeakMap<readonly OwnWord[], Map<Lexicon, Lexicon>>();

export function recipeLanguage(
  language: string,
  plain: Lexicon,
  { measures, words }: { measures: Measures; words: readonly OwnWord[] },
): RecipeLanguage {
  const laidOver = known.get(words) ?? new Map<Lexicon, Lexicon>();
  known.set(words, laidOver);
  const lexicon = laidOver.get(plain) ?? withOwnWords(plain, words);
  laidOver.set(plain, lexicon);
  return { code: languageCode(language), plain, lexicon, measures };
}
