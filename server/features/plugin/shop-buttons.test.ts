/** Which posts of a blog have a shopping list, as its plugin is told. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listShopButtons, registerPlugin, syncBlogPosts, syncGoneBlogPosts } from '#contract/plugin.ts';
import { getIngredients, saveIngredients } from '#contract/recipe-ingredients.ts';
import { deleteRecipe, listRecipes, type Recipe } from '#contract/recipes.ts';
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
  await asPlugin(syncBlogPosts.path, { siteUrl: BLOG, waiting: 0, posts: [1, 2, 3].map(post) });
});

const headers = () => ({ authorization: `Bearer ${key}` });
const asPlugin = (path: string, body: object) =>
  app.visitor().send({ method: 'POST', url: `/api/v1${path}`, headers: headers(), body });
const post = (id: number) => ({
  ...{ id, url: `${BLOG}recipe-${id}/`, title: `Post ${id}`, pictureUrl: null, categories: [] },
  recipe: { name: `Recipe ${id}`, anchor: null, ingredients: [], totalMinutes: 10, yield: '2' },
  ...{ publishedAt: '2026-01-02T03:04:05Z', changedAt: '2026-01-02T03:04:05Z' },
});
const ask = async (query: Record<string, string> = {}) =>
  (
    await app.visitor().send({
      method: 'GET',
      url: `/api/v1${listShopButtons.path}?${new URLSearchParams({ siteUrl: BLOG, ...query })}`,
      headers: headers(),
    })
  ).body;
const recipeOf = async (id: number): Promise<Recipe> =>
  (await anna.call(listRecipes, { params: { creatorId }, query: { search: `recipe-${id}` } })).body.items[0];
/** @returns the list's code */
async function give(id: number, texts: string[]): Promise<string> {
  const params = { creatorId, recipeId: (await recipeOf(id)).id };
  const { version } = (await anna.call(getIngredients, { params })).body;
  const facts = { group: '', fixes: {}, checked: true, sourceText: null, sourceUid: null };
  const lines = texts.map((text) => ({ ...facts, id: crypto.randomUUID(), text }));
  const rest = { servings: 2, minutes: null, measures: 'us' as const, language: 'en', steps: [] };
  return (await anna.call(saveIngredients, { params, body: { ...rest, lines, version } })).body.listUrl
    .split('/')
    .at(-1);
}

test('posts whose recipes have something to buy, and only while they are public and have it', async () => {
  expect(await ask()).toMatchObject({ state: 'live', listsAt: expect.stringMatching(/\/s\/$/), buttons: [] });
  const [first, second] = [await give(1, ['2 eggs']), await give(2, ['1 cup flour'])];
  await give(3, ['2 eggs']);
  await give(3, []);
  expect((await ask()).buttons).toEqual([
    { post: 1, code: first },
    { post: 2, code: second },
  ]);
  await asPlugin(syncGoneBlogPosts.path, { siteUrl: BLOG, ids: [1] });
  await anna.call(deleteRecipe, { params: { creatorId, recipeId: (await recipeOf(2)).id } });
  expect((await ask()).buttons).toEqual([]);
});

test('with the version that it has, a plugin is told nothing until something else is to stand there', async () => {
  await give(1, ['2 eggs']);
  const { version } = await ask();
  expect(await ask({ version })).toMatchObject({ state: 'live', version, buttons: null });
  // Another amount is the same list.
  await give(1, ['3 eggs']);
  expect((await ask({ version })).buttons).toBeNull();
  await give(2, ['1 cup flour']);
  expect((await ask({ version })).buttons).toHaveLength(2);
  expect((await ask({ version: 'made up' })).buttons).toHaveLength(2);
});

test('a copy of the blog, another site, and a key that ended are told of none', async () => {
  await give(1, ['2 eggs']);
  for (const siteUrl of ['https://staging.blog.example/', '', 'no address']) {
    expect(await ask({ siteUrl })).toMatchObject({ state: 'copy', version: '', buttons: null });
  }
  const eve = await app.signUpAndIn();
  const hers = await eve.createCreator();
  const other = (await eve.call(makeApiKey, { params: { creatorId: hers.id } })).body.key;
  const url = `/api/v1${listShopButtons.path}?siteUrl=${BLOG}`;
  const asEve = await app.visitor().send({ method: 'GET', url, headers: { authorization: `Bearer ${other}` } });
  expect(asEve.body).toMatchObject({ state: 'copy', buttons: null });
  await anna.call(makeApiKey, { params: { creatorId } });
  expect(await app.visitor().send({ method: 'GET', url, headers: headers() })).toMatchObject({ status: 401 });
});
