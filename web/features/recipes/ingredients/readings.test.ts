import { describe, expect, test } from 'vitest';
import { type Fraction, fraction } from '#contract/ingredients/fractions.ts';
import { languageOf } from '#contract/ingredients/languages.ts';
import { showPart } from '#contract/ingredients/showing.ts';
import { type IngredientsInput, LineFixes } from '#contract/recipe-ingredients.ts';
import * as lines from './line-edits.ts';
import * as readings from './readings.ts';
import { amountTyped, choicesOf, correction, fixOfAmount } from './readings.ts';
import { wordLearned } from './word-learned.ts';

const language = languageOf({ language: 'en', measures: 'us' });
const newId = () => crypto.randomUUID();
const contentOf = (text: string) => lines.addText(lines.EMPTY, text, null, { language, newId });
const readLines = (content: Parameters<typeof readings.readLines>[0]) => readings.readLines(content, language);
const shoppingList = (content: IngredientsInput, factor: Fraction) => readings.shoppingList(content, factor, language);

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
  expect(items[0]!.parts.map((part) => showPart(part))).toEqual(['1 ½ cups']);
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

describe('what a correction could teach', () => {
  const learned = (text: string, fixes: LineFixes, checked = false) => {
    const [line] = contentOf(text).lines;
    return wordLearned({ line: { ...line!, fixes, checked }, language });
  };
  const amounts = (from: string, unit: string | null) => [{ from, to: null, unit, each: null }];

  test.each<[text: string, fixes: LineFixes, word: object | null]>([
    [
      '2 glugs olive oil',
      { amounts: amounts('2', 'tablespoon') },
      { kind: 'unit', word: 'glug', means: '1 tablespoon' },
    ],
    ['2 glugs olive oil', { amounts: amounts('3', 'teaspoon') }, { kind: 'unit', word: 'glug', means: '3/2 teaspoon' }],
    ['1 schmear of butter', { amounts: amounts('1', 'cup') }, { kind: 'unit', word: 'schmear', means: '1 cup' }],
    [
      '2 schmears butter',
      { amounts: amounts('2', 'tablespoon'), food: 'butter' },
      { kind: 'unit', word: 'schmear', means: '1 tablespoon' },
    ],
    ['2 tbsp EVOO', { food: 'olive oil' }, { kind: 'alias', word: 'EVOO', means: 'olive oil' }],
    ['2 cups flour', { amounts: amounts('3', 'cup') }, null],
    ['2 cups flour', { amounts: amounts('2', 'tablespoon') }, null],
    ['2 glugs olive oil', { amounts: amounts('3', 'glug') }, null],
    ['2 cups flour', { food: 'Flours' }, null],
    ['2 cups flour', { food: ' ' }, null],
    ['2 cups flour', { optional: true }, null],
    [`2 cups ${'zorblat '.repeat(12)}`, { food: 'flour' }, null],
    ['Preheat the oven', { kind: 'ingredient', food: 'oven' }, null],
  ])('%s, corrected to %o', (text, fixes, word) => {
    if (word === null) expect(learned(text, fixes)).toBeNull();
    else expect(learned(text, fixes)).toEqual(word);
  });

  test('is a food, where it was confirmed', () => {
    expect(learned('3 tbsp zorblat', {}, true)).toEqual({ kind: 'food', word: 'zorblat', means: '' });
    expect(learned('3 tbsp zorblat', {}, false)).toBeNull();
    expect(learned('3 tbsp butter', {}, true)).toBeNull();
  });

  test('is nothing that is known already', () => {
    const words = [{ kind: 'alias' as const, word: 'EVOO', means: 'olive oil' }];
    const [line] = contentOf('2 tbsp EVOO').lines;
    const knows = languageOf({ language: 'en', measures: 'us' }, words);
    expect(wordLearned({ line: { ...line!, checked: true }, language: knows })).toBeNull();
  });
});

test('the first correction keeps what words made of a line, and what they make later is not its own', () => {
  const words = [{ kind: 'unit' as const, word: 'schmear', means: '1 tablespoon' }];
  const knows = languageOf({ language: 'en', measures: 'us' }, words);
  const content = contentOf('2 schmears butter');
  const [read] = readings.readLines(content, knows);
  const fixed = lines.fix(content, read!.line.id, correction(read!, { optional: true }));
  for (const language of [knows, languageOf({ language: 'en', measures: 'us' }, [])]) {
    const [now] = readings.readLines(fixed, language);
    expect(now!.reading).toMatchObject({ food: { name: 'butter' }, optional: true });
    expect(now!.reading.amounts).toMatchObject([{ from: { n: 2, d: 1 }, unit: 'tablespoon' }]);
  }
  const [plain] = readLines(contentOf('2 cups flour'));
  expect(correction(plain!, { optional: true })).toEqual({ optional: true });
});
