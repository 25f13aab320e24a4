/** Measures of ingredients: their dimension, and their size where it is agreed. */
import { type Fraction, fraction } from './fractions.ts';

/** Whose cups, spoons and pints: those of the recipe, never of whoever shops. */
export type Measures = 'us' | 'uk' | 'metric' | 'au';

/**
 * - `mass` in grams, `volume` in milliliters.
 * - `package`: what a shop sells by the piece; `count`: parts of a food; `vague`: no size unless its creator gives one.
 */
export type Dimension = 'mass' | 'volume' | 'package' | 'count' | 'vague';

const MASS = {
  milligram: fraction(1, 1000),
  gram: fraction(1),
  kilogram: fraction(1000),
  ounce: fraction(45_359_237, 1_600_000),
  pound: fraction(45_359_237, 100_000),
  stone: fraction(45_359_237 * 14, 100_000),
};

const METRIC_VOLUME = {
  milliliter: fraction(1),
  centiliter: fraction(10),
  deciliter: fraction(100),
  liter: fraction(1000),
};

/** In milliliters. US: 231 cubic inches to the gallon. UK: 4.54609 l to the gallon, metric cups and spoons as sold today. */
const VOLUME: Record<Measures, Record<string, Fraction>> = {
  us: volumes({
    gallon: fraction(3_785_411_784, 1_000_000),
    ounces: 128,
    spoon: fraction(3_785_411_784, 256_000_000),
    cup: null,
  }),
  uk: volumes({ gallon: fraction(454_609, 100), ounces: 160, spoon: fraction(15), cup: fraction(250) }),
  metric: volumes({ gallon: fraction(454_609, 100), ounces: 160, spoon: fraction(15), cup: fraction(250) }),
  au: volumes({ gallon: fraction(454_609, 100), ounces: 160, spoon: fraction(20), cup: fraction(250) }),
};

type Kind = { gallon: Fraction; ounces: number; spoon: Fraction; cup: Fraction | null };

function volumes({ gallon, ounces, spoon, cup }: Kind): Record<string, Fraction> {
  const part = (by: number) => fraction(gallon.n, gallon.d * by);
  return {
    ...METRIC_VOLUME,
    teaspoon: ounces === 128 ? part(768) : fraction(5),
    dessertspoon: fraction(10),
    tablespoon: spoon,
    'fluid-ounce': part(ounces),
    shot: fraction(ounces === 128 ? 44 : 25),
    cup: cup ?? part(16),
    pint: part(8),
    quart: part(4),
    gallon,
  };
}

const PACKAGES =
  'bag ball bar block bottle box bulb bunch can carton case container crown cube envelope head jar loaf package pouch punnet roll sachet sheet tray tub tube';
const COUNTS =
  'breast clove ear fillet floret glass knuckle leaf piece rasher round segment slice sprig square stalk stick strip thigh wedge';
const VAGUE = 'dash dollop drizzle drop glug handful knob pinch scoop smidgen splash sprinkle squeeze';

const DIMENSIONS = new Map<string, Dimension>([
  ...Object.keys(MASS).map((id) => [id, 'mass'] as const),
  ...Object.keys(VOLUME.us).map((id) => [id, 'volume'] as const),
  ...PACKAGES.split(' ').map((id) => [id, 'package'] as const),
  ...COUNTS.split(' ').map((id) => [id, 'count'] as const),
  ...VAGUE.split(' ').map((id) => [id, 'vague'] as const),
]);

export const UNITS: readonly string[] = [...DIMENSIONS.keys()];

/** @returns null for what is no measure of ours */
export function dimensionOf(unit: string): Dimension | null {
  return DIMENSIONS.get(unit) ?? (unit.startsWith(OWN) ? 'vague' : null);
}

/** Not counted: by mass or by volume. */
export function isMeasured(unit: string | null): boolean {
  const dimension = unit === null ? null : dimensionOf(unit);
  return dimension === 'mass' || dimension === 'volume';
}

const OWN = 'own:';

/** A measure that only its creator knows: "own:schmear". */
export function ownUnit(name: string): string {
  return `${OWN}${name}`;
}

/** Ids of its measures, in the order in which people choose them. */
export function unitsOf(dimension: Dimension): string[] {
  return [...DIMENSIONS].filter(([, one]) => one === dimension).map(([id]) => id);
}

/** In grams or milliliters. @returns null where nobody agrees how much it is */
export function sizeOf(unit: string, measures: Measures): Fraction | null {
  return MASS[unit as keyof typeof MASS] ?? VOLUME[measures][unit] ?? null;
}

/** "schmear", which is told from our own measures by what stands before it. */
export function nameOfUnit(unit: string): string {
  return unit.startsWith(OWN) ? unit.slice(OWN.length) : unit;
}
