import { describe, expect, test } from 'vitest';
import { canHaveTypos, editsAllowed, RECIPE_MISSPELLINGS, TypoIndex } from './typos.ts';

function indexOf(keywords: string[]): TypoIndex<{ key: string }> {
  const index = new TypoIndex<{ key: string }>();
  for (const key of keywords) index.add({ key });
  return index;
}

function isForgiven(keyword: string, written: string): boolean {
  return indexOf([keyword]).find(written) !== null;
}

describe('forgives', () => {
  test.each([
    ['a letter too few', 'recipe', 'recpe'],
    ['a letter too many', 'recipe', 'receipe'],
    ['a wrong letter', 'recipe', 'recipi'],
    ['neighbours swapped', 'recipe', 'recpie'],
    ['the first two swapped', 'recipe', 'ercipe'],
    ['one edit in four letters', 'link', 'lnik'],
    ['a letter too few in four letters', 'link', 'lin'],
    ['one edit in seven letters', 'cupcake', 'cupcale'],
    ['the first two swapped in four letters', 'link', 'ilnk'],
    ['the last two swapped', 'recipe', 'reciep'],
    ['a letter too many at the end of eight', 'shortcut', 'shortcutss'],
    ['two letters too few in eight', 'shortcut', 'shrtct'],
    ['a letter too few and one too many', 'shortcut', 'shrtcutt'],
    ['a letter too few, and the last two swapped', 'shortcut', 'shrtctu'],
    ['a letter beside digits', 'top10recipes', 'top10recpies'],
    ['the first two swapped beside digits', 'recipe1', 'ercipe1'],
    ['two edits in eight letters', 'shortcut', 'shrtcutt'],
    ['two swaps in a long word', 'ingredients', 'ingerdeints'],
    ['a letter held down', 'recipe', 'reciiiiipe'],
    ['a double letter held down', 'coffee', 'coffeeeee'],
    ['a double letter written three times', 'coffee', 'coffeee'],
    ['two double letters held down', 'coffee', 'coffffeeeee'],
    ['a held letter in a short word', 'yes', 'yesssss'],
    ['a held letter in a word of two', 'ok', 'okkk'],
    ['a held letter at the beginning', 'recipe', 'rrrecipe'],
    ['every letter held down', 'yes', 'yyyeeesss'],
    ['a held letter beside digits', 'v2ok', 'v2okkk'],
    ['a held letter and a slip', 'recipe', 'recipieeee'],
    ['a swap in a word of two letters only', 'coco', 'ccoo'],
    ['a letter too few beside digits at the start', '2024ab', '2024a'],
    ['a letter too few beside digits at the end', 'ab2024', 'a2024'],
    ['Russian', 'рецепт', 'рецпет'],
    ['Arabic', 'الوصفه', 'الوصف'],
    ['Greek', 'συνταγη', 'συντγαη'],
    ['Hebrew', 'מתכון', 'מתכן'],
    ['Korean of four syllables', '레시피요', '레시비요'],
  ])('%s', (_, keyword, written) => {
    expect(isForgiven(keyword, written)).toBe(true);
  });
});

describe('knows as one word', () => {
  test.each([
    ['an s', 'dip', 'dips'],
    ['es after sh', 'dish', 'dishes'],
    ['es after ch', 'lunch', 'lunches'],
    ['es after x', 'mix', 'mixes'],
    ['es after ss', 'glass', 'glasses'],
    ['es after zz', 'fizz', 'fizzes'],
    ['es after o', 'tomato', 'tomatoes'],
    ['es after a double letter', 'miss', 'misses'],
    ['an s after an o', 'oreo', 'oreos'],
    ['an s after es of a short word', 'toe', 'toes'],
    ['ies for y', 'berry', 'berries'],
    ['ies for y, in a short word', 'fry', 'fries'],
    ['an s after ie of a short word', 'pie', 'pies'],
    ['an s beside digits', 'top10dip', 'top10dips'],
    ['an s after digits', 'v10', 'v10s'],
  ])('singular and plural, either way round: %s', (_, singular, plural) => {
    expect(isForgiven(singular, plural)).toBe(true);
    expect(isForgiven(plural, singular)).toBe(true);
  });

  test.each(RECIPE_MISSPELLINGS)('recipe, recipes and %s, with an s or without', (misspelling) => {
    for (const keyword of ['recipe', 'recipes']) {
      expect(isForgiven(keyword, misspelling)).toBe(true);
      expect(isForgiven(keyword, `${misspelling}s`)).toBe(true);
      expect(isForgiven(misspelling, keyword)).toBe(true);
    }
  });
});

describe('does not forgive', () => {
  test.each([
    ['the word itself, which is no typo', 'recipe', 'recipe'],
    ['another word that begins alike', 'recipe', 'recipient'],
    ['another first letter', 'cake', 'make'],
    ['a missing first letter', 'recipe', 'ecipe'],
    ['two edits in seven letters', 'recipes', 'rceipse'],
    ['two edits in seven letters, one of them an extra letter', 'cupcake', 'cupcalee'],
    ['two letters too many in seven', 'cupcake', 'cupcakexy'],
    ['two letters too few in seven', 'cupcake', 'cupca'],
    ['three letters too many in eight', 'shortcut', 'shortcutxyz'],
    ['three letters too few in eight', 'shortcut', 'short'],
    ['the first two swapped and a slip', 'cupcake', 'ucpcale'],
    ['the first two swapped in three letters', 'dip', 'idp'],
    ['a second letter in the place of the first', 'link', 'iink'],
    ['a first letter in the place of the second', 'link', 'illk'],
    ['two wrong letters, the first of them a neighboring key', 'cupcake', 'cupaxke'],
    ['two wrong letters, the second of them a neighboring key', 'cupcake', 'cupxcke'],
    ['another first letter that is the second, too', 'bbab', 'abab'],
    ['a word that begins with a double letter, which is no swap', 'llama', 'llama'],
    ['a word with a letter three times, which is no held one', 'hmmm', 'hmmm'],
    ['two letters swapped that are not neighbours', 'link', 'lkni'],
    ['letters in another order altogether', 'lemon', 'lnmoe'],
    ['the same letters with one in the place of two', 'paprika', 'pprikak'],
    ['three edits in a long word', 'shortcut', 'shrtcxx'],
    ['one edit in three letters', 'dip', 'dipp'],
    ['an s after two letters', 'no', 'nos'],
    ['an s after two letters, left out', 'yes', 'ye'],
    ['an s after an s in a short word', 'gas', 'gass'],
    ['an s left out after another', 'gas', 'ga'],
    ['ies for y after one letter', 'ay', 'aies'],
    ['us, which is no plural', 'abu', 'abus'],
    ['is, which is no plural', 'abi', 'abis'],
    ['es after a letter that takes s alone', 'dip', 'dipes'],
    ['es in the middle', 'dip', 'dipesy'],
    ['a plural of another word', 'dips', 'dots'],
    ['a number and an s', '2024', '2024s'],
    ['a word with another number, and an s', 'top10s', 'top11'],
    ['a misspelling with another number', 'recipe1', 'recepie2'],
    ['a word like the misspelling', 'receipt', 'recepie'],
    ['digits', '2024', '2025'],
    ['digits held down', '10', '1000'],
    ['digits held down in a word', 'v10', 'v1000'],
    ['digits held down beside a held letter', 'v10k', 'v1000kkk'],
    ['digits for a word', 'recipe', '123456'],
    ['a digit in the place of the first letter', 'recipe', '0ecipe'],
    ['a digit in the place of another letter', 'recipe', 'rec1pe'],
    ['a digit in a word', 'recipe1', 'recipe2'],
    ['a digit added', 'recipe', 'recipe1'],
    ['digits for a word with digits', '2024a', '2024'],
    ['a letter written twice only, in a short word', 'god', 'good'],
    ['a held letter the keyword has oftener', 'coffee', 'cofff'],
    ['another letter held down', 'yes', 'yennn'],
    ['a held letter, and the end of the word missing', 'yes', 'yeee'],
    ['a held letter, and a letter after it', 'yes', 'yessst'],
    ['a held letter, and another doubled', 'yes', 'yeesss'],
    ['a letter written three times where the keyword has four', 'baaaa', 'baaa'],
    ['letters of rare scripts', '𐌰𐌱𐌲𐌳', '𐌰𐌱𐌳𐌲'],
    ['one letter repeated', 'y', 'yyyy'],
    ['an empty text', 'recipe', ''],
  ])('%s', (_, keyword, written) => {
    expect(isForgiven(keyword, written)).toBe(false);
  });
});

describe('several keywords', () => {
  test.each<[string, string[], string, string[] | null]>([
    ['only those that it may be a slip of', ['recipe', 'receipt', 'link'], 'recipt', ['recipe', 'receipt']],
    ['all of one length', ['cake', 'case', 'cave', 'soup'], 'caze', ['cake', 'case', 'cave']],
    ['longer and shorter ones', ['price', 'prices', 'priced'], 'pricee', ['price', 'prices', 'priced']],
    ['all but itself', ['cake', 'case'], 'cake', ['case']],
    ['those with the same digits', ['recipe1', 'recipe2', 'recipe12'], 'recpie2', ['recipe2']],
    ['those with the first two letters swapped', ['link', 'lint', 'line'], 'ilnt', ['lint']],
    ['both ways of swapping', ['link', 'ilnks'], 'ilnk', ['ilnks', 'link']],
    ['two of them swapped at the start', ['orange', 'oragne'], 'roange', ['orange']],
    ['a held letter, beside a misspelling of the word', ['recepie', 'recipe'], 'reciiipe', ['recipe']],
    ['a held letter, once or twice', ['god', 'good', 'goood'], 'gooood', ['god', 'good', 'goood']],
    ['a held letter, and a slip besides', ['good', 'gold', 'soup'], 'goldddd', ['gold', 'good']],
    ['a word of two letters, held only', ['ok', 'okay'], 'okkkk', ['ok']],
    ['a long word beside a short one', ['shop', 'shortcut'], 'shrtcutt', ['shortcut']],
    ['none that is far from it', ['cake', 'soup'], 'bread', null],
  ])('finds %s', (_, keywords, written, found) => {
    expect(
      indexOf(keywords)
        .find(written)
        ?.map(({ key }) => key) ?? null,
    ).toEqual(found);
  });

  test('a keyword added twice is found once', () => {
    const index = new TypoIndex<{ key: string }>();
    const cake = { key: 'cake' };
    for (const word of [cake, cake]) index.add(word);
    expect(index.find('caze')).toEqual([cake]);
    expect(index.find('cakeeee')).toEqual([cake]);
  });

  test.each<[string, string[], boolean]>([
    ['no word', [], true],
    ['words without typos', ['1', '2024', 'a', '🍋🍋'], true],
    ['a word of two letters, which may be held down', ['ok'], false],
    ['a word', ['2024', 'recipe'], false],
  ])('knows that it is empty or not: %s', (_, keywords, isEmpty) => {
    expect(indexOf(keywords).isEmpty).toBe(isEmpty);
  });
});

test.each([
  [3, 0],
  [4, 1],
  [7, 1],
  [8, 2],
])('in %i letters %i edits are allowed', (letters, edits) => {
  expect(editsAllowed(letters)).toBe(edits);
});

test.each([
  ['a', false],
  ['ok', true],
  ['2024', false],
  ['v2', true],
  ['𐌰𐌱𐌲', false],
])('whether %j can have typos: %s', (key, can) => {
  expect(canHaveTypos(key)).toBe(can);
});
