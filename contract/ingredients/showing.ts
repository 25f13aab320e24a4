/** Amounts in words, as people write them in recipes: "1 ½ cups", "about 454 g", "2 cans of 400 g". */
import { compare, divide, type Fraction, fraction, multiply, ONE, subtract } from './fractions.ts';
import type { Size } from './line.ts';
import type { Part } from './merging.ts';
import { nameOfUnit, sizeOf } from './units.ts';

const SHORT = new Map(
  Object.entries({
    milligram: 'mg',
    gram: 'g',
    kilogram: 'kg',
    ounce: 'oz',
    pound: 'lb',
    stone: 'st',
    milliliter: 'ml',
    centiliter: 'cl',
    deciliter: 'dl',
    liter: 'l',
    teaspoon: 'tsp',
    tablespoon: 'tbsp',
    dessertspoon: 'dsp',
    'fluid-ounce': 'fl oz',
  }),
);
/** Told in tenths, not in halves and thirds. */
const DECIMAL = new Set(['milligram', 'gram', 'kilogram', 'milliliter', 'centiliter', 'deciliter', 'liter']);
const GLYPHS = new Map(
  Object.entries({
    ...{ '1/2': '½', '1/3': '⅓', '2/3': '⅔', '1/4': '¼', '3/4': '¾', '1/8': '⅛', '3/8': '⅜', '5/8': '⅝', '7/8': '⅞' },
  }),
);
const PLURALS = new Map(Object.entries({ leaf: 'leaves', loaf: 'loaves' }));
/** In what is left of a cup: sixteen of the first, three of the second to each of the first. */
const SPOONS = ['tablespoon', 'teaspoon'] as const;

/** How amounts are written in a language. */
export type Wording = {
  about: (amount: string) => string;
  /** Behind "2 cans": the size of one. */
  each: (size: string) => string;
  unit: (unit: string, amount: Fraction) => string;
  /** Of at most two decimals. */
  number: (value: number) => string;
};

export const ENGLISH_WORDING: Wording = {
  about: (amount) => `about ${amount}`,
  each: (size) => `of ${size}`,
  unit: (unit, amount) => unitName(unit, compare(amount, ONE) > 0),
  number: String,
};

/** What is needed of one food, of one kind. */
export function showPart(part: Omit<Part, 'sources'>, wording: Wording = ENGLISH_WORDING): string {
  const { from, to, unit, each, isAbout, measures } = part;
  const low = quantity({ from, to: null, unit }, measures, wording);
  const high = to === null ? null : quantity({ from: to, to: null, unit }, measures, wording);
  const isRounded = low.isRounded || (high?.isRounded ?? false);
  const range = high === null ? low.text : `${low.text}–${high.text}`;
  const named = low.isWhole || unit === null ? range : `${range} ${wording.unit(unit, to ?? from)}`;
  const all = each === null ? named : `${named} ${wording.each(showSize(each, wording))}`;
  return isAbout || isRounded ? wording.about(all) : all;
}

/** "400 g"; "14 ½ oz" */
export function showSize({ from, to, unit }: Size, wording: Wording = ENGLISH_WORDING): string {
  const numbers = [from, ...(to === null ? [] : [to])].map((one) => number(one, unit, wording).text).join('–');
  return unit === null ? numbers : `${numbers} ${wording.unit(unit, to ?? from)}`;
}

export function unitName(unit: string, many: boolean): string {
  const short = SHORT.get(unit);
  if (short !== undefined) return short;
  const name = nameOfUnit(unit);
  if (!many) return name;
  return PLURALS.get(unit) ?? `${name}${/(s|x|sh|ch)$/.test(name) ? 'es' : 's'}`;
}

type Shown = { text: string; isRounded: boolean /** Its measures are in it. */; isWhole?: boolean };

function quantity({ from, unit }: Size, measures: Part['measures'], wording: Wording): Shown {
  return (unit === 'cup' ? cupsAndSpoons(from, measures, wording) : null) ?? number(from, unit, wording);
}

/** "1 cup + 1 tbsp", where cups alone would be no measure that people have. */
function cupsAndSpoons(cups: Fraction, measures: Part['measures'], wording: Wording): Shown | null {
  if (isPlain(cups)) return null;
  const quarters = fraction(Math.floor((cups.n * 4) / cups.d), 4);
  const [tablespoon, teaspoon] = SPOONS.map((unit) => sizeOf(unit, measures)!);
  const rest = multiply(subtract(cups, quarters), sizeOf('cup', measures)!);
  const spoons = divide(rest, tablespoon!);
  const whole = fraction(Math.floor(spoons.n / spoons.d));
  const small = divide(multiply(subtract(spoons, whole), tablespoon!), teaspoon!);
  if (small.n !== 0 && !isPlain(small)) return null;
  const parts = [
    { amount: quarters, unit: 'cup' },
    { amount: whole, unit: SPOONS[0] },
    { amount: small, unit: SPOONS[1] },
  ]
    .filter(({ amount }) => amount.n !== 0)
    .map(({ amount, unit }) => showSize({ from: amount, to: null, unit }, wording));
  return { text: parts.join(' + '), isRounded: false, isWhole: true };
}

/** A half, third, quarter or eighth. */
function isPlain({ d }: Fraction): boolean {
  return [1, 2, 3, 4, 8].includes(d);
}

/** Rounded up where it has more digits than anybody measures; never down. */
function number(exact: Fraction, unit: string | null, wording: Wording): Shown {
  const { n, d } = exact;
  const isDecimal = unit !== null && DECIMAL.has(unit);
  if (!isDecimal && isPlain(exact)) {
    const whole = Math.floor(n / d);
    const glyph = GLYPHS.get(`${n - whole * d}/${d}`) ?? '';
    return {
      text: [whole === 0 && glyph !== '' ? '' : String(whole), glyph].filter(Boolean).join(' '),
      isRounded: false,
    };
  }
  const digits = isDecimal && compare(exact, fraction(10)) >= 0 ? 0 : 2;
  const scale = 10 ** digits;
  const scaled = multiply(exact, fraction(scale));
  // What has more digits than numbers hold is rounded as it is.
  const up = Number.isFinite(scaled.n) ? Math.ceil(scaled.n / scaled.d) : Math.ceil((n / d) * scale);
  const isRounded = !(Number.isFinite(scaled.n) && scaled.d === 1);
  return { text: wording.number(up / scale), isRounded };
}
