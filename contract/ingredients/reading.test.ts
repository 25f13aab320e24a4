import { expect, test } from 'vitest';
import { writeFraction } from './fractions.ts';
import { ENGLISH } from './lexicon.en.ts';
import { readLine } from './reading.ts';
import { MAX_LINE_LENGTH } from './tidy.ts';

const read = (text: string) => readLine(text, { lexicon: ENGLISH });
const amountsOf = (text: string) =>
  read(text).amounts.map(({ from, to, unit, each }) =>
    [
      `${writeFraction(from)}${to === null ? '' : `–${writeFraction(to)}`}`,
      ...(unit === null ? [] : [unit]),
      ...(each === null ? [] : [`of ${writeFraction(each.from)} ${each.unit}`]),
    ].join(' '),
  );

test.each([
  ['1½ cups flour', ['3/2 cup']],
  ['1-1/2 tsp salt', ['3/2 teaspoon']],
  ['2 x 400 g tins chopped tomatoes', ['2 can of 400 gram']],
  ['1 14-ounce can coconut milk', ['1 can of 14 ounce']],
  ['1 lb 2 oz beef', ['9/8 pound']],
  ['2 cups minus 1 tbsp flour', ['31/16 cup']],
  ['250 g / 9 oz butter', ['250 gram', '9 ounce']],
  ['900 g to 1 kg potatoes', ['900–1000 gram']],
  ['1T oil', ['1 tablespoon']],
  ['1t salt', ['1 teaspoon']],
  ['½½ cup milk', ['1/2']],
  ['1/0 cup milk', []],
  ['3-1 eggs', ['3']],
  ['0 eggs', []],
  ['1000000000 eggs', []],
  ['1-inch piece of ginger', []],
  ['80/20 ground beef', []],
  ['00 flour', []],
])('%s', (text, amounts) => {
  expect(amountsOf(text)).toEqual(amounts);
});

test.each(['½½ cup milk', '3-1 eggs', '1/0 cup milk', '1000000000 eggs'])('%s is not certain', (text) => {
  expect(read(text).sure).not.toBe('certain');
});

test.each([
  ['tags', '2 <b>eggs</b><script>alert(1)</script>', '2 eggs alert(1)'],
  ['entities, also twice', '1 &amp;frac12; cups&nbsp;flour', '1 ½ cups flour'],
  ['what nobody sees', '2\u200b eg\u0000gs\u202e', '2 eg gs'],
  ['half a letter', '2 eggs \ud83d', '2 eggs'],
])('a line is kept without %s', (_, raw, text) => {
  expect(read(raw).text).toBe(text);
});

test('a line of 10,000 characters is cut, and nothing', () => {
  expect(read(`2 cups ${'flour '.repeat(2_000)}`).text.length).toBeLessThanOrEqual(MAX_LINE_LENGTH);
  expect(read('')).toMatchObject({ kind: 'note', amounts: [], food: null });
});
