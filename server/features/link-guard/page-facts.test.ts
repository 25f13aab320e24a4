import { describe, expect, test } from 'vitest';
import { compare, readPage, saysNotFound } from './page-facts.ts';

const PAGE = `<!doctype html><html><head><title>Lemon Pasta &amp; Salad | The Golden Spoon</title>
<script type="application/ld+json">{"@type": "Recipe", "name": "Lemon pasta"}</script></head>
<body><h1 class="big">Creamy <em>lemon</em> pasta with parmesan</h1><p>Boil the water.</p></body></html>`;
const FIRST = readPage(PAGE);

test('a page is read for its title, its heading and whether it is a recipe', () => {
  expect(FIRST).toEqual({
    title: 'Lemon Pasta & Salad | The Golden Spoon',
    heading: 'Creamy lemon pasta with parmesan',
    recipe: true,
  });
});

test.each([
  ['nothing at all', '', { title: '', heading: '', recipe: false }],
  ['a title that never ends', '<title>Soup', { title: 'Soup', heading: '', recipe: false }],
  [
    'other tags that begin alike',
    '<titles>no</titles><h1x>no</h1x><H1>Soup</H1>',
    { title: '', heading: 'Soup', recipe: false },
  ],
  [
    'letters as numbers',
    '<title>Cr&#232;me br&#xFB;l&#x00e9;e &#99999999;</title>',
    { title: 'Crème brûlée &#99999999;', heading: '', recipe: false },
  ],
])('reads %s', (_what, html, facts) => expect(readPage(html)).toEqual(facts));

test('goes through a page that is made to be slow in one go', () => {
  const nasty = `${'<title'.repeat(40_000)}${'<h1 '.repeat(40_000)}${'&#x'.repeat(40_000)}`;
  expect(readPage(nasty).recipe).toBe(false);
  expect(compare(FIRST, nasty)).toBe('recipe_gone');
});

describe('a page is still the one it was', () => {
  test.each([
    ['unchanged', PAGE],
    ['with another title', PAGE.replace('<title>Lemon', '<title>NEW: Lemon')],
    ['with another heading', PAGE.replace('Creamy', 'Our best')],
    ['in another design that kept the words', '<h1>Pasta</h1><p>creamy pasta with lemon and parmesan</p>'],
  ])('%s', (_how, html) => expect(compare(FIRST, html)).toBe('same'));
});

test('a page about something else is told apart from a recipe that is gone', () => {
  expect(compare(FIRST, '<title>Sale</title><h1>Buy our pans</h1>')).toBe('recipe_gone');
  expect(compare({ ...FIRST, recipe: false }, '<title>Sale</title><h1>Buy our pans</h1>')).toBe('changed');
});

test('the recipe is gone when only the frame of the page is left', () => {
  expect(compare(FIRST, `<title>${FIRST.title}</title><h1>Something went missing</h1>`)).toBe('recipe_gone');
});

describe('a page that answers well but says it was not found', () => {
  test.each([
    'Page not found',
    'Oops! That page can’t be found. Nothing was found',
    'Error 404',
    '404 | Blog',
    'This post no longer exists',
  ])('%s', (title) => expect(saysNotFound({ title, heading: '', recipe: false }, null)).toBe(true));

  test.each(['Lemon pasta', 'Lost and found cookies'])('not: %s', (title) => {
    expect(saysNotFound({ title, heading: '', recipe: false }, null)).toBe(false);
  });

  test('not when it was called so from the beginning', () => {
    const odd = { title: '404 cookies that sell out', heading: '', recipe: false };
    expect(saysNotFound(odd, odd)).toBe(false);
  });
});
