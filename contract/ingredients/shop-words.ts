/** What a shop is asked for: the food's name, without how it is prepared, how much of it, and what stands in brackets. */
import type { Food } from './names.ts';
import { tidy } from './tidy.ts';

/** In UTF-16 units; the searches of shops find less the longer a name is. */
const LONGEST = 60;
const IN_BRACKETS = /[([][^()[\]]*[)\]]/g;
const NO_WORDS = /[^\p{L}\p{N}\p{M}%'’&.-]+/gu;

/** @returns at most 60 characters, whole words; empty for what names nothing */
export function shopWords({ name }: Pick<Food, 'name'>, brand?: string): string {
  const food = tidy(name).replace(IN_BRACKETS, ' ').split(',', 1)[0]!;
  const words = `${brand ?? ''} ${food}`.replace(NO_WORDS, ' ').trim().split(' ');
  let said = '';
  for (const word of words) {
    const longer = said === '' ? word : `${said} ${word}`;
    if (longer.length > LONGEST) break;
    said = longer;
  }
  return said === '' ? [...words[0]!].slice(0, LONGEST / 2).join('') : said;
}
