/** A creator's own words, laid over a language: only what they touch is made anew. */
import { type Fraction, ONE, readFraction } from './fractions.ts';
import { addPhrase, type Beginnings, keyOf, type Lexicon, type List, type Lookup } from './lexicon.ts';
import { Line } from './line.ts';
import { sizeAt, unitAt } from './numbers.ts';
import { cut, type Token } from './tokens.ts';
import { dimensionOf, ownUnit } from './units.ts';

export type OwnWord = {
  /** `ignore`: lines that begin so are no ingredients. `alias`: another name of the food that it means. */
  kind: 'unit' | 'food' | 'brand' | 'preparation' | 'ignore' | 'alias';
  word: string;
  /** Of a unit its size, "1 tbsp": without one it stays vague. Of an alias the food. Of a food its aisle. */
  means?: string | undefined;
};

const PLURALS = ['', 's', 'es', 'n', 'en', 'e'];
const LISTS = {
  food: 'foods',
  alias: 'foods',
  brand: 'brands',
  preparation: 'preparations',
  ignore: 'ignored',
} as const;

/** @returns the language with these words; the later of two that say the same. What has no word in it is left out. */
export function withOwnWords(language: Lexicon, words: readonly OwnWord[]): Lexicon {
  if (words.length === 0) return language;
  const own: Own = {
    ...{
      units: new Map(),
      unitNames: new Map(),
      ownSizes: new Map(),
      foods: new Map(),
      sameFoods: new Map(),
      foodWords: new Map(),
    },
    ...{ beginnings: new Map(), foodBeginnings: new Map(), firstOfUnits: new Map(), firstOfFoods: new Map() },
  };
  for (const word of words) {
    const tokens = cut(word.word, language).filter((token) => token.kind !== 'sign');
    if (tokens.length === 0) continue;
    if (word.kind === 'unit') addUnit(own, language, word, tokens);
    else addWord(own, language, { ...word, kind: word.kind }, tokens);
  }
  return {
    ...language,
    units: over(own.units, language.units),
    unitNames: over(own.unitNames, language.unitNames),
    ownSizes: over(own.ownSizes, language.ownSizes),
    foods: over(own.foods, language.foods),
    sameFoods: over(own.sameFoods, language.sameFoods),
    foodWords: over(own.foodWords, language.foodWords),
    beginnings: over(own.beginnings, language.beginnings),
    foodBeginnings: over(own.foodBeginnings, language.foodBeginnings),
    forms: new Map(),
    phrases: {
      ...language.phrases,
      foods: over(own.firstOfFoods, language.phrases.foods),
      units: over(own.firstOfUnits, language.phrases.units),
    },
  };
}

type Own = {
  units: Map<string, string>;
  unitNames: Map<string, string>;
  ownSizes: Map<string, Size>;
  foods: Map<string, string>;
  sameFoods: Map<string, string>;
  foodWords: Map<string, true>;
  beginnings: Map<string, Beginnings>;
  foodBeginnings: Map<string, Beginnings>;
  firstOfUnits: Map<string, string[][]>;
  firstOfFoods: Map<string, string[][]>;
};
type OtherWord = OwnWord & { kind: keyof typeof LISTS };
type Size = { size: Fraction; unit: string };

function addWord(own: Own, language: Lexicon, { kind, word, means = '' }: OtherWord, tokens: Token[]): void {
  const isFood = kind === 'food' || kind === 'alias';
  add(own, language, LISTS[kind], isFood ? keyOf(language, word).split(' ') : tokens.map(({ key }) => key));
  if (isFood || kind === 'brand') for (const { singular } of tokens) own.foodWords.set(singular, true);
  if (!isFood) return;
  const meant = keyOf(language, kind === 'alias' ? means : word);
  const same = language.sameFoods.get(meant) ?? meant;
  const aisle = language.foods.get(meant) ?? language.foods.get(same) ?? 'other';
  own.foods.set(keyOf(language, word), kind === 'food' && means !== '' ? means : aisle);
  if (kind === 'alias' && meant !== '') own.sameFoods.set(keyOf(language, word), same);
}

function addUnit(own: Own, language: Lexicon, { means = '' }: OwnWord, tokens: Token[]): void {
  const keys = tokens.map(({ key }) => key);
  const unit = ownUnit(keys.join(' '));
  own.unitNames.set(unit, keys.join(' '));
  // Taught by its plural, it is known by its singular too.
  const { key, singular } = tokens.at(-1)!;
  for (const last of new Set([key, singular].flatMap((one) => PLURALS.map((plural) => `${one}${plural}`)))) {
    const phrase = [...keys.slice(0, -1), last];
    own.units.set(phrase.join(' '), unit);
    add(own, language, 'units', phrase);
  }
  const size = sizeMeant(means, language);
  if (size !== null) own.ownSizes.set(unit, size);
}

function add(own: Own, language: Lexicon, list: List, words: string[]): void {
  const side = list === 'foods' ? 'foodBeginnings' : 'beginnings';
  const first = words[0]!;
  if (!own[side].has(first)) own[side].set(first, copyOf(language[side].get(first)));
  addPhrase(own[side], first, { list, words });
  if (list === 'foods') own.firstOfFoods.set(first, []);
  if (list === 'units') own.firstOfUnits.set(first, []);
}

/** "1 tbsp", "15 ml", "tbsp"; in every language the exact "3/2 tablespoon" of units.ts. @returns null for no measure */
export function sizeMeant(means: string, language: Lexicon): Size | null {
  const [, exact = '', id = ''] = /^(\S{1,21}) ([a-z-]{1,20})$/.exec(means) ?? [];
  const given = dimensionOf(id) === null ? null : readFraction(exact);
  if (given !== null && given.n !== 0) return { size: given, unit: id };
  const line = new Line(means, language, 'us');
  const size = sizeAt(line, 0)?.value;
  if (size?.unit != null) return { size: size.from, unit: size.unit };
  const unit = unitAt(line, 0)?.value;
  return unit === undefined ? null : { size: ONE, unit };
}

function copyOf(known: Beginnings | undefined): Beginnings {
  const { alone, longer } = known ?? { alone: { lists: [], lengths: [] }, longer: new Map() };
  return { alone: { lists: [...alone.lists], lengths: [...alone.lengths] }, longer: new Map(longer) };
}

function over<V>(upper: Map<string, V>, lower: Lookup<V>): Lookup<V> {
  if (upper.size === 0) return lower;
  return { get: (key) => upper.get(key) ?? lower.get(key), has: (key) => upper.has(key) || lower.has(key) };
}
