/**
 * What a US cup of a food weighs, in grams. Only foods are here of which two public sources agree within 5 %; salt, oats, rice, icing
 * sugar, cornstarch, cheese and leaves do not, for grain and packing differ.
 */
import { type Fraction, fraction } from './fractions.ts';

/**
 * By key: USDA FoodData Central (https://fdc.nal.usda.gov) [R] and, of what is poured, FAO/INFOODS Density Database 2.0, else King
 * Arthur Baking's weight chart [R].
 */
export const CUPS_IN_GRAMS: ReadonlyMap<string, readonly [usda: number, other: number]> = new Map([
  ['water', [237, 237]],
  ['milk', [244, 244]],
  ['whole milk', [244, 244]],
  ['heavy cream', [238, 237]],
  ['sour cream', [230, 227]],
  ['yogurt', [245, 251]],
  ['olive oil', [216, 218]],
  ['extra virgin olive oil', [216, 218]],
  ['vegetable oil', [218, 218]],
  ['honey', [339, 336]],
  ['butter', [227, 226]],
  ['unsalted butter', [227, 226]],
  ['salted butter', [227, 226]],
  ['sugar', [200, 198]],
  ['granulated sugar', [200, 198]],
  ['brown sugar', [220, 213]],
  ['light brown sugar', [220, 213]],
  ['dark brown sugar', [220, 213]],
  ['flour', [125, 120]],
  ['all purpose flour', [125, 120]],
]);

const MILLILITERS_OF_A_CUP = fraction(3_785_411_784, 16_000_000);

/** Grams of a milliliter, by the first source. @returns null where sources differ, or say nothing */
export function densityOf(foodKey: string): Fraction | null {
  const grams = CUPS_IN_GRAMS.get(foodKey)?.[0];
  return grams === undefined ? null : fraction(grams * MILLILITERS_OF_A_CUP.d, MILLILITERS_OF_A_CUP.n);
}
