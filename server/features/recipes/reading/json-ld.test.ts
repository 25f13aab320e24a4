import { describe, expect, test } from 'vitest';
import { MOST_LINES } from '#contract/recipe-ingredients.ts';
import { readJsonLd } from './json-ld.ts';

const PAGE = 'https://blog.example.test/cakes/lemon-cake/';
const LINES = ['2 eggs', '100 g flour'];
const CAKE = { '@type': 'Recipe', name: 'Lemon cake', recipeIngredient: LINES };
const GROUPS = [{ name: null, lines: LINES }];

const read = (...scripts: (string | object)[]) =>
  readJsonLd(
    scripts.map((script) => (typeof script === 'string' ? script : JSON.stringify(script))),
    PAGE,
  );
const only = (...scripts: (string | object)[]) => {
  const readings = read(...scripts);
  expect(readings).toHaveLength(1);
  return readings[0]!;
};

describe('finds the recipe', () => {
  const text = JSON.stringify(CAKE);
  test.each<[string, (string | object)[]]>([
    ['alone', [CAKE]],
    ['in a list', [[CAKE]]],
    ['in a graph', [{ '@context': 'https://schema.org', '@graph': [{ '@type': 'WebPage' }, CAKE] }]],
    ['in a graph within a graph', [{ '@graph': [{ '@graph': [CAKE] }] }]],
    ['under a page’s main thing', [{ '@type': 'WebPage', mainEntity: CAKE }]],
    ['in the second element', [{ '@type': 'Organization', name: 'A blog' }, CAKE]],
    ['after an element that is broken', ['{"@type": "Organi', CAKE]],
    ['of several types', [{ ...CAKE, '@type': ['NewsArticle', 'Recipe'] }]],
    ['with its type as an address', [{ ...CAKE, '@type': 'https://schema.org/Recipe' }]],
    ['with that address without https', [{ ...CAKE, '@type': 'http://schema.org/Recipe' }]],
    ['with a context without https', [{ ...CAKE, '@context': 'http://schema.org/' }]],
    ['twice on a page', [CAKE, { '@graph': [CAKE] }]],
    ['with commas too many', [text.replace(']', ',]').replace(/\}$/, ',}')]],
    ['with a semicolon after it', [`${text};`]],
    ['in a comment', [`<!-- ${text} -->`]],
    ['in CDATA', [`/* <![CDATA[ */ ${text} /* ]]> */`]],
    ['with line breaks within a text', [text.replace('Lemon cake', 'Lemon\ncake')]],
    ['with a tab within a text', [text.replace('Lemon cake', 'Lemon\tcake')]],
    ['with controls within a text', [text.replace('Lemon cake', 'Lemon\u0001cake')]],
    ['with a stray backslash', [text.replace('{', '{"author":"A\\ B",')]],
    ['with a stray backslash after a right one', [text.replace('{', '{"author":"A\\\\ \\ B",')]],
    ['under its old names', [{ '@type': 'Recipe', name: 'Lemon cake', ingredients: LINES }]],
    ['named by its headline', [{ ...CAKE, name: undefined, headline: 'Lemon cake' }]],
    ['named in a list', [{ ...CAKE, name: ['Lemon cake'] }]],
    ['named with entities', [{ ...CAKE, name: 'Lemon&nbsp;cake' }]],
    ['named with tags', [{ ...CAKE, name: '<b>Lemon</b> cake' }]],
  ])('%s', (_, scripts) => {
    expect(only(...scripts)).toMatchObject({ name: 'Lemon cake', groups: GROUPS, linesLeftOut: 0 });
  });

  test.each<[string, string | object]>([
    ['no script', ''],
    ['half a script', '{"@type":"Recipe","name":'],
    ['null', 'null'],
    ['a page without one', { '@type': 'WebPage', name: 'Recipe' }],
    ['a list of recipes’ addresses', { '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', url: PAGE }] }],
    ['an element of 5 MB', { ...CAKE, description: 'x'.repeat(5_000_000) }],
    ['100,000 brackets', '['.repeat(100_000)],
  ])('not in %s', (_, script) => expect(read(script)).toEqual([]));

  test('and each of several', () => {
    const icing = { ...CAKE, name: 'Icing', recipeIngredient: ['200 g icing sugar'] };
    expect(read([CAKE, icing]).map(({ name }) => name)).toEqual(['Lemon cake', 'Icing']);
  });
});

describe('ingredients', () => {
  test.each<[string, unknown, unknown]>([
    ['one text with line breaks', '2 eggs\n100 g flour', GROUPS],
    ['one text with breaks of HTML', '2 eggs<br />100 g flour', GROUPS],
    ['a list of lists', [['2 eggs'], ['100 g flour']], GROUPS],
    ['nulls among them', [null, '2 eggs', null, '100 g flour', ''], GROUPS],
    ['numbers and flags among them', ['2 eggs', true, '100 g flour', 7], GROUPS],
    ['values with names', [{ '@type': 'PropertyValue', value: 2, name: 'eggs' }, '100 g flour'], GROUPS],
    ['values with units', ['2 eggs', { '@type': 'PropertyValue', value: '100', unitText: 'g', name: 'flour' }], GROUPS],
    ['spaces around them', ['  2 eggs ', '100 g   flour'], GROUPS],
    ['tags', ['<span>2</span> eggs', '100 g <a href="/flour">flour</a>'], GROUPS],
    ['boxes to tick', ['▢ 2 eggs', '▢ 100 g flour'], GROUPS],
    ['entities', ['&frac12; cup milk'], [{ name: null, lines: ['½ cup milk'] }]],
    ['entities twice', ['1 &amp;frac12; cups milk'], [{ name: null, lines: ['1 ½ cups milk'] }]],
    ['doubled brackets', ['1 onion ((cut small))'], [{ name: null, lines: ['1 onion (cut small)'] }]],
    [
      'headings among them',
      ['For the sauce:', '1 cup cream', 'FOR THE CAKE', '2 eggs'],
      [
        { name: 'For the sauce', lines: ['1 cup cream'] },
        { name: 'FOR THE CAKE', lines: ['2 eggs'] },
      ],
    ],
    [
      'a heading in their midst',
      ['2 eggs', 'Glaze:', '1 cup icing sugar'],
      [
        { name: null, lines: ['2 eggs'] },
        { name: 'Glaze', lines: ['1 cup icing sugar'] },
      ],
    ],
    ['none', [], []],
    ['no list', 7, []],
  ])('%s', (_, recipeIngredient, groups) => {
    expect(only({ ...CAKE, recipeIngredient }).groups).toEqual(groups);
  });

  test.each(['recipeIngredient', 'recipeYield', 'image', 'totalTime', 'inLanguage', 'name'])(
    '100,000 brackets as the %s do no harm',
    (field) => {
      const deep = '['.repeat(100_000) + ']'.repeat(100_000);
      expect(read(`{"@type":"Recipe","${field}":${deep}}`)).toHaveLength(1);
      const nested = `${'{"maxValue":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
      expect(read(`{"@type":"Recipe","${field}":${nested}}`)).toHaveLength(1);
    },
  );

  test('ten thousand are cut, and counted', () => {
    const reading = only({ ...CAKE, recipeIngredient: Array.from({ length: 10_000 }, (_, n) => `${n + 1} eggs`) });
    expect(reading.groups[0]!.lines).toHaveLength(MOST_LINES);
    expect(reading.linesLeftOut).toBe(10_000 - MOST_LINES);
  });
});

test.each<[unknown, number | null]>([
  [4, 4],
  ['4', 4],
  ['4-6 servings', 4],
  ['Serves 4 to 6', 4],
  ['24 cookies', 24],
  [['4', '4 people'], 4],
  [['', '6 servings'], 6],
  [{ '@type': 'QuantitativeValue', value: 8 }, 8],
  ['a loaf', null],
  [0, null],
  ['1000', null],
  [null, null],
  [{}, null],
])('a yield of %j is for %j', (recipeYield, servings) => {
  expect(only({ ...CAKE, recipeYield }).servings).toBe(servings);
});

test.each<[object, number | null]>([
  [{ totalTime: 'PT1H30M' }, 90],
  [{ totalTime: 'P0DT0H30M' }, 30],
  [{ totalTime: 'P1DT2H' }, 1560],
  [{ totalTime: 'PT0.5H' }, 30],
  [{ totalTime: 'PT90M0S' }, 90],
  [{ totalTime: 45 }, 45],
  [{ totalTime: '45' }, 45],
  [{ totalTime: '45 minutes' }, 45],
  [{ totalTime: '1 hour 20 min' }, 80],
  [{ totalTime: { '@type': 'Duration', maxValue: 'PT50M' } }, 50],
  [{ prepTime: 'PT10M', cookTime: 'PT20M' }, 30],
  [{ prepTime: 'PT10M' }, 10],
  [{ totalTime: 'PT0M', prepTime: 'PT10M', cookTime: 'PT20M' }, 30],
  [{ totalTime: 'overnight' }, null],
  [{ totalTime: '' }, null],
  [{ totalTime: 'PT99999H' }, null],
  [{}, null],
])('the time %j is %j minutes', (times, minutes) => {
  expect(only({ ...CAKE, ...times }).minutes).toBe(minutes);
});

const CAKE_PICTURE = 'https://blog.example.test/cake.jpg';
test.each<[string, unknown, string | null]>([
  ['a text', CAKE_PICTURE, CAKE_PICTURE],
  ['a list', [CAKE_PICTURE, 'https://blog.example.test/square.jpg'], CAKE_PICTURE],
  ['an object', { '@type': 'ImageObject', url: CAKE_PICTURE }, CAKE_PICTURE],
  ['an object with its content', { '@type': 'ImageObject', contentUrl: CAKE_PICTURE }, CAKE_PICTURE],
  ['a list of objects', [{ url: CAKE_PICTURE }], CAKE_PICTURE],
  ['an object with a list', { url: [CAKE_PICTURE] }, CAKE_PICTURE],
  ['from here', '/cake.jpg', CAKE_PICTURE],
  ['without http', '//blog.example.test/cake.jpg', CAKE_PICTURE],
  ['the second of which is one', ['javascript:alert(1)', CAKE_PICTURE], CAKE_PICTURE],
  ['a script', 'javascript:alert(1)', null],
  ['the picture itself', 'data:image/gif;base64,R0lGODlhAQABAAAAACw=', null],
  ['empty', '', null],
  ['nobody’s', { '@id': '#elsewhere' }, null],
])('a picture that is %s', (_, image, picture) => {
  expect(only({ ...CAKE, image }).picture).toBe(picture);
});

test('a picture that stands elsewhere', () => {
  const page = {
    '@graph': [
      { ...CAKE, image: { '@id': '#picture' } },
      { '@id': '#picture', url: CAKE_PICTURE },
    ],
  };
  expect(only(page).picture).toBe(CAKE_PICTURE);
});

test('a picture that is itself, over and over', () => {
  expect(
    only({
      '@graph': [
        { ...CAKE, image: { '@id': '#a' } },
        { '@id': '#a', image: { '@id': '#a' } },
      ],
    }).picture,
  ).toBe(null);
});

test.each<[unknown, string | null]>([
  ['en-US', 'en-US'],
  ['de', 'de'],
  ['pt_BR', 'pt-BR'],
  [{ '@type': 'Language', alternateName: 'es' }, 'es'],
  ['English', null],
  [7, null],
])('the language %j is %j', (inLanguage, language) => {
  expect(only({ ...CAKE, inLanguage }).language).toBe(language);
});
