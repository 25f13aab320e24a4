import { expect, test } from 'vitest';
import { writeFraction } from './fractions.ts';
import { ENGLISH } from './lexicon.en.ts';
import { otherReadings, readLine } from './reading.ts';
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

test.each([
  ['1 schmear of butter', 'unit', 'unknown_measure', 'schmear'],
  ['2 cups Zingo pasta', 'food', 'unknown_food', 'zingo'],
  ['cilantro & crumbled cotija', 'food', 'several_foods', 'cilantro & crumbled cotija'],
  ['chicken, tofu', 'rest', 'food_in_note', 'tofu'],
  ['butter or zazzle', 'rest', 'unknown_alternative', 'zazzle'],
  ['flour about roughly 2 cups', 'amount', 'number_left', '2'],
])('%s: the %s is doubted', (text, field, why, words) => {
  const { sure, sureness, doubts } = read(text);
  expect({ sure, doubts }).toEqual({ sure: 'likely', doubts: [{ field, why, text: words }] });
  expect(Object.entries(sureness).filter(([, one]) => one !== 'certain')).toEqual([[field, 'likely']]);
});

const othersOf = (text: string) =>
  otherReadings(text, { lexicon: ENGLISH }).map(({ kind, food, alternatives }) =>
    [food?.name ?? kind, ...alternatives.map(({ name }) => name)].join(' or '),
  );

test.each([
  ['1 schmear of butter', ['schmear of butter']],
  ['2 cups Zingo pasta', ['pasta']],
  ['cilantro & crumbled cotija', ['cilantro', 'heading', 'note']],
  ['2 cups chicken, tofu', ['chicken or tofu']],
  ['2 tbsp butter or zazzle', ['butter or zazzle']],
  ['2 garlic cloves', ['garlic cloves']],
  ['SLOW COOKER BEEF', ['BEEF', 'heading', 'note']],
  ['Day 2 – shaping', ['Day 2']],
  ['2 eggs', []],
  ['', []],
])('%s: other readings', (text, others) => {
  expect(othersOf(text)).toEqual(others);
});

test('another reading takes the number that was left', () => {
  const [other] = otherReadings('flour about roughly 2 cups', { lexicon: ENGLISH });
  expect(other).toMatchObject({ amounts: [{ unit: 'cup' }], food: { name: 'flour' }, sure: 'certain' });
});

test.each([
  ['2 large eggs', { size: 'large' }],
  ['eggs (extra-large)', { size: 'extra-large', notes: [] }],
  ['2 cloves garlic, cut into large chunks', { size: null }],
  ['½ cup flour, plus more for dusting', { purpose: 'for dusting', more: true, notes: [] }],
  ['For serving: lemon', { purpose: 'For serving', food: { name: 'lemon' } }],
  ['1 cup King Arthur flour', { brand: 'King Arthur', food: { name: 'King Arthur flour' } }],
  ['about 2 cups milk', { amounts: [{ isAbout: true, fill: null }] }],
  ['3 heaped tsp sugar', { amounts: [{ fill: 'heaped' }] }],
  ['1 scant cup sugar', { amounts: [{ fill: 'scant' }] }],
  ['1 cup brown sugar, packed', { amounts: [{ fill: 'packed' }] }],
])('%s: %o', (text, fields) => {
  expect(read(text)).toMatchObject(fields);
});

test('words of a size, a brand and a purpose have spans of their own', () => {
  const { text, spans } = read('2 large Heinz tomatoes, for the sauce');
  expect(spans.map(({ start, end, role }) => `${role}: ${text.slice(start, end)}`)).toEqual([
    ...['amount: 2', 'size: large', 'brand: Heinz', 'food: tomatoes', 'word: ,', 'purpose: for the sauce'],
  ]);
});
