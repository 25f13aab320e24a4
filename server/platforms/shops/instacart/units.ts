/** How much of an item Instacart is told. Units that its documentation does not list break its own sums, so they are never sent. */
import { purchaseOf } from '#contract/ingredients/buying.ts';
import { compare, divide, type Fraction, fraction, multiply } from '#contract/ingredients/fractions.ts';
import type { Part } from '#contract/ingredients/merging.ts';
import { dimensionOf, sizeOf } from '#contract/ingredients/units.ts';
import type { ShopItem } from '../shop.ts';
import type { Measurement } from './types.ts';

/**
 * Ours to theirs. "tbsp" and a plain "fl oz" are not listed; a fluid ounce is "fl oz ounce" [C, of their table]. What is missing
 * here has no partner.
 */
const LISTED: ReadonlyMap<string, string> = new Map([
  ['gram', 'gram'],
  ['kilogram', 'kilogram'],
  ['ounce', 'ounce'],
  ['pound', 'pound'],
  ['milliliter', 'milliliter'],
  ['liter', 'liter'],
  ['teaspoon', 'teaspoon'],
  ['tablespoon', 'tablespoon'],
  ['fluid-ounce', 'fl oz ounce'],
  ['cup', 'cup'],
  ['pint', 'pint'],
  ['quart', 'quart'],
  ['gallon', 'gallon'],
  ['bunch', 'bunch'],
  ['can', 'can'],
  ['ear', 'ears'],
  ['head', 'head'],
  ['package', 'package'],
  ['packet', 'packet'],
  ['sachet', 'packet'],
]);
const PIECE = 'each';
/** Their cups and spoons are American. */
const METRIC = new Set(['milliliter', 'liter']);

/** @returns null for what they have no measure for, or what is in parts that do not add up: they take several for the same amount */
export function measurementOf({ parts, food }: ShopItem): Measurement | null {
  const [part, ...others] = parts;
  if (part === undefined || others.length > 0) return null;
  const purchase = purchaseOf(part, food.key);
  return purchase === null
    ? inTheirs({ ...part, amount: part.to ?? part.from })
    : inTheirs({ ...part, amount: purchase.count, unit: purchase.unit });
}

function inTheirs({ amount, unit, measures }: Pick<Part, 'unit' | 'measures'> & { amount: Fraction }) {
  if (unit === null) return measured(amount, PIECE);
  const dimension = dimensionOf(unit);
  const size = sizeOf(unit, measures);
  if (dimension === 'volume' && size !== null && (!LISTED.has(unit) || (measures !== 'us' && !METRIC.has(unit)))) {
    return measured(multiply(amount, size), 'milliliter');
  }
  if (dimension === 'mass' && size !== null && !LISTED.has(unit)) return measured(multiply(amount, size), 'gram');
  const listed = LISTED.get(unit);
  return listed === undefined ? null : measured(amount, listed);
}

/** Two digits after the point, never less than what is needed. */
function measured(amount: Fraction, unit: string): Measurement | null {
  const hundredths = divide(amount, fraction(1, 100));
  const quantity = Math.ceil(hundredths.n / hundredths.d) / 100;
  return compare(amount, fraction(0)) > 0 && Number.isFinite(quantity) ? { quantity, unit } : null;
}
