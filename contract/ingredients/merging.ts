/**
 * From the lines of recipes to a list of foods: scaled to the servings wanted, and added where that is exact. Every number of it is
 * one of a line, or arithmetic on such numbers; what cannot be added stands beside the rest.
 */
import { densityOf } from './densities.ts';
import { add, compare, divide, type Fraction, fraction, isExact, multiply, ONE } from './fractions.ts';
import type { Lexicon } from './lexicon.ts';
import type { Amount, Size } from './line.ts';
import type { Food } from './names.ts';
import type { Reading } from './reading.ts';
import { dimensionOf, type Measures, sizeOf } from './units.ts';

/** `factor`: servings wanted by those of the recipe. `measures`: whose cups its author has. */
export type ListedRecipe = { id: string; factor: Fraction; measures: Measures; lines: ListedLine[] };
export type ListedLine = { id: string; reading: Reading };

export type Source = {
  recipeId: string;
  lineId: string;
  text: string;
  /** Its notes have a number, which stays as it is. */
  hasOwnNumber: boolean;
};

export type Part = {
  from: Fraction;
  /** Null: no range. */
  to: Fraction | null;
  /** Of units.ts; null: whole pieces. */
  unit: string | null;
  /** Of one can, pack or piece. */
  each: Size | null;
  /** Whose cup it is. */
  measures: Measures;
  /** An author said "about", or a volume was weighed (densities.ts). */
  isAbout: boolean;
  sources: Source[];
};

export type Item = {
  /** Two items of a list differ in it. */
  key: string;
  food: Food;
  /** Of the dictionary; "other" for what it does not know. */
  aisle: string;
  /** More than one where they cannot be added. */
  parts: Part[];
  /** Lines without an amount: "salt to taste". */
  unmeasured: Source[];
  alternatives: Food[];
  /** How it begins: what the shopper may have, or may leave, is unticked. */
  starts: 'ticked' | 'pantry' | 'optional';
};

export type ListOptions = {
  lexicon: Lexicon;
  /** Keys of foods of the creator's own pantry. */
  pantry?: readonly string[];
  /** The item that a line belongs to, in place of that of its food. */
  place?: (key: string, lineId: string) => string;
};

/** Items in the order in which their foods are first named. */
export function listOf(
  recipes: readonly ListedRecipe[],
  { lexicon, pantry = [], place = (key) => key }: ListOptions,
): Item[] {
  const own = new Set(pantry.map((key) => sameFood(key, lexicon)));
  const lines = recipes.flatMap((recipe) =>
    recipe.lines
      .filter(({ reading }) => reading.kind === 'ingredient')
      .map((line) => {
        const foodKey = keyOf(line, lexicon);
        return { ...line, recipe, foodKey, key: `${foodKey}${line.reading.optional ? ' (optional)' : ''}` };
      }),
  );
  return [...Map.groupBy(lines, ({ key, id }) => place(key, id))].map(([key, together]): Item => {
    const { reading, foodKey } = together.find((line) => line.key === key) ?? together[0]!;
    const usually = lexicon.pantry.has(foodKey) || own.has(foodKey) ? 'pantry' : 'ticked';
    const alternatives = together.flatMap((line) => line.reading.alternatives);
    return {
      key,
      food: reading.food ?? { name: reading.text, key: foodKey },
      aisle: lexicon.foods.get(reading.food?.key ?? '') ?? lexicon.foods.get(foodKey) ?? 'other',
      parts: partsOf(together, foodKey),
      unmeasured: together.filter((line) => line.reading.amounts.length === 0).map(sourceOf),
      alternatives: [...new Map(alternatives.map((food) => [food.key, food])).values()],
      starts: reading.optional ? 'optional' : usually,
    };
  });
}

type ScaledLine = ListedLine & { recipe: ListedRecipe };

/** A line that names no food is a food of its own. */
function keyOf({ id, reading }: ListedLine, lexicon: Lexicon): string {
  return reading.food === null ? `line ${id}` : sameFood(reading.food.key, lexicon);
}

function sameFood(key: string, lexicon: Lexicon): string {
  return lexicon.sameFoods.get(key) ?? key;
}

function sourceOf({ id, reading, recipe }: ScaledLine): Source {
  const hasOwnNumber =
    compare(recipe.factor, ONE) !== 0 && [...reading.notes, reading.purpose ?? ''].some((note) => /\d/.test(note));
  return { recipeId: recipe.id, lineId: id, text: reading.text, hasOwnNumber };
}

function partsOf(lines: ScaledLine[], foodKey: string): Part[] {
  const written = lines.map(waysWritten).filter((ways) => ways.length > 0);
  // Cans are bought as cans, unless somebody weighs what is in them.
  const kinds = new Set(written.flat().map(kindOf));
  const chosen = chooseShared(
    written.map((ways) => [...ways, ...ways.flatMap(contentOf).filter((way) => kinds.has(kindOf(way)))]),
  );
  const density = densityOf(foodKey);
  const isWeighed = density !== null && chosen.some((part) => kindOf(part) === 'mass');
  const parts = chosen.map((part) => (isWeighed && kindOf(part) === 'volume' ? weigh(part, density) : part));
  return [...Map.groupBy(parts, kindOf).values()].flatMap(addAll);
}

/** The same quantity in each measure that the line gives, the author's first. */
function waysWritten(line: ScaledLine): Part[] {
  const { reading, recipe } = line;
  const sources = [sourceOf(line)];
  return reading.amounts.map((amount) => ({ ...scaled(amount, recipe.factor), measures: recipe.measures, sources }));
}

/** What is in cans of which the size is known. */
function contentOf(part: Part): Part[] {
  const { from, to, each, measures } = part;
  if (each === null || sizeOf(each.unit ?? '', measures) === null) return [];
  const [least, most] = [multiply(from, each.from), multiply(to ?? from, each.to ?? each.from)];
  return [{ ...part, from: least, to: compare(least, most) === 0 ? null : most, unit: each.unit, each: null }];
}

/** A pinch is a pinch, for however many it is cooked. */
export function scaled(amount: Amount, factor: Fraction): Amount {
  if (amount.unit !== null && dimensionOf(amount.unit) === 'vague') return amount;
  return { ...amount, from: multiply(amount.from, factor), to: amount.to && multiply(amount.to, factor) };
}

/** What can be added has the same: `mass`, `volume`, or the same pieces. */
function kindOf({ unit, each }: Part): string {
  const dimension = unit === null ? null : dimensionOf(unit);
  if (each === null && (dimension === 'mass' || dimension === 'volume')) return dimension;
  return each === null ? (unit ?? 'piece') : `${unit} of ${JSON.stringify(each)}`;
}

/** Of each line the way that most lines share, and among equals the one that is named first. */
function chooseShared(measured: Part[][]): Part[] {
  const shared = new Map<string, number>();
  for (const ways of measured) {
    for (const kind of new Set(ways.map(kindOf))) shared.set(kind, (shared.get(kind) ?? 0) + 1);
  }
  const ranked = [...shared].toSorted(([, a], [, b]) => b - a).map(([kind]) => kind);
  return measured.map((ways) => {
    const kind = ranked.find((one) => ways.some((way) => kindOf(way) === one));
    return ways.find((way) => kindOf(way) === kind)!;
  });
}

function weigh(volume: Part, density: Fraction): Part {
  const inGrams = (amount: Fraction) => multiply(multiply(amount, unitSize(volume)), density);
  const [from, to] = [inGrams(volume.from), volume.to && inGrams(volume.to)];
  const canBeSaid = isExact(from) && (to === null || isExact(to));
  return canBeSaid ? { ...volume, from, to, unit: 'gram', isAbout: true } : volume;
}

/** Parts of one kind as one, in the larger of their units; what would not be exact stays apart. */
function addAll(parts: Part[]): Part[] {
  const [first, ...others] = parts.toSorted((a, b) => compare(unitSize(b), unitSize(a)));
  return others.reduce(
    ([sum, ...apart]: [Part, ...Part[]], part): [Part, ...Part[]] => {
      const ratio = divide(unitSize(part), unitSize(sum));
      const from = add(sum.from, multiply(part.from, ratio));
      const to = add(sum.to ?? sum.from, multiply(part.to ?? part.from, ratio));
      if (!isExact(from) || !isExact(to)) return [sum, ...apart, part];
      const both = {
        ...{ from, to: compare(from, to) === 0 ? null : to, isAbout: sum.isAbout || part.isAbout },
        sources: [...sum.sources, ...part.sources],
      };
      return [{ ...sum, ...both }, ...apart];
    },
    [first!],
  );
}

/** In grams or milliliters; one for pieces. */
function unitSize({ unit, each, measures }: Part): Fraction {
  return (each === null && unit !== null ? sizeOf(unit, measures) : null) ?? fraction(1);
}
