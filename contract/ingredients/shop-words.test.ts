import { expect, test } from 'vitest';
import { shopWords } from './shop-words.ts';

test.each([
  ['butter', undefined, 'butter'],
  ['00 flour', undefined, '00 flour'],
  ['half & half', undefined, 'half & half'],
  ['crème fraîche', undefined, 'crème fraîche'],
  ['onion, finely chopped', undefined, 'onion'],
  ['chickpeas (garbanzo beans)', undefined, 'chickpeas'],
  ['mayonnaise', 'Hellmann’s', 'Hellmann’s mayonnaise'],
  ['<b>salt</b>\u0000 \u200b🧂', undefined, 'salt'],
  ['2% milk', undefined, '2% milk'],
  ['', undefined, ''],
  ['()[]', undefined, ''],
  ['(((((', undefined, ''],
  ['🧂', undefined, ''],
])('%j of %j is %j', (name, brand, words) => {
  expect(shopWords({ name }, brand)).toBe(words);
});

test('has whole words of at most 60 characters', () => {
  const long = `${'vegetable '.repeat(50)}stock`;
  expect(shopWords({ name: long })).toBe('vegetable vegetable vegetable vegetable vegetable vegetable');
  expect(shopWords({ name: 'a'.repeat(10_000) })).toBe('a'.repeat(30));
  expect(shopWords({ name: '𝒳'.repeat(200) }).isWellFormed()).toBe(true);
  expect(shopWords({ name: `a${'\ud800'.repeat(100)}b` })).toBe('a b');
});
