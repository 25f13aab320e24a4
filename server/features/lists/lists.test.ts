import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getListFigures } from '#contract/list-figures.ts';
import { type IngredientsInput, type RecipeLine, saveIngredients } from '#contract/recipe-ingredients.ts';
import { createRecipe, deleteRecipe } from '#contract/recipes.ts';
import { changeShopping, getShopping } from '#contract/shops.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
let anna: Person;
let creatorId: string;
let count = 0;

beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
  creatorId = (await anna.createCreator()).id;
});
afterAll(() => app.close());

const line = (text: string, over: Partial<RecipeLine> = {}): RecipeLine => ({
  ...{
    id: crypto.randomUUID(),
    group: '',
    text,
    fixes: {},
    checked: false,
    sourceText: null,
    sourceUid: null,
    ...over,
  },
});
type Made = {
  recipeId: string;
  url: string;
  save: (over: Partial<IngredientsInput>, version: number) => Promise<number>;
};

async function made(texts: (string | RecipeLine)[], over: Partial<IngredientsInput> = {}, name = 'Lemon pasta') {
  const recipe = {
    name,
    url: `https://blog.example/pasta/${count++}`,
    pictureUrl: null,
    keywordIdeas: [],
    messageText: '',
  };
  const { body } = await anna.call(createRecipe, { params: { creatorId }, body: recipe });
  const params = { creatorId, recipeId: body.id };
  const lines = texts.map((one) => (typeof one === 'string' ? line(one) : one));
  const input = { servings: 4, minutes: null, measures: 'us' as const, language: 'en', lines, steps: [], ...over };
  const saved = await anna.call(saveIngredients, { params, body: { ...input, version: 0 } });
  expect(saved.status).toBe(200);
  return {
    recipeId: body.id,
    url: new URL(saved.body.listUrl!).pathname,
    save: async (changed, version) =>
      (await anna.call(saveIngredients, { params, body: { ...input, ...changed, version } })).status,
  } satisfies Made;
}

async function open(url: string, query: Record<string, string | string[]> = {}, visitor = app.visitor()) {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, all]) => [all].flat().map((one) => [name, one])),
  );
  const answer = await visitor.send({ method: 'GET', url: `${url}?${search}` });
  const rows = [...answer.text.matchAll(/value="([0-9a-f]+)"( checked)?><span>(.*?)<\/span>/g)];
  const plain = (text: string) => text.replaceAll(/<[^>]+>/g, '').trim();
  return {
    ...answer,
    known: /name="k" value="([^"]*)"/.exec(answer.text)?.[1] ?? '',
    rows: rows.map(([, id, ticked, label]) => ({ id: id!, ticked: ticked !== undefined, label: plain(label!) })),
  };
}

test('a shopper sees what to buy, by aisle, what they may have, and what is optional', async () => {
  const { url } = await made([
    '2 cups flour',
    '1 tsp salt',
    '3 eggs',
    '1/2 cup walnuts (optional)',
    '2 tbsp olive oil',
  ]);
  const page = await open(url);
  expect(page.status).toBe(200);
  expect(page.rows).toMatchObject([
    { label: '3 eggs', ticked: true },
    { label: '2 cups flour', ticked: true },
    { label: '2 tbsp olive oil', ticked: true },
    { label: '1 tsp salt', ticked: false },
    { label: '½ cup walnuts', ticked: false },
  ]);
  expect(page.text).toMatch(/Dairy &amp; eggs.*Baking.*You may have these.*Optional/s);
});

test('servings scale exactly, and what was unticked stays so', async () => {
  const { url } = await made(['1 1/2 cups flour', '3 eggs', '2 cloves garlic']);
  const first = await open(url);
  const eggs = first.rows.find(({ label }) => label === '3 eggs')!;
  const rest = first.rows.filter(({ id }) => id !== eggs.id).map(({ id }) => id);
  const page = await open(url, { k: first.known, i: rest, n: ['4', '6'] });
  expect(page.rows).toContainEqual({ id: eggs.id, label: '4 ½ eggs · buy 5'.replace('· ', ''), ticked: false });
  expect(page.rows).toContainEqual(expect.objectContaining({ label: '2 ¼ cups flour', ticked: true }));
  expect(page.text).toContain('<output>6</output>');
});

test.each(['0', '-1', '101', '1e9', '2.5', 'four', '1/0', '<script>'])(
  'servings of “%s” are the recipe’s own',
  async (n) => {
    const { url } = await made(['2 cups flour']);
    expect((await open(url, { n })).text).toContain('<output>4</output>');
  },
);

test('a recipe that does not say for how many is made in multiples', async () => {
  const { url } = await made(['2 cups flour'], { servings: null });
  expect((await open(url, { n: '1/2' })).rows[0]!.label).toBe('1 cup flour');
  expect((await open(url, { n: '7' })).rows[0]!.label).toBe('2 cups flour');
});

test('of what the recipe got meanwhile nothing is lost, and nothing else is unticked', async () => {
  const { url, save } = await made(['2 cups flour', '3 eggs']);
  const before = await open(url);
  const flour = before.rows.find(({ label }) => label.endsWith('flour'))!;
  await save({ lines: ['2 cups flour', '3 eggs', '1 cup milk', '1 tsp salt'].map((text) => line(text)) }, 1);
  const after = await open(url, { k: before.known, i: [flour.id] });
  expect(Object.fromEntries(after.rows.map(({ label, ticked }) => [label, ticked]))).toEqual({
    '3 eggs': false,
    '1 cup milk': true,
    '2 cups flour': true,
    '1 tsp salt': false,
  });
});

test('a line nobody looked at is shown as it was written, until somebody did', async () => {
  const unsure = line('a glug of sunshine');
  const { url, save } = await made(['2 cups flour', unsure]);
  const page = await open(url);
  expect(page.text).toContain('Please read');
  expect(page.rows.map(({ label }) => label)).toContain('a glug of sunshine');
  await save({ lines: [line('2 cups flour'), { ...unsure, fixes: { food: 'olive oil' } }] }, 1);
  const looked = await open(url);
  expect(looked.text).not.toContain('Please read');
  expect(looked.rows.map(({ label }) => label)).toContain('1 glug olive oil');
});

describe('what is hostile', () => {
  test('is shown as text', async () => {
    const { url } = await made(['2 cups <script>alert(1)</script> "flour"'], {}, '"><img src=x onerror=alert(1)>');
    const { text, headers } = await open(url, { n: '"><script>', i: '"><script>', k: '"><script>' });
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toContain('<img');
    expect(String(headers['content-security-policy'])).toContain("default-src 'none'");
  });

  test('has no end: a thousand ticks, a known list of a megabyte', async () => {
    const { url } = await made(['2 cups flour']);
    const page = await open(url, { i: Array.from({ length: 400 }, (_, i) => String(i)), k: 'x.'.repeat(2000) });
    expect(page.status).toBe(200);
  });

  test('guesses codes: after sixty misses the network waits, and a list that is there still opens for others', async () => {
    const { url } = await made(['2 cups flour']);
    const guesser = app.visitor();
    const guess = (code: string) => open(`/s/${code}`, {}, guesser);
    for (let i = 0; i < 60; i++) expect((await guess(`nothing${i}`)).status).toBe(404);
    expect(await guess('another1')).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    expect((await open(url)).status).toBe(200);
    await app.clock.advance(61_000);
    expect((await open(url, {}, guesser)).status).toBe(200);
  });
});

test('a list outlives its recipe', async () => {
  const { url, recipeId } = await made(['2 cups flour']);
  await anna.call(deleteRecipe, { params: { creatorId, recipeId } });
  const page = await open(url);
  expect(page.text).toContain('Lemon pasta');
  expect(page.rows).toHaveLength(1);
});

test('sixty items are less than 50,000 bytes', async () => {
  const foods =
    'apple apricot banana carrot celery cherry date fig grape kale leek lemon lime mango melon onion orange peach pear plum'.split(
      ' ',
    );
  const { url } = await made(
    Array.from({ length: 60 }, (_, i) => `${i + 1} cups ${foods[i % 20]} ${['', 'juice', 'jam'][Math.floor(i / 20)]}`),
  );
  const page = await open(url);
  expect(page.rows).toHaveLength(60);
  expect(Buffer.byteLength(page.text)).toBeLessThan(50_000);
});

describe('shops', () => {
  beforeAll(async () => {
    creatorId = (await anna.createCreator()).id;
  });
  const search = {
    kind: 'search',
    on: true,
    id: null,
    countries: [],
    name: 'Corner shop',
    address: 'https://shop.example/search?q={words}',
  };

  async function setShops(shops: object[]) {
    const params = { creatorId };
    const { body } = await anna.call(getShopping, { params });
    const { shops: _, instacart: __, ...rest } = body as Record<string, unknown>;
    const answer = await anna.call(changeShopping, { params, body: { ...rest, shops } as never });
    expect(answer.status).toBe(200);
    return answer.body;
  }

  test('that look for each item by itself get a link for each that is ticked', async () => {
    const { shops } = (await setShops([search])) as { shops: { id: string }[] };
    const { url } = await made(['2 cups flour', '3 eggs', '1 tsp salt']);
    const page = await open(url);
    expect(page.text).toContain(`formaction="${url}/go/${shops[0]!.id}"`);
    const eggs = page.rows.find(({ label }) => label === '3 eggs')!;
    const went = await open(`${url}/go/${shops[0]!.id}`, { k: page.known, i: [eggs.id], n: '8' });
    expect(went.text.match(/href="https:[^"]+"/g)).toEqual(['href="https://shop.example/search?q=eggs"']);
    expect(went.text).toContain('<b>6</b>');
    const none = await open(`${url}/go/${shops[0]!.id}`, { k: page.known });
    expect(none.text).toContain('Select something to shop for first.');
    expect(none.rows).toHaveLength(3);
  });

  test('that serve the country a shopper chooses, and go on doing so', async () => {
    const near = { ...search, name: 'Laden', countries: ['DE', 'AT'] };
    await setShops([near, { ...search, name: 'Shop', address: 'https://us.example/?q={words}', countries: ['US'] }]);
    const { url } = await made(['2 cups flour']);
    const german = await open(url, { c: 'DE' });
    expect(german.text).toContain('<option value="DE" selected>Germany');
    expect(german.text.match(/>Shop at \w+</g)).toEqual(['>Shop at Laden<']);
    const french = await open(url, { c: 'FR', n: '5' });
    expect(french.text).toContain('<option value="FR" selected>France');
    expect(french.text).not.toContain('Shop at');
  });

  test('that nobody set are not there, whatever is asked for', async () => {
    const { url } = await made(['2 cups flour']);
    for (const shop of ['amazon2', crypto.randomUUID(), '..%2f..', 'https:%2f%2fevil.example']) {
      const answer = await open(`${url}/go/${shop}`);
      expect(answer.status).toBe(404);
      expect(answer.headers.location).toBeUndefined();
    }
  });
});

test('people who open a list, and go to a shop, are counted; robots are not', async () => {
  const { url, recipeId } = await made(['2 cups flour']);
  const { known } = await open(url);
  await app.clock.advance(60_000);
  await open(url, { k: known, n: '6' });
  await app.visitor().send({ method: 'GET', url, headers: { 'user-agent': 'facebookexternalhit/1.1' } });
  await app.deps.clicks.flush();
  const { rows } = await sql<{ part: string; reason: string | null }>`
    select l.part, c.not_counted_because as reason from clicks c join links l on l.creator_id = c.creator_id and l.id = c.link_id
    where l.recipe_id = ${recipeId} order by reason nulls first
  `.execute(app.db.engine);
  expect(rows).toEqual([
    { part: 'list', reason: null },
    { part: 'list', reason: 'previewer' },
  ]);
  const { body } = await anna.call(getListFigures, { params: { creatorId }, query: { recipeId } });
  expect(body).toMatchObject({ opened: 1, toShops: 0 });
  const code = url.split('/').at(-1)!;
  expect((await app.visitor().send({ method: 'GET', url: `/l/${code}` })).headers.location).toMatch(
    new RegExp(`/s/${code}$`),
  );
});

test.each([
  [
    'de-AT',
    '1 ½ Tassen Mehl\n1 Dose Tomaten\nSalz',
    /lang="de-AT"[\s\S]*Portionen[\s\S]*Backzutaten[\s\S]*1 ½ Tassen<\/b> <bdi>Mehl[\s\S]*Vielleicht schon da/,
  ],
  [
    'fr',
    '250 g de farine\nsel',
    /lang="fr"[\s\S]*Portions[\s\S]*Pâtisserie[\s\S]*250 g<\/b> <bdi>farine[\s\S]*Peut-être déjà/,
  ],
  ['es-MX', '1,5 l de leche', /lang="es-MX"[\s\S]*Lácteos y huevos[\s\S]*1,5 l<\/b> <bdi>leche/],
  ['it', '2 cucchiai di zucchero', /lang="it"[\s\S]*2 cucchiai<\/b> <bdi>zucchero/],
  ['pt-BR', '2 xícaras de farinha de trigo', /lang="pt-BR"[\s\S]*2 xícaras<\/b> <bdi>farinha de trigo/],
  ['nl', '2 cups flour', /lang="en"[\s\S]*2 cups<\/b> <bdi>flour/],
])('the list of a recipe in %s speaks its language', async (language, text, says) => {
  const { url } = await made(text.split('\n'), { language });
  expect((await open(url)).text).toMatch(says);
});
