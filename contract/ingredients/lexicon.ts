/** The words of a language as the reader looks them up; a language is one file of them (lexicon.en.ts). */
import { type Fraction, readFraction } from './fractions.ts';
import { foldWord, nameKey } from './words.ts';

/** Lists of words and phrases, lower case, parted by commas. */
const LISTS = [
  /** Stand for one before a measure or a food: "a pinch". */
  'articles',
  /** No amount, though it looks like one: "a few". */
  'vagueAmounts',
  /** Twelve of it each: "2 dozen". */
  'dozens',
  /** "2 to 3" */
  'to',
  'between',
  'or',
  'and',
  'of',
  'plus',
  'minus',
  'times',
  /** "(400 g each)" */
  'each',
  /** After a number, of a length: "1-inch piece". */
  'lengths',
  /** "about", "scant", "packed": they change no number. */
  'qualifiers',
  /** How large, and what stands in the same places. */
  'sizes',
  /** Of those, what one asks for in a shop: "large". */
  'foodSizes',
  /** How full a spoon or cup is. */
  'heaped',
  'scant',
  'packed',
  /** What a shop does not ask for: "fresh", "ripe". */
  'states',
  /** What is done in the kitchen: "chopped". */
  'preparations',
  /** Before those: "finely". */
  'adverbs',
  /** Describe a food and are none: "large, ripe tomatoes" goes on after its comma. */
  'describing',
  /** Where the food ends within a line: "for the glaze". */
  'ends',
  'optional',
  'toTaste',
  'divided',
  'more',
  /** "juice of 1 lemon": what is used of it. */
  'parts',
  /** Lines that begin so have no food. */
  'headings',
  'for',
  'notes',
  /** "juice of" */
  'partOf',
  /** Leads to what may be taken instead: "or another oil". */
  'other',
  /** "sub", "can use" */
  'insteadUse',
  /** "oat milk works too" */
  'worksToo',
  /** Of a name only where it is packed, like tomatoes in cans; */
  'packedPrepared',
  /** or where it is always sold so: "minced beef". */
  'soldPrepared',
  /** Foods whose sticks are stalks. */
  'stalks',
  'brands',
  /** Lines that begin so are no ingredients, whatever they name. */
  'ignored',
] as const;
type WordList = (typeof LISTS)[number];
export type List = WordList | 'foods' | 'units' | 'numbers';

export type WordLists = Partial<Record<WordList, string>> & {
  /** By their value, "1/2". */
  numbers: Record<string, string>;
  /** By unit of units.ts. */
  units: Record<string, string>;
  /** By aisle; also names that hold words which mean something else here: "half and half". */
  foods: Record<string, string>;
  /** Names of one food, parted by slashes. */
  sameFoods: string;
  /** What every kitchen has. */
  pantry: string;
  /** Of a folded word: what makes the same of one and of several. */
  singular: (folded: string) => string;
  /** "1,5" is one and a half, and "1.000" a thousand. */
  hasDecimalComma: boolean;
  /** What is written as one with the next word: "d'" of "d'huile". */
  elided: string;
};

const LONG_NAME = 6;

/** What a word is looked up in: a map, or one laid over another (own-words.ts). */
export type Lookup<V> = { get(key: string): V | undefined; has(key: string): boolean };

/** Phrases under their first word. */
export type Phrases = Map<string, string[][]>;

/** What begins with a word: lists of it alone, and longer phrases by their second word, the longest of a list first. */
export type Beginnings = { alone: Starts; longer: Map<string, Phrase[]> };
export type Phrase = { list: List; words: string[] };
/** How long the longest phrase of each list is that begins at a token, in tokens. */
export type Starts = { lists: List[]; lengths: number[] };

export type Lexicon = {
  numbers: Lookup<Fraction>;
  units: Lookup<string>;
  /** Of each unit the name that is written. */
  unitNames: Lookup<string>;
  /** Measures of the creator's own that have a size, by unit. */
  ownSizes: Lookup<{ size: Fraction; unit: string }>;
  /** Long names of one word, in which a slip is seen: "teapsoon". */
  longUnits: readonly [name: string, unit: string][];
  /** By their key, the aisle they stand in. */
  foods: Lookup<string>;
  /** From each other name of a food to the one that its list begins with; keys, all of them. */
  sameFoods: Lookup<string>;
  /** Keys. */
  pantry: { has(key: string): boolean };
  /** Every word that stands in a name, a brand or a description. */
  foodWords: Lookup<true>;
  phrases: Record<List, Lookup<string[][]>>;
  /** "another": may stand before what is taken instead. */
  otherWords: readonly string[];
  /** All of them under their first word; foods under its singular. */
  beginnings: Lookup<Beginnings>;
  foodBeginnings: Lookup<Beginnings>;
  singular: (folded: string) => string;
  hasDecimalComma: boolean;
  elided: ReadonlySet<string>;
  /** Recipes share their words: what is known of each, as it is written. */
  forms: Map<string, Form>;
};

export type Form = { key: string; singular: string; begins: Beginnings | undefined; foods: Beginnings | undefined };

/** Forms are forgotten when there are more. */
const MOST_FORMS = 5_000;

/** What is known of a word or a sign. @param key folded, where it is not what is written */
export function formOf(lexicon: Lexicon, written: string, key?: string): Form {
  const known = lexicon.forms.get(written);
  if (known !== undefined) return known;
  const folded = key ?? foldWord(written);
  const singular = key ?? lexicon.singular(folded);
  const form = { key: folded, singular, ...beginningsAt(lexicon, folded, singular) };
  if (lexicon.forms.size >= MOST_FORMS) lexicon.forms.clear();
  lexicon.forms.set(written, form);
  return form;
}

export function beginningsAt(lexicon: Lexicon, key: string, singular: string): Pick<Form, 'begins' | 'foods'> {
  return { begins: lexicon.beginnings.get(key), foods: lexicon.foodBeginnings.get(singular) };
}

/** By which two names of a food are the same. */
export function keyOf(lexicon: Lexicon, name: string): string {
  return nameKey(
    lexicon.elided.size === 0 ? name : parted(name, lexicon.elided),
    (word) => formOf(lexicon, word).singular,
  );
}

/** "huile d' olive": what was written as one, as the words that it is. */
function parted(text: string, elided: ReadonlySet<string>): string {
  if (elided.size === 0) return text;
  // Those that are shortened so are short themselves.
  return text.replace(/(?<!\p{L})(\p{L}{1,8})['’](?=\p{L})/gu, (whole, first: string) =>
    elided.has(`${first.toLowerCase()}'`) ? `${first}' ` : whole,
  );
}

/** All of "picado, picada, picados, picadas" by its stem. @param stems parted by commas */
export function inflected(stems: string, endings: string): string {
  return stems
    .split(',')
    .flatMap((stem) => endings.split(' ').map((ending) => `${stem.trim()}${ending}`))
    .join(',');
}

/** Of which all phrases can be walked over. */
export type Language = Lexicon & { phrases: Record<List, Phrases> };

export function compileLexicon(lists: WordLists): Language {
  const { singular, hasDecimalComma } = lists;
  const singularOf = (word: string) => singular(foldWord(word));
  const elided = new Set(lists.elided.split(', ').filter((one) => one !== ''));
  const split = (list: string) =>
    list
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '')
      .map((one) =>
        parted(one, elided)
          .split(/[\s-]+/)
          .map(foldWord),
      );
  const gather = (all: string[][]): Phrases => {
    const phrases: Phrases = new Map();
    for (const words of all) {
      const first = words[0]!;
      phrases.set(
        first,
        [...(phrases.get(first) ?? []), words].sort((a, b) => b.length - a.length),
      );
    }
    return phrases;
  };
  const units = new Map(
    Object.entries(lists.units).flatMap(([unit, words]) => split(words).map((one) => [one.join(' '), unit] as const)),
  );
  const aisles = Object.entries(lists.foods).flatMap(([aisle, list]) =>
    split(list).map((words) => [words.map(singular), aisle] as const),
  );
  const foods = aisles.map(([words]) => words);
  const phrases = Object.fromEntries(LISTS.map((list) => [list, gather(split(lists[list] ?? ''))])) as Record<
    WordList,
    Phrases
  >;
  const numbers = new Map(
    Object.entries(lists.numbers).flatMap(([value, words]) =>
      split(words).map((one) => [one.join(' '), readFraction(value)!] as const),
    ),
  );
  const gatherKeys = (map: Map<string, unknown>) => gather([...map.keys()].map((words) => words.split(' ')));
  const all = { ...phrases, foods: gather(foods), units: gatherKeys(units), numbers: gatherKeys(numbers) };
  return {
    unitNames: new Map(Object.entries(lists.units).map(([unit, words]) => [unit, split(words)[0]!.join(' ')] as const)),
    longUnits: [...units].filter(([name]) => name.length >= LONG_NAME && !name.includes(' ')),
    ...{
      numbers,
      units,
      ownSizes: new Map(),
      foods: new Map(aisles.map(([words, aisle]) => [words.join(' '), aisle])),
    },
    ...{
      sameFoods: otherNames(lists),
      pantry: new Set(lists.pantry.split(',').map((one) => nameKey(parted(one, elided), singularOf))),
    },
    foodWords: new Map(
      [...foods, ...(['brands', 'describing', 'states'] as const).flatMap((list) => split(lists[list] ?? ''))]
        .flat()
        .map((word) => [singular(word), true] as const),
    ),
    ...{ singular, hasDecimalComma, elided, forms: new Map() },
    phrases: all,
    otherWords: split(lists.other ?? '').map((words) => words.join(' ')),
    beginnings: beginningsOf(Object.entries(all).filter(([list]) => list !== 'foods')),
    foodBeginnings: beginningsOf([['foods', all.foods]]),
  };
}

function otherNames(lists: WordLists): Map<string, string> {
  return new Map(
    lists.sameFoods.split(',').flatMap((list) => {
      const [first, ...others] = list.split('/').map((name) => nameKey(name, (word) => lists.singular(foldWord(word))));
      return others.map((other) => [other, first!] as const);
    }),
  );
}

function beginningsOf(lists: [string, Phrases][]): Map<string, Beginnings> {
  const beginnings = new Map<string, Beginnings>();
  for (const [list, phrases] of lists) {
    for (const [first, all] of phrases) {
      for (const words of all) addPhrase(beginnings, first, { list: list as List, words });
    }
  }
  return beginnings;
}

export function addPhrase(beginnings: Map<string, Beginnings>, first: string, { list, words }: Phrase): void {
  const known: Beginnings = beginnings.get(first) ?? { alone: { lists: [], lengths: [] }, longer: new Map() };
  if (words.length > 1) {
    const all = [...(known.longer.get(words[1]!) ?? []), { list, words }];
    known.longer.set(
      words[1]!,
      all.sort((one, other) => other.words.length - one.words.length),
    );
  }
  if (words.length === 1 && !known.alone.lists.includes(list)) {
    known.alone.lists.push(list);
    known.alone.lengths.push(1);
  }
  beginnings.set(first, known);
}
