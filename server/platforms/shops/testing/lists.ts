/** Lists for tests, made as lists are made: out of lines. */
import { ONE } from '#contract/ingredients/fractions.ts';
import { ENGLISH } from '#contract/ingredients/lexicon.en.ts';
import { listOf } from '#contract/ingredients/merging.ts';
import { readLine } from '#contract/ingredients/reading.ts';
import type { Measures } from '#contract/ingredients/units.ts';
import type { ShopList } from '../shop.ts';

export const LIST_ID = '01890000-0000-7000-8000-00000000000a';

export function listFor(lines: string[], more: Partial<ShopList> & { measures?: Measures } = {}): ShopList {
  const { measures = 'us', ...rest } = more;
  const read = lines.map((text, at) => ({ id: `l${at}`, reading: readLine(text, { lexicon: ENGLISH, measures }) }));
  return {
    kind: 'recipe',
    id: LIST_ID,
    title: 'Soup',
    pictureUrl: 'https://blog.example/soup.jpg',
    author: 'Anna',
    servings: 4,
    minutes: 30,
    pageUrl: 'https://blog.example/soup',
    items: listOf([{ id: 'r', factor: ONE, measures, lines: read }], { lexicon: ENGLISH }),
    ...rest,
  };
}
