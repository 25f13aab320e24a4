import { expect, test } from 'vitest';
import { writeFraction } from './fractions.ts';
import { ENGLISH } from './lexicon.en.ts';
import { listOf } from './merging.ts';
import { type OwnWord, withOwnWords } from './own-words.ts';
import { meaningOf, readLine } from './reading.ts';

const read = (text: string, ...words: OwnWord[]) => readLine(text, { lexicon: withOwnWords(ENGLISH, words) });
const amountOf = (text: string, ...words: OwnWord[]) =>
  read(text, ...words).amounts.map(({ from, to, unit }) => [writeFraction(from), to && writeFraction(to), unit]);

test.each<[text: string, word: OwnWord, amount: unknown[], food: string]>([
  ['2 schmears of butter', { kind: 'unit', word: 'Schmear', means: '1 tbsp' }, ['2', null, 'tablespoon'], 'butter'],
  ['2 schmears butter', { kind: 'unit', word: 'schmear', means: '15 ml' }, ['30', null, 'milliliter'], 'butter'],
  ['1 schmear of butter', { kind: 'unit', word: 'schmears', means: '1 tbsp' }, ['1', null, 'tablespoon'], 'butter'],
  ['1-2 glugs oil', { kind: 'unit', word: 'glug', means: '2 tbsp' }, ['2', '4', 'tablespoon'], 'oil'],
  ['1 schmear butter', { kind: 'unit', word: 'schmear' }, ['1', null, 'own:schmear'], 'butter'],
  ['1 big mug milk', { kind: 'unit', word: 'big mug', means: 'cup' }, ['1', null, 'cup'], 'milk'],
  ['1 schmear butter', { kind: 'unit', word: 'schmear', means: 'plenty' }, ['1', null, 'own:schmear'], 'butter'],
])('a measure: %s', (text, word, amount, food) => {
  expect(read(text).sure).not.toBe(text.includes('glug') ? 'unsure' : 'certain');
  expect(amountOf(text, word)).toEqual([amount]);
  expect(read(text, word)).toMatchObject({ food: { name: food }, sure: 'certain' });
});

test.each<[text: string, word: OwnWord, fields: object]>([
  ['2 tbsp zazzle', { kind: 'food', word: 'zazzle' }, { food: { name: 'zazzle' }, sure: 'certain' }],
  ['3 Zazzle roots, peeled', { kind: 'food', word: 'zazzle root' }, { food: { key: 'zazzle root' }, sure: 'certain' }],
  ['2 cups Zingo pasta', { kind: 'brand', word: 'Zingo' }, { brand: 'Zingo', sure: 'certain' }],
  ['1 onion, frizzled', { kind: 'preparation', word: 'frizzled' }, { preparation: ['frizzled'], notes: [] }],
  ['frizzled onion', { kind: 'preparation', word: 'frizzled' }, { food: { name: 'onion' }, sure: 'certain' }],
  ['Love, butter and kisses', { kind: 'ignore', word: 'love' }, { kind: 'note', food: null }],
  ['2 tbsp OGG', { kind: 'alias', word: 'OGG', means: 'olive oil' }, { food: { key: 'ogg' }, sure: 'certain' }],
])('%s is read with %o', (text, word, fields) => {
  expect(read(text)).not.toMatchObject(fields);
  expect(read(text, word)).toMatchObject(fields);
});

test('an alias is one food with what it means, in its aisle', () => {
  const lexicon = withOwnWords(ENGLISH, [{ kind: 'alias', word: 'liquid gold', means: 'extra virgin olive oil' }]);
  const lines = ['2 tbsp liquid gold', '1 tbsp extra-virgin olive oil'].map((text, at) => ({
    ...{ id: String(at), reading: readLine(text, { lexicon }) },
  }));
  const items = listOf([{ id: 'a', factor: { n: 1, d: 1 }, measures: 'us', lines }], { lexicon });
  expect(items).toMatchObject([{ parts: [{ from: { n: 3, d: 1 }, unit: 'tablespoon' }] }]);
  expect(items[0]!.aisle).toBe(ENGLISH.foods.get('olive oil'));
});

test('the language itself stays as it is, and nothing is made for no words', () => {
  expect(withOwnWords(ENGLISH, [])).toBe(ENGLISH);
  withOwnWords(ENGLISH, [{ kind: 'food', word: 'zazzle' }]);
  expect(read('2 tbsp zazzle').sure).toBe('likely');
});

test('words can be laid over words, and the later one counts', () => {
  const first = withOwnWords(ENGLISH, [{ kind: 'unit', word: 'glug', means: '1 tbsp' }]);
  const both = withOwnWords(first, [{ kind: 'unit', word: 'glug', means: '2 tsp' }]);
  expect(readLine('1 glug oil', { lexicon: both }).amounts).toMatchObject([{ from: { n: 2, d: 1 }, unit: 'teaspoon' }]);
});

test('a change is previewed: which lines would be read otherwise', () => {
  const lines = ['1 schmear of butter', '2 eggs', '2 schmears jam', 'schmear'];
  const word: OwnWord = { kind: 'unit', word: 'schmear', means: '1 tbsp' };
  const changed = lines.filter((line) => meaningOf(read(line)) !== meaningOf(read(line, word)));
  expect(changed).toEqual(['1 schmear of butter', '2 schmears jam']);
});

test.each(['', ' ', '!!', '–', '\u0000', 'ﷺ'.repeat(500), '1', '½', 'a'.repeat(10_000)])(
  'a hostile word %#',
  (text) => {
    for (const kind of ['unit', 'food', 'brand', 'preparation', 'ignore', 'alias'] as const) {
      expect(read('2 eggs', { kind, word: text, means: text })).toMatchObject({ food: { name: 'eggs' } });
    }
  },
);
