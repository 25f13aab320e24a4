import { describe, expect, test } from 'vitest';
import { TypoIndex } from './typos.ts';

function isForgiven(keyword: string, written: string): boolean {
  const index = new TypoIndex<{ key: string }>();
  index.add({ key: keyword });
  return index.find(written) !== null;
}

describe('forgives', () => {
  test.each([
    ['a letter too few', 'recipe', 'recpe'],
    ['a letter too many', 'recipe', 'receipe'],
    ['a wrong letter', 'recipe', 'recipi'],
    ['neighbours swapped', 'recipe', 'recpie'],
    ['the first two swapped', 'recipe', 'ercipe'],
    ['a plural', 'price', 'prices'],
    ['one edit in four letters', 'link', 'lnik'],
    ['two edits in eight letters', 'shortcut', 'shrtcutt'],
    ['two swaps in a long word', 'ingredients', 'ingerdeints'],
    ['a letter held down', 'recipe', 'reciiiiipe'],
    ['a double letter held down', 'coffee', 'coffeeeee'],
    ['a held letter in a short word', 'yes', 'yesssss'],
    ['a held letter and a slip', 'recipe', 'recipieeee'],
    ['Russian', 'рецепт', 'рецпет'],
    ['Arabic', 'الوصفه', 'الوصف'],
    ['Greek', 'συνταγη', 'συντγαη'],
    ['Hebrew', 'מתכון', 'מתכן'],
    ['Korean of four syllables', '레시피요', '레시비요'],
  ])('%s', (_, keyword, written) => {
    expect(isForgiven(keyword, written)).toBe(true);
  });
});

describe('does not forgive', () => {
  test.each([
    ['the word itself, which is no typo', 'recipe', 'recipe'],
    ['another word that begins alike', 'recipe', 'recipient'],
    ['another first letter', 'cake', 'make'],
    ['a missing first letter', 'recipe', 'ecipe'],
    ['two edits in seven letters', 'recipes', 'rceipse'],
    ['three edits in a long word', 'shortcut', 'shrtcxx'],
    ['one edit in three letters', 'dip', 'dips'],
    ['digits', '2024', '2025'],
    ['digits held down', '10', '1000'],
    ['a digit in a word', 'recipe1', 'recipe2'],
    ['a digit added', 'recipe', 'recipe1'],
    ['digits for a word with digits', '2024a', '2024'],
    ['a letter written twice only, in a short word', 'god', 'good'],
    ['a held letter the keyword has oftener', 'coffee', 'cofff'],
    ['one letter repeated', 'y', 'yyyy'],
    ['an empty text', 'recipe', ''],
  ])('%s', (_, keyword, written) => {
    expect(isForgiven(keyword, written)).toBe(false);
  });
});
