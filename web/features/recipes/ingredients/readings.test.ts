import { expect, test } from 'vitest';
import { fraction } from '#contract/ingredients/fractions.ts';
import { showPart } from '#contract/ingredients/showing.ts';
import { LineFixes } from '#contract/recipe-ingredients.ts';
import * as lines from './line-edits.ts';
import { amountTyped, choicesOf, fixOfAmount, readLines, shoppingList } from './readings.ts';

const contentOf = (text: string) => lines.addText(lines.EMPTY, text, null, () => crypto.randomUUID());

test.each([
  ['2', { from: fraction(2), to: null }],
  ['1 1/2', { from: fraction(3, 2), to: null }],
  ['1½', { from: fraction(3, 2), to: null }],
  ['1 ½–2', { from: fraction(3, 2), to: fraction(2) }],
  ['0.5', { from: fraction(1, 2), to: null }],
])('%s is an amount', (typed, amount) => expect(amountTyped(typed)).toEqual([amount]));

test.each(['x', '1/0', '-', '2 x 400 g', '1 cup 2', '<b>', '0'])('%j is none', (typed) =>
  expect(amountTyped(typed)).toBeNull(),
);

test('no amount is an answer too', () => expect(amountTyped(' ')).toEqual([]));

test('a corrected amount is what the list adds, exactly, and the server takes it', () => {
  const content = contentOf('1 (14.5 oz) can tomatoes\n2 cans tomatoes');
  const [first] = readLines(content);
  const fixes = fixOfAmount(first!.reading, { from: fraction(3, 2) });
  expect(LineFixes.safeParse(fixes).success).toBe(true);
  expect(fixes.amounts[0]).toMatchObject({ from: '3/2', unit: 'can', each: { from: '29/2', unit: 'ounce' } });
  const fixed = lines.fix(content, first!.line.id, fixes);
  expect(readLines(fixed)[0]!.state).toBe('checked');
});

test('the list follows the servings', () => {
  const content = contentOf('2 cups flour\n1 cup flour\nfor dusting');
  const { items, unread } = shoppingList(content, fraction(1, 2));
  expect(items[0]!.parts.map(showPart)).toEqual(['1 ½ cups']);
  expect(unread).toEqual([]);
});

test('what is not certain stands on the list as it was written, until it was looked at', () => {
  const content = contentOf('2 cups flour\n3 tbsp zorblat');
  const list = shoppingList(content, fraction(2));
  expect(list.items.map(({ food }) => food.name)).toEqual(['flour']);
  expect(list.unread.map(({ text }) => text)).toEqual(['3 tbsp zorblat']);
  const checked = shoppingList(lines.check(content, [content.lines[1]!.id]), fraction(2));
  expect(checked.items.map(({ food }) => food.name)).toEqual(['flour', 'zorblat']);
});

test('another reading becomes corrections that the server takes, and is what is read then', () => {
  const content = contentOf('1 cup butter or oil\n2 cups schmear flour\n1 lemon zest and juice\nsalt and pepper');
  for (const read of readLines(content)) {
    for (const { reading, fixes } of choicesOf(read)) {
      expect(LineFixes.safeParse(fixes).error?.issues).toBeUndefined();
      const [fixed] = readLines(lines.fix({ ...content, lines: [read.line] }, read.line.id, fixes));
      expect(fixed!.reading.food?.key).toBe(reading.kind === 'ingredient' ? reading.food?.key : read.reading.food?.key);
    }
  }
});
