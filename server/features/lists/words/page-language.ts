/** The language of a list page: that of its recipe. */
import { compare, fraction } from '#contract/ingredients/fractions.ts';
import { type LanguageCode, languageCode } from '#contract/ingredients/recipe-language.ts';
import { unitName, type Wording } from '#contract/ingredients/showing.ts';
import { GERMAN } from './de.ts';
import { ENGLISH } from './en.ts';
import { SPANISH } from './es.ts';
import { FRENCH } from './fr.ts';
import { ITALIAN } from './it.ts';
import type { ListWords } from './list-words.ts';
import { PORTUGUESE } from './pt.ts';

const WORDS: Record<LanguageCode, ListWords> = {
  en: ENGLISH,
  de: GERMAN,
  es: SPANISH,
  fr: FRENCH,
  it: ITALIAN,
  pt: PORTUGUESE,
};

export type PageLanguage = { words: ListWords; wording: Wording /** BCP 47 */; tag: string };

const known = new Map<LanguageCode, Omit<PageLanguage, 'tag'>>();

/** @param language of the recipe, BCP 47; one that nobody here speaks gets an English page */
export function pageLanguage(language: string): PageLanguage {
  const code = languageCode(language);
  const made = known.get(code) ?? { words: WORDS[code], wording: wordingOf(code, WORDS[code]) };
  known.set(code, made);
  return { ...made, tag: language.toLowerCase().startsWith(code) ? language : code };
}

function wordingOf(code: LanguageCode, { about, each, units }: ListWords): Wording {
  const format = new Intl.NumberFormat(code, { maximumFractionDigits: 2, useGrouping: false });
  const several = fraction(code === 'fr' ? 2 : 1);
  return {
    about,
    each,
    number: (value) => format.format(value),
    unit: (unit, amount) => {
      const order = compare(amount, several);
      // "1,5 tasse" in French, "1,5 Tassen" elsewhere.
      const isMany = code === 'fr' ? order >= 0 : order > 0;
      const [one, many = one] = (units[unit] ?? '').split('/');
      return (isMany ? many : one) || unitName(unit, isMany);
    },
  };
}
