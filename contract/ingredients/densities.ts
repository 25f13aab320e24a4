/**
 * What a US cup of a food weighs, in grams. Only foods are here of which two public sources agree within 5 %. Milk, oil, yogurt, sour
 * cream, molasses, dark brown sugar, cornstarch and salt do not, for grain, packing and rounding differ.
 */
import { type Fraction, fraction } from './fractions.ts';

/**
 * By key: the table of Rose Levy Beranbaum's Cake Bible as GNU units 3.22 has it (definitions.units, flour "spooned"; water is 1 g a
 * milliliter), and King Arthur Baking's ingredient weight chart (kingarthurbaking.com/learn/ingredient-weight-chart, read in a public
 * copy: github.com/nicholaswilde/recipes, its page on measuring).
 */
export const CUPS_IN_GRAMS: ReadonlyMap<string, readonly [cakeBible: number, kingArthur: number]> = new Map([
  ['water', [237, 227]],
  ['heavy cream', [232, 227]],
  ['honey', [333, 336]],
  ['butter', [227, 226]],
  ['unsalted butter', [227, 226]],
  ['salted butter', [227, 226]],
  ['sugar', [200, 198]],
  ['granulated sugar', [200, 198]],
  ['light brown sugar', [217, 213]],
  ['flour', [120, 120]],
  ['all purpose flour', [120, 120]],
]);

const MILLILITERS_OF_A_CUP = fraction(3_785_411_784, 16_000_000);

/** Grams of a milliliter, by the first source. @returns null where sources differ, or say nothing */
export function densityOf(foodKey: string): Fraction | null {
  const grams = CUPS_IN_GRAMS.get(foodKey)?.[0];
  return grams === undefined ? null : fraction(grams * MILLILITERS_OF_A_CUP.d, MILLILITERS_OF_A_CUP.n);
}
