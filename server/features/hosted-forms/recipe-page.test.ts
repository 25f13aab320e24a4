import { describe, expect, test } from 'vitest';
import { readRecipePage } from './recipe-page.ts';

describe('facts of a page', () => {
  const of = (html: string) => readRecipePage(html, 'https://anna.example/pie/');
  const data = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

  test.each<[string, string, object]>([
    [
      'a graph with a list of types',
      data({
        '@graph': [
          { '@type': 'WebPage' },
          {
            '@type': ['Thing', 'Recipe'],
            name: 'Pie',
            image: [{ url: '/p.jpg' }],
            prepTime: 'PT20M',
            cookTime: 'PT1H',
            recipeYield: ['4', '4 slices'],
            recipeIngredient: ['1 &amp; 2'],
          },
        ],
      }),
      {
        pictureUrl: 'https://anna.example/p.jpg',
        recipe: { name: 'Pie', totalMinutes: 80, yield: '4 slices', ingredients: ['1 & 2'] },
      },
    ],
    [
      'broken data before the right one',
      `<script type='application/ld+json'>{"a":</script>${data([{ '@type': 'Recipe', name: 'Pie' }])}`,
      { recipe: { name: 'Pie', ingredients: [] } },
    ],
    [
      'Open Graph in any order',
      `<meta content='A &quot;pie&quot;' property="og:title"><meta property='og:image' content="https://cdn.example/p.jpg"><title>No</title>`,
      { title: 'A "pie"', pictureUrl: 'https://cdn.example/p.jpg', recipe: null },
    ],
    ['a title alone', '<TITLE>Pie\n</TITLE>', { title: 'Pie', pictureUrl: null, recipe: null }],
    ['nothing', '', { title: 'anna.example/pie/', recipe: null }],
    ['addresses that are none', '<meta property="og:image" content="javascript:alert(1)">', { pictureUrl: null }],
    [
      'fields of the wrong kind',
      data({
        '@type': 'Recipe',
        name: { x: 1 },
        image: 7,
        recipeIngredient: [null, {}, 'Salt'],
        totalTime: 9,
        recipeYield: [],
      }),
      { recipe: { name: '', ingredients: ['Salt'], totalMinutes: null, yield: null } },
    ],
  ])('from %s', (_, html, facts) => {
    expect(of(html)).toMatchObject(facts);
  });

  test('are found in a megabyte of nonsense, whatever it repeats', () => {
    for (const piece of [
      '<script type="application/ld+json">',
      '<script application/ld+json',
      '<meta ',
      '<meta property="og:title" ',
      'og:title',
      '{"@graph":[',
      '[',
    ]) {
      expect(of(piece.repeat(Math.floor(1_000_000 / piece.length))).title).not.toBe('x');
    }
    expect(of(data('[').replace('"["', '['.repeat(500_000))).recipe).toBeNull();
  });
});
