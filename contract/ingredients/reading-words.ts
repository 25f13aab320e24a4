/** How a reading is told to its creator: "2 cups flour". */
import type { Reading } from './reading.ts';
import { showSize } from './showing.ts';

/** "2 cups", "1 can of 14 ½ oz", "2–3"; each measure of the line. */
export function amountWords({ amounts }: Pick<Reading, 'amounts'>): string {
  return amounts
    .map(({ each, isAbout, ...size }) => {
      const words = showSize(size);
      return `${isAbout ? 'about ' : ''}${words}${each === null ? '' : ` of ${showSize(each)}`}`;
    })
    .join(' or ');
}

export function readingWords(reading: Reading): string {
  if (reading.kind !== 'ingredient') return reading.kind === 'heading' ? 'A heading' : 'Not an ingredient';
  const foods = [reading.food, ...reading.alternatives].flatMap((food) => food?.name ?? []);
  return [amountWords(reading), foods.join(' or ') || 'no food', reading.optional && '(optional)']
    .filter(Boolean)
    .join(' ');
}
