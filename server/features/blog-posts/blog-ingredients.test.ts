/** Ingredients of the creator's blog, as its plugin tells them, beside what the creator says of them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { registerPlugin, syncBlogPosts, syncGoneBlogPosts } from '#contract/plugin.ts';
import {
  getIngredients,
  type RecipeIngredients,
  type RecipeLine,
  saveIngredients,
} from '#contract/recipe-ingredients.ts';
import { createRecipe, deleteRecipe, listRecipes } from '#contract/recipes.ts';
import { makeApiKey } from '#contract/settings.ts';
import { createTestApp, type Person, type TestApp } from '#server/testing/test-app.ts';

const BLOG = 'https://blog.example/';
let app: TestApp;
let anna: Person;
let creatorId: string;
let key: string;
beforeAll(async () => {
  app = await createTestApp();
  anna = await app.signUpAndIn();
});
afterAll(() => app?.close());
beforeEach(async () => {
  creatorId = (await anna.createCreator()).id;
  ({ key } = (await anna.call(makeApiKey, { params: { creatorId } })).body);
  await asPlugin(registerPlugin.path, { pluginVersion: '1.0', siteUrl: BLOG });
});

const asPlugin = (path: string, body: object) =>
  app.visitor().send({ method: 'POST', url: `/api/v1${path}`, headers: { authorization: `Bearer ${key}` }, body });
type Line = { text: string; uid: string | null };
type Told = { id?: number; groups?: { name: string | null; lines: Line[] }[]; ingredients?: string[] } & object;
const lines = (...texts: string[]): Line[] => texts.map((text, at) => ({ text, uid: String(at) }));
const post = ({ id = 1, groups, ingredients = [], ...over }: Told) => ({
  ...{ id, url: `${BLOG}recipe-${id}/`, title: `Post ${id}`, pictureUrl: null, categories: [], language: 'en-US' },
  recipe: {
    ...{ name: `Recipe ${id}`, anchor: null, ingredients, totalMinutes: 40, yield: '4 people' },
    ...(groups && { groups }),
  },
  ...{ publishedAt: '2026-01-02T03:04:05Z', changedAt: '2026-01-02T03:04:05Z' },
  ...over,
});
const sync = async (...posts: object[]) => {
  const { status } = await asPlugin(syncBlogPosts.path, { siteUrl: BLOG, waiting: 0, posts });
  expect(status).toBe(200);
};
const tell = (texts: string[], more: object = {}) =>
  sync(post({ groups: [{ name: null, lines: lines(...texts) }], ...more }));
const recipeIdOf = async (id = 1): Promise<string> =>
  (await anna.call(listRecipes, { params: { creatorId }, query: { search: `recipe-${id}/` } })).body.items[0]?.id;
const read = async (id = 1): Promise<RecipeIngredients> =>
  (await anna.call(getIngredients, { params: { creatorId, recipeId: await recipeIdOf(id) } })).body;
const texts = async (id = 1) => (await read(id)).lines.map(({ text }) => text);
const fix = async (change: (line: RecipeLine) => Partial<RecipeLine>) => {
  const { updatedAt: _, listUrl: __, ...before } = await read();
  const body = { ...before, lines: before.lines.map((line) => ({ ...line, ...change(line) })) };
  const params = { creatorId, recipeId: await recipeIdOf() };
  expect((await anna.call(saveIngredients, { params, body })).status).toBe(200);
};

test('a recipe of the blog begins with its ingredients: groups, servings, minutes, nothing looked at', async () => {
  await sync(
    post({
      groups: [
        { name: 'Dough', lines: [{ text: '2 cups flour (sifted)', uid: '7' }] },
        { name: null, lines: [{ text: '▢ 1 tsp salt', uid: null }] },
      ],
    }),
  );
  expect(await read()).toMatchObject({
    ...{ servings: 4, minutes: 40, language: 'en-US', listUrl: expect.stringContaining('/s/') },
    lines: [
      { text: '2 cups flour (sifted)', group: 'Dough', sourceUid: '7', checked: false, fixes: {} },
      { text: '1 tsp salt', group: '', sourceUid: null, checked: false },
    ],
  });
});

test('an older plugin tells one list, with headings among its lines', async () => {
  await sync(post({ ingredients: ['2 eggs', 'For the sauce:', '1 cup cream'] }));
  expect(await read()).toMatchObject({
    lines: [
      { text: '2 eggs', group: '' },
      { text: '1 cup cream', group: 'For the sauce' },
    ],
  });
});

test('a correction survives the next save of the post, and the other lines follow', async () => {
  await tell(['2 cups flour', '3 eggs', 'a glug of oil']);
  await fix(({ text }) => (text === 'a glug of oil' ? { fixes: { food: 'olive oil' }, checked: true } : {}));
  await tell(['2 cups flour', '4 eggs', 'a glug of oil', '1 tsp salt']);
  const { lines: now } = await read();
  expect(now.map(({ text }) => text)).toEqual(['2 cups flour', '4 eggs', 'a glug of oil', '1 tsp salt']);
  expect(now[2]).toMatchObject({ fixes: { food: 'olive oil' }, checked: true });
  await tell(['2 cups flour', '4 eggs', '2 glugs of oil', '1 tsp salt']);
  expect((await read()).lines[2]).toMatchObject({
    ...{ text: 'a glug of oil', fixes: { food: 'olive oil' }, pageSays: '2 glugs of oil' },
  });
});

test('the same again changes nothing, not even where the creator changed something', async () => {
  await tell(['2 cups flour', '3 eggs']);
  await fix(({ text }) => (text === '3 eggs' ? { text: '5 eggs' } : {}));
  const before = await read();
  await tell(['2 cups flour', '3 eggs']);
  await tell(['2 cups flour', '3 eggs'], { categories: [{ id: 1, name: 'Soups' }] });
  expect(await read()).toEqual(before);
});

test('what comes late changes nothing: the post is as it was told by its newer change', async () => {
  await tell(['4 eggs'], { changedAt: '2026-02-02T00:00:00Z' });
  await tell(['3 eggs'], { changedAt: '2026-02-01T00:00:00Z', title: 'Old title', url: `${BLOG}old-recipe-1/` });
  expect(await texts()).toEqual(['4 eggs']);
  expect(await recipeIdOf()).toBeDefined();
  // A card changes without its post.
  await tell(['5 eggs'], { changedAt: '2026-02-02T00:00:00Z' });
  expect(await texts()).toEqual(['5 eggs']);
  // What was gone and is public again is as it is told.
  await asPlugin(syncGoneBlogPosts.path, { siteUrl: BLOG, ids: [1] });
  await tell(['6 eggs'], { changedAt: '2026-01-01T00:00:00Z' });
  expect(await texts()).toEqual(['6 eggs']);
});

test('a card that is locked, or lost its lines, leaves the recipe as it is', async () => {
  await tell(['3 eggs']);
  for (const more of [{ groups: [] }, { recipe: null }, { groups: [{ name: 'Dough', lines: lines('', ' ') }] }]) {
    await sync(post({ ingredients: [], ...more }));
    expect(await texts()).toEqual(['3 eggs']);
  }
});

test('what the creator wrote by hand, and a recipe that they deleted, stay so', async () => {
  const recipe = { name: 'Mine', url: `${BLOG}recipe-1/`, pictureUrl: null, keywordIdeas: [], messageText: '' };
  const { id: recipeId } = (await anna.call(createRecipe, { params: { creatorId }, body: recipe })).body;
  const facts = { group: '', fixes: {}, checked: true, sourceText: null, sourceUid: null };
  const input = { servings: 2, minutes: null, measures: 'us' as const, language: 'en', steps: [], version: 0 };
  const mine = [{ ...facts, id: crypto.randomUUID(), text: '1 kg love' }];
  await anna.call(saveIngredients, { params: { creatorId, recipeId }, body: { ...input, lines: mine } });
  await tell(['3 eggs']);
  expect(await texts()).toEqual(['1 kg love']);
  await anna.call(deleteRecipe, { params: { creatorId, recipeId } });
  await tell(['4 eggs']);
  expect(await recipeIdOf()).toBeUndefined();
});

test('another site’s recipe, and a key that ended, change nothing', async () => {
  await tell(['3 eggs']);
  const foreign = post({ groups: [{ name: null, lines: lines('9 eggs') }] });
  await asPlugin(syncBlogPosts.path, { siteUrl: 'https://other.example/', waiting: 0, posts: [foreign] });
  await sync({ ...foreign, url: 'https://other.example/recipe-1/' });
  const eve = await app.signUpAndIn();
  const hers = (await eve.createCreator()).id;
  const own = key;
  ({ key } = (await eve.call(makeApiKey, { params: { creatorId: hers } })).body);
  await asPlugin(registerPlugin.path, { pluginVersion: '1.0', siteUrl: BLOG });
  await sync(foreign);
  key = own;
  expect(await texts()).toEqual(['3 eggs']);
  await anna.call(makeApiKey, { params: { creatorId } });
  expect(await asPlugin(syncBlogPosts.path, { siteUrl: BLOG, waiting: 0, posts: [foreign] })).toMatchObject({
    status: 401,
  });
  expect(await texts()).toEqual(['3 eggs']);
});

test('too much is cut, and text is only text', async () => {
  const long = `1 cup ${'x'.repeat(3000)}`;
  const groups = Array.from({ length: 60 }, (_, at) => ({
    name: `Group ${at} ${'y'.repeat(300)}`,
    lines: [{ text: at === 0 ? long : `${at} <script>alert(1)</script> eggs`, uid: 'u'.repeat(300) }],
  }));
  await sync(post({ groups }));
  const { lines: now } = await read();
  expect(now).toHaveLength(40);
  for (const line of now) {
    expect(line.text.length).toBeLessThanOrEqual(500);
    expect(line.group.length).toBeLessThanOrEqual(100);
    expect(line.sourceUid!.length).toBeLessThanOrEqual(100);
    expect(line.text).not.toContain('<script');
  }
  await sync(
    post({
      id: 2,
      groups: [{ name: null, lines: lines(...Array.from({ length: 400 }, (_, at) => `${at + 1} eggs`)) }],
    }),
  );
  expect((await read(2)).lines).toHaveLength(150);
});
