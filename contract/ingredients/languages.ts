/** The languages that ingredients are read in. */
import { GERMAN } from './lexicon.de.ts';
import { ENGLISH } from './lexicon.en.ts';
import { SPANISH } from './lexicon.es.ts';
import { FRENCH } from './lexicon.fr.ts';
import { ITALIAN } from './lexicon.it.ts';
import { PORTUGUESE } from './lexicon.pt.ts';
import type { Language } from './lexicon.ts';

export const LANGUAGES: Readonly<Record<string, Language>> = {
  de: GERMAN,
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  it: ITALIAN,
  pt: PORTUGUESE,
};
