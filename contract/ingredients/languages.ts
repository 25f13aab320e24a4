/** The languages that ingredients are read in. */
import { ENGLISH } from './lexicon.en.ts';
import type { Lexicon } from './lexicon.ts';

export const LANGUAGES: Readonly<Record<string, Lexicon>> = { en: ENGLISH };
