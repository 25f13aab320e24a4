/** What shops sell where a recipe wants less than a whole one. After adding, never before; never downward. */
import { compare, divide, type Fraction, fraction, roundUp } from './fractions.ts';
import type { Part } from './merging.ts';
import { dimensionOf } from './units.ts';

export type Purchase = { count: Fraction; unit: string | null };

/** Sold by another piece than cooks count: so many of one make the other. */
const SOLD_AS: ReadonlyMap<string, { unit: string; holds: Fraction }> = new Map([
  // A head of garlic has 10 to 12 (https://fdc.nal.usda.gov gives 3 g a clove) [R].
  ['garlic clove', { unit: 'head', holds: fraction(10) }],
]);

/** @returns null where shops sell what is needed, or by weight */
export function purchaseOf(part: Pick<Part, 'from' | 'to' | 'unit'>, foodKey: string): Purchase | null {
  const need = part.to ?? part.from;
  const sold = SOLD_AS.get(`${foodKey} ${part.unit}`);
  if (sold !== undefined) return { count: roundUp(divide(need, sold.holds)), unit: sold.unit };
  const isWhole = part.unit === null || dimensionOf(part.unit) === 'package';
  const count = roundUp(need);
  return isWhole && compare(count, need) !== 0 ? { count, unit: part.unit } : null;
}
