/** Words as they are compared: folded, and in the singular. */

const PLAIN = /^[A-Za-z]+$/;
const MARKS = /\p{M}/gu;

/** Lower case, without marks: "Crème" is "creme". */
export function foldWord(word: string): string {
  if (PLAIN.test(word)) return word.toLowerCase();
  return word.toLowerCase().normalize('NFD').replace(MARKS, '').replace(/[’']/g, "'");
}

const SAME_IN_PLURAL = /(ss|us|is|ous|asparagus|hummus|couscous|molasses|swiss|brussels|schnapps)$/;
const IRREGULAR = new Map(
  'leaves:leaf,loaves:loaf,halves:half,calves:calf,knives:knife,potatoes:potato,tomatoes:tomato,mangoes:mango,heroes:hero,anchovies:anchovy,cookies:cookie,brownies:brownie,smoothies:smoothie,pies:pie,geese:goose,radishes:radish,squashes:squash'
    .split(',')
    .map((pair) => pair.split(':') as [string, string]),
);

/** Of a folded English word. */
export function singularOfEnglish(written: string): string {
  const word = written.replace(/'s?$/, '');
  const known = IRREGULAR.get(word);
  if (known !== undefined) return known;
  if (word.length < 4 || !word.endsWith('s') || SAME_IN_PLURAL.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(ch|sh|x|z|ss)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** Of a folded Spanish word: a stem, for "limones" and "carnes" lose different endings. */
export function singularOfSpanish(word: string): string {
  if (word.length < 4) return word;
  const one = word.endsWith('s') ? word.slice(0, -1) : word;
  if (one.endsWith('ce')) return `${one.slice(0, -2)}z`;
  return /[lrndj]e$/.test(one) ? one.slice(0, -1) : one;
}

/** Of a folded German word: a stem, which no case and no number changes. */
export function singularOfGerman(word: string): string {
  if (word === 'eier' || word === 'eiern') return 'ei';
  if (word.length < 5 || word.endsWith('ss')) return word;
  const stem = word.replace(/(?:en|em|er|es|e|n|s)$/, '');
  return stem.length < 3 ? word : stem;
}

/** Of a folded French word. */
export function singularOfFrench(word: string): string {
  if (word.length < 4) return word;
  if (word.endsWith('eaux')) return word.slice(0, -1);
  return /[^su]s$|[aeio]us$|[eo]ux$/.test(word) ? word.slice(0, -1) : word;
}

/** Of a folded Italian word: a stem, which no number and no gender changes. */
export function singularOfItalian(word: string): string {
  // A fish is no peach.
  if (word === 'pesce' || word === 'pesci') return 'pesce';
  return word.length < 4 ? word : word.replace(/[hi]?[aeio]$/, '');
}

/** Of a folded Portuguese word. */
export function singularOfPortuguese(word: string): string {
  if (word.length < 4 || !word.endsWith('s')) return word;
  if (/(?:oe|ae)s$/.test(word)) return `${word.slice(0, -3)}ao`;
  if (/(?:a|e|o|u)is$/.test(word)) return `${word.slice(0, -2)}l`;
  if (word.endsWith('ns')) return `${word.slice(0, -2)}m`;
  return /[rz]es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

const NAME_WORD = /[\p{L}\p{N}'’%]+/gu;

/** What makes two names of a food the same: no capitals, marks, hyphens and plurals. @param singularOf of a word as it is written */
export function nameKey(name: string, singularOf: (word: string) => string): string {
  const words = name.includes('&') ? name.replaceAll('&', ' and ').match(NAME_WORD) : name.match(NAME_WORD);
  if (words === null) return '';
  let key = singularOf(words[0]);
  for (let at = 1; at < words.length; at++) key += ` ${singularOf(words[at]!)}`;
  return key;
}
