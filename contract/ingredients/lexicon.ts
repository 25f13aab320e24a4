/** The words of a language as the reader looks them up; a language is one file of them (lexicon.en.ts). */
import { type Fraction, readFraction } from './fractions.ts';
import { foldWord, nameKey, singular } from './words.ts';

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
  'sizes',
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
] as const;
type WordList = (typeof LISTS)[number];
export type List = WordList | 'foods' | 'units' | 'numbers';

export type WordLists = Record<WordList, string> & {
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
};

const LONG_NAME = 6;

/** Phrases under their first word. */
type Phrases = Map<string, string[][]>;

export type Lexicon = {
  numbers: Map<string, Fraction>;
  units: Map<string, string>;
  /** Long names of one word, in which a slip is seen: "teapsoon". */
  longUnits: [name: string, unit: string][];
  /** By their key, the aisle they stand in. */
  foods: Map<string, string>;
  /** From each other name of a food to the one that its list begins with; keys, all of them. */
  sameFoods: Map<string, string>;
  /** Keys. */
  pantry: Set<string>;
  /** Every word that stands in a name, a brand or a description. */
  foodWords: Set<string>;
  phrases: Record<List, Phrases>;
  /** All of them under their first word, the longest of each list first; foods under its singular. */
  beginnings: Map<string, Beginning[]>;
  foodBeginnings: Map<string, Beginning[]>;
};

type Beginning = { list: List; words: string[] };

export function compileLexicon(lists: WordLists): Lexicon {
  const split = (list: string) =>
    list.split(',').map((one) =>
      one
        .trim()
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
  const phrases = Object.fromEntries(LISTS.map((list) => [list, gather(split(lists[list]))])) as Record<
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
    longUnits: [...units].filter(([name]) => name.length >= LONG_NAME && !name.includes(' ')),
    ...{ numbers, units, foods: new Map(aisles.map(([words, aisle]) => [words.join(' '), aisle])) },
    ...{ sameFoods: otherNames(lists.sameFoods), pantry: new Set(lists.pantry.split(',').map(nameKey)) },
    foodWords: new Set(
      [...foods, ...split(lists.brands), ...split(lists.describing), ...split(lists.states)].flat().map(singular),
    ),
    phrases: all,
    beginnings: beginningsOf(Object.entries(all).filter(([list]) => list !== 'foods')),
    foodBeginnings: beginningsOf([['foods', all.foods]]),
  };
}

function otherNames(lists: string): Map<string, string> {
  return new Map(
    lists.split(',').flatMap((list) => {
      const [first, ...others] = list.split('/').map(nameKey);
      return others.map((other) => [other, first!] as const);
    }),
  );
}

function beginningsOf(lists: [string, Phrases][]): Map<string, Beginning[]> {
  const beginnings = new Map<string, Beginning[]>();
  for (const [list, phrases] of lists) {
    for (const [first, all] of phrases) {
      const known = beginnings.get(first) ?? [];
      beginnings.set(first, [...known, ...all.map((words) => ({ list: list as List, words }))]);
    }
  }
  return beginnings;
}
