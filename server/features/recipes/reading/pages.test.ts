import { describe, expect, test } from 'vitest';
import { ADDRESS, PAGES, page, SEVERAL, script, WITHOUT } from './fixtures/pages.ts';
import { readPage } from './page.ts';
import { linesOf, merge, recipesOf, type Source, withPageFacts } from './sources.ts';

function readAll(html: string): Source[] {
  const read = readPage(html);
  return recipesOf(read, ADDRESS).map((sources) => withPageFacts(merge(sources), read, ADDRESS));
}

describe.each(Object.entries(PAGES))('%s', (_, cases) => {
  test.each(cases)('%s', (_shape, html, { groups, uids, ...facts }) => {
    const recipes = readAll(html);
    expect(recipes).toHaveLength(1);
    const [recipe] = recipes;
    expect(recipe).toMatchObject(facts);
    const texts = recipe!.groups.map(({ name, lines }) => ({ name, lines: lines.map(({ text }) => text) }));
    if (groups !== undefined) expect(texts).toEqual(groups);
    if (uids !== undefined) expect(linesOf(recipe!).map(({ uid }) => uid)).toEqual(uids);
  });
});

test('there are at least sixty of them', () => {
  expect(Object.values(PAGES).flat().length).toBeGreaterThanOrEqual(60);
});

test.each(WITHOUT)('nothing in %s', (_, html) => expect(readAll(html)).toEqual([]));

test.each(SEVERAL)('each of %s', (_, html, names) => expect(readAll(html).map(({ name }) => name)).toEqual(names));

describe('a page that means harm', () => {
  const MB = 1024 * 1024;
  const CAKE = script({ '@type': 'Recipe', name: 'Lemon cake', recipeIngredient: ['2 eggs'] });
  const times = (text: string) => text.repeat(Math.floor((3 * MB) / text.length));
  test.each<[string, string]>([
    ['100,000 nested elements', '<div>'.repeat(100_000)],
    ['ends of elements that never began', `${'<div>'.repeat(390)}${times('</i>')}`],
    ['lists within lists', times('<ul><li>')],
    ['bold within bold', times('<b>')],
    ['headings without end', times('<h2>Ingredients</h2><li>')],
    ['400,000 attributes', `<div ${Array.from({ length: 400_000 }, (_, at) => `a${at}`).join(' ')}>`],
    ['classes without end', `<div class="${times('x ')}">`],
    ['a comment without end', `<!--${times('- ')}`],
    ['entities', times('&amp;')],
    ['brackets', times('<')],
    ['scripts without end', times('<script type="application/ld+json">[</script>')],
    ['5 MB of JSON-LD', script({ '@type': 'Recipe', description: 'x'.repeat(5 * MB), recipeIngredient: ['2 eggs'] })],
    ['cards within cards', times('<div class="tasty-recipes">')],
    ['recipes within recipes', times('<i itemscope itemtype="http://schema.org/Recipe">')],
  ])('of %s is read as far as it goes, in little memory', (_, html) => {
    const before = process.memoryUsage.rss();
    const recipes = readAll(page(CAKE, html));
    expect(recipes.map(({ name }) => name)).toEqual(['Lemon cake']);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * MB);
  });

  test('has names of a language’s own parts', () => {
    expect(readAll(page('<div class="constructor __proto__" itemprop="__proto__" itemscope>', CAKE))).toHaveLength(1);
  });
});
