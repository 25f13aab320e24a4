/** Choosing among variants of a text, so that followers do not read the same public reply twice in a row. */

/**
 * Index of the variant to use next, never the last one when there is another; each of the others is as likely.
 *
 * @param last index used before, or null for the first time
 * @param random a number from 0 up to but not including 1
 * @returns null when there are no variants
 */
export function chooseVariant(count: number, last: number | null, random: () => number): number | null {
  if (count <= 0) return null;
  // The last one may be gone: variants are edited while an automation runs.
  if (last === null || last < 0 || last >= count) return pick(count, random);
  if (count === 1) return 0;
  const among = pick(count - 1, random);
  return among < last ? among : among + 1;
}

function pick(count: number, random: () => number): number {
  return Math.min(count - 1, Math.floor(random() * count));
}
